"""Verdicts as JUnit XML, which CI systems show as test results. Pure: values in, bytes out."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable

from judge.texts import Language, Text
from judge.verdict import Outcome, SourceLine, Status, TestResult, Verdict

# What no XML 1.0 document may hold, not even as a reference, and the carriage return, which every
# reader would turn into a newline.
_FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SUBMISSION = "submission"


def to_junit(verdicts: Iterable[Verdict], language: Language = "en") -> bytes:
    """One testsuite per verdict, one testcase per test; UTF-8 with an XML declaration.

    A submission of which not every expected test was run, or none, has a testcase `submission` with
    an error: without it such a suite would look as if all were well.
    """
    root = ET.Element("testsuites", name="judge")
    for verdict in verdicts:
        root.append(_suite(verdict, language))
    for total in ("tests", "failures", "errors", "skipped"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in root):.3f}")
    ET.indent(root)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _suite(verdict: Verdict, language: Language) -> ET.Element:
    suite = ET.Element("testsuite", name=verdict.exercise)
    properties = ET.SubElement(suite, "properties")
    for name in (
        "seed",
        "isolation",
        "suite",
        "backend",
        "verdict",
        "tests_digest",
        "source_digest",
    ):
        value = _clean(str(getattr(verdict, name)))
        ET.SubElement(properties, "property", name=name, value=value)
    for test in verdict.tests:
        suite.append(_case(verdict, test, language))
    if not verdict.passed and all(test.outcome is Outcome.PASSED for test in verdict.tests):
        case = _empty_case(verdict, SUBMISSION, 0.0 if verdict.tests else verdict.duration_ms)
        message = _pick(verdict.message, verdict.message_zh, language)
        _problem(case, verdict.verdict, message, [_place(verdict.line)])
        suite.append(case)
    if verdict.explanations:
        texts = (Text(each.en, each.zh)[language] for each in verdict.explanations)
        ET.SubElement(suite, "system-out").text = _clean("\n".join(texts))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", "0")
    suite.set("time", f"{verdict.duration_ms / 1000:.3f}")
    return suite


def _case(verdict: Verdict, test: TestResult, language: Language) -> ET.Element:
    case = _empty_case(verdict, test.name, test.duration_ms)
    if test.outcome is not Outcome.PASSED:
        message = _pick(test.message, test.message_zh, language)
        labelled = (("expected", test.expected), ("got", test.actual), ("difference", test.diff))
        details = [f"{label}:\n{value}" for label, value in labelled if value is not None]
        _problem(case, test.outcome, message, [test.title[language], *details, _place(test.line)])
    if test.output:
        ET.SubElement(case, "system-out").text = _clean(test.output)
    return case


def _empty_case(verdict: Verdict, name: str, milliseconds: float) -> ET.Element:
    time = f"{milliseconds / 1000:.3f}"
    return ET.Element("testcase", classname=verdict.exercise, name=_clean(name), time=time)


def _problem(case: ET.Element, outcome: Outcome, message: str, details: list[str]) -> None:
    tag = "failure" if outcome.status is Status.FAIL else "error"
    problem = ET.SubElement(case, tag, type=outcome.value, message=_clean(message))
    problem.text = _clean("\n".join(filter(None, details))) or None


def _place(line: SourceLine | None) -> str:
    return f"line {line.number}: {line.text}" if line else ""


def _pick(en: str | None, zh: str | None, language: Language) -> str:
    return Text(en or "", zh or en or "")[language]


def _clean(text: str) -> str:
    return _FORBIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
