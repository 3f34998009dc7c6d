"""Findings to test results, and test results to a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from judge.results.patterns import Pattern, explanations
from judge.texts import Text
from judge.verdict import (
    Blame,
    Outcome,
    SourceLine,
    TestResult,
    Verdict,
    Visibility,
    most_telling,
)

MAX_TOTAL_OUTPUT = 64 * 1024
CUT = "\n… (cut)"


class KnownTest(Protocol):
    """What is known of a test function before it runs."""

    @property
    def title(self) -> Text: ...
    @property
    def visibility(self) -> Visibility: ...
    @property
    def source(self) -> str: ...


def test_result(name: str, info: KnownTest, finding: Mapping[str, Any]) -> TestResult:
    """One test's result. What a learner must not see of a hidden test is left out here and only here."""
    hidden = info.visibility is Visibility.HIDDEN
    text = (finding.get("sealed") if hidden else None) or finding.get("text") or [None, None]
    line = finding.get("line")
    output = finding.get("output", "") + (CUT if finding.get("truncated") else "")
    return TestResult(
        name=name,
        outcome=Outcome(finding["outcome"]),
        visibility=info.visibility,
        title=info.title,
        message=text[0],
        message_zh=text[1],
        expected=None if hidden else finding.get("expected"),
        actual=None if hidden else finding.get("actual"),
        diff=None if hidden else finding.get("diff"),
        line=SourceLine(*line) if line else None,
        output="" if hidden else output,
        test_code=None if hidden else info.source,
        duration_ms=finding.get("duration_ms", 0.0),
    )


def limit_output(tests: list[TestResult]) -> bool:
    """Shorten the tests' output so that all together stays within the limit; whether anything is cut."""
    left, cut = MAX_TOTAL_OUTPUT, False
    for test in tests:
        if len(test.output) > left:
            test.output = test.output[:left] + CUT
        left = max(0, left - len(test.output))
        cut = cut or test.output.endswith(CUT)
    return cut


def conclude(
    verdict: Verdict,
    findings: Mapping[str, Mapping[str, Any]],
    run: Mapping[str, KnownTest],
    patterns: Iterable[Pattern],
    collected: list[str],
) -> None:
    """Fill in the verdict from the findings, one for each collected test's name.

    `run` has the test functions by name; `patterns` are the known mistakes' among them.
    """
    missing = [name for name in collected if name not in findings]
    verdict.tests = [
        test_result(name, run[name.partition("[")[0]], findings[name])
        for name in collected
        if name in findings
    ]
    verdict.truncated = limit_output(verdict.tests)
    outcomes = [test.outcome for test in verdict.tests]
    if missing or not collected:
        outcomes.append(Outcome.INTERNAL)
    verdict.verdict = most_telling(outcomes)
    verdict.status = verdict.verdict.status
    if verdict.verdict is not Outcome.PASSED and verdict.verdict is not Outcome.INTERNAL:
        # Some tests ran to a judgement: that is a failed submission, whatever stopped the others.
        verdict.status = Outcome.WRONG.status
        verdict.blame = Blame.LEARNER
        verdict.explanations = explanations(patterns, verdict.failed_functions)
        _name_the_test(verdict)
    elif verdict.verdict is Outcome.INTERNAL and verdict.blame is None:
        blames = [f.get("blame") for f in findings.values() if f["outcome"] == Outcome.INTERNAL]
        verdict.blame = Blame.AUTHOR if Blame.AUTHOR in blames else Blame.JUDGE
        broken = next((t for t in verdict.tests if t.outcome is Outcome.INTERNAL), None)
        if broken is not None and verdict.message is None:
            why = findings[broken.name].get("diff") or ""
            set_message(verdict, Text(f"{broken.name}: {why}", f"{broken.name}：{why}"))


def _name_the_test(verdict: Verdict) -> None:
    """For an outcome other than wrong, the first such test's title and message as the verdict's."""
    telling = next((t for t in verdict.tests if t.outcome is verdict.verdict), None)
    if telling is not None and verdict.verdict is not Outcome.WRONG:
        set_message(
            verdict,
            Text(
                f"{telling.title.en}: {telling.message or ''}",
                f"{telling.title.zh}：{telling.message_zh or ''}",
            ),
        )


def set_message(verdict: Verdict, text: Text) -> None:
    verdict.message, verdict.message_zh = text.en, text.zh


def refuse(verdict: Verdict, outcome: Outcome, blame: Blame, text: Text) -> Verdict:
    """The verdict for a submission of which no test was run to a judgement."""
    verdict.verdict, verdict.status, verdict.blame = outcome, Outcome.ERROR.status, blame
    set_message(verdict, text)
    return verdict
