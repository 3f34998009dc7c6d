"""Pieces of the command line by themselves: text made readable, JUnit, files, gradings."""

from __future__ import annotations

import os
import re
import signal
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from cli_course import COURSE
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from judge.catalog import load_catalog
from judge.cli import annotations, failures, walls, warm, words
from judge.cli.consoles import text_console
from judge.cli.grading import Submission, grade_all
from judge.cli.interrupts import no_interrupts
from judge.cli.page import Page
from judge.cli.readable import align_caret, fold, shorten, wrap
from judge.cli.state import State
from judge.cli.writing import write_atomically
from judge.junit import to_junit
from judge.texts import Text, visible
from judge.verdict import Explanation, Outcome, SourceLine, TestResult, Verdict, Visibility

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
PROSE = st.text(st.sampled_from("ab .,，。（）“”两倍张量\t\n　é😀"), max_size=80)


def result(outcome: Outcome, **fields: object) -> TestResult:
    title = Text("Title", "标题")
    given = {"name": "test_it", "visibility": Visibility.EXAMPLE, "title": title, **fields}
    return TestResult(outcome=outcome, **given)


def verdict(outcome: Outcome, *tests: TestResult, **fields: object) -> Verdict:
    found = Verdict(exercise="ch1/it", suite="all", verdict=outcome, tests=list(tests), **fields)
    found.status = outcome.status
    return found


# --- readable -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\rb\x00\x7f\x9b1m", r"a\rb\x00\x7f\x9b1m"),
        ("两倍 é 😀\u3000\xa0", "两倍 é 😀\u3000\xa0"),
        ("abc\u202ecba", r"abc\u202ecba"),
        ("\ud800", r"\ud800"),
        ("line\n\ttab", "line\n\ttab"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY_TEXT)
def test_what_is_visible_reaches_no_terminal_as_a_command(text: str) -> None:
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", visible(text)
    )


@given(PROSE, st.integers(10, 40))
def test_wrapped_text_fits_and_is_complete(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width for line in fold(text, width))


def test_chinese_is_wrapped_between_characters_and_not_before_punctuation() -> None:
    assert wrap("形状不对，应当是二维。", 10) == ["形状不对，", "应当是二", "维。"]
    assert wrap("用 serialize_type 写", 12) == ["用", "serialize_ty", "pe 写"]


def test_shorten() -> None:
    assert shorten("a\nb\n", 5, 100) == ("a\nb", 0)
    assert shorten("a\nb\nc", 2, 100) == ("a\nb", 1)
    assert shorten("a" * 50, 2, 10) == ("a" * 10, 1)
    assert shorten("a\n" * 500, 1000, 20)[1] > 480


def test_a_caret_stands_under_its_character() -> None:
    assert align_caret("Error\n两倍 +* 2\n    ^") == "Error\n两倍 +* 2\n      ^"
    assert align_caret("Error\n\tx +* 2\n\t   ^") == "Error\n\tx +* 2\n       ^"
    assert align_caret("no caret\nhere") == "no caret\nhere"
    assert align_caret("^") == "^"


def test_a_code_span_stays_together() -> None:
    assert wrap("call `f(a, b)`, then", 12) == ["call", "`f(a, b)`,", "then"]
    assert wrap("a `long span of code` b", 8, cut=False) == ["a", "`long span of code`", "b"]


def test_the_tier_in_both_languages() -> None:
    assert walls.isolation_words("tier 2 (a, b)") == Text("tier 2 (a, b)", "第 2 级（a、b）")
    assert walls.isolation_words("tier 4, unverified (no walls)").zh == "第 4 级，未经验证（没有隔离）"
    assert walls.isolation_words("unverified").zh == "unverified"


def test_every_outcome_has_words() -> None:
    assert set(words.OUTCOMES) == set(Outcome) and set(words.VISIBILITIES) == set(Visibility)


# --- failures -----------------------------------------------------------------------------------


def shown(*tests: TestResult) -> str:
    exercise = load_catalog(COURSE).exercise("ch1/double")
    page = Page(text_console(), "en")
    failures.show(page, Submission(exercise, "mine.py", b""), verdict(Outcome.WRONG, *tests))
    return page.console.file.getvalue()  # type: ignore[attr-defined]


def test_tests_that_fail_alike_are_told_together() -> None:
    text = shown(
        result(Outcome.WRONG, name="test_a", message="3 bytes are missing."),
        result(Outcome.WRONG, name="test_b[x]", message="5 bytes are missing."),
        result(Outcome.ERROR, name="test_c", message="Raised.", line=SourceLine(1, "a()")),
        result(Outcome.ERROR, name="test_d", message="Raised.", line=SourceLine(2, "b()")),
    )
    assert text.count("bytes are missing") == 1 and "and 1 more test: Title [x]" in text
    assert text.count("Raised.") == 2 and "mine.py:1\n      a()" in text and "mine.py:2\n" in text


def test_a_flood_of_failures_is_cut() -> None:
    text = shown(*(result(Outcome.WRONG, message=f"Reason {c}.") for c in "abcdefghij"))
    assert "Reason f." in text and "Reason g." not in text
    assert "4 more tests fail in other ways: Title ×4" in text


def test_a_hidden_test_s_case_is_not_shown() -> None:
    hidden = result(Outcome.WRONG, name="test_a[42]", visibility=Visibility.HIDDEN)
    assert "42" not in shown(hidden) and "[42]" in shown(result(Outcome.WRONG, name="test_a[42]"))


# --- JUnit --------------------------------------------------------------------------------------


@given(ANY_TEXT)
def test_junit_is_valid_whatever_a_learner_prints(text: str) -> None:
    test = result(Outcome.WRONG, message=text, output=text, expected=text, line=SourceLine(1, text))
    document = to_junit([verdict(Outcome.WRONG, test, explanations=[Explanation("w", text, text)])])
    case = ET.fromstring(document).find("testsuite/testcase")
    assert case is not None
    if text and text.isascii() and text.isprintable():
        assert case.findtext("system-out") == text
        assert case.find("failure").get("message") == text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("judged", "counts"),
    [
        (verdict(Outcome.PASSED, result(Outcome.PASSED)), "1 0 0"),
        (verdict(Outcome.WRONG, result(Outcome.WRONG)), "1 1 0"),
        (verdict(Outcome.TIMEOUT, result(Outcome.TIMEOUT), result(Outcome.PASSED)), "2 0 1"),
        (verdict(Outcome.ERROR, message="It does not load."), "1 0 1"),
        (verdict(Outcome.INTERNAL, result(Outcome.PASSED)), "2 0 1"),
    ],
)
def test_junit_counts(judged: Verdict, counts: str) -> None:
    suites = ET.fromstring(to_junit([judged, judged]))
    suite = suites[0]
    assert " ".join(suite.get(name, "") for name in ("tests", "failures", "errors")) == counts
    assert suites.get("tests") == str(2 * int(counts[0]))
    assert len(suite.findall("testcase")) == int(counts[0])


def test_junit_in_chinese() -> None:
    failed = result(Outcome.WRONG, message="No.", message_zh="不对。")
    document = to_junit([verdict(Outcome.WRONG, failed)], "zh").decode()
    assert "不对。" in document and "标题" in document and "No." not in document


def test_workflow_commands_stay_on_one_line() -> None:
    line = annotations.error("a,b:c%.py", 3, "first\r\nsecond: 100 %, really")
    assert line == "::error file=a%2Cb%3Ac%25.py,line=3::first%0D%0Asecond: 100 %25, really"


# --- files --------------------------------------------------------------------------------------


def test_writing(tmp_path: Path) -> None:
    target = tmp_path / "report"
    write_atomically(target, b"first")
    write_atomically(target, b"second")
    assert target.read_bytes() == b"second" and os.listdir(tmp_path) == ["report"]
    assert target.stat().st_mode & 0o777 == 0o666 & ~_umask()
    write_atomically(Path(os.devnull), b"nothing")
    assert not Path(os.devnull).is_file()
    with pytest.raises(OSError):
        write_atomically(tmp_path / "no" / "folder", b"")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_writing_to_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=write_atomically, args=(pipe, b"through"))
    thread.start()
    assert pipe.read_bytes() == b"through" and pipe.is_fifo()
    thread.join()


def test_a_state_remembers_that_all_tests_were_passed_once(tmp_path: Path) -> None:
    state = State(tmp_path / "practice" / ".state.json")
    state.keep(verdict(Outcome.PASSED, result(Outcome.PASSED)))
    state.keep(verdict(Outcome.WRONG, result(Outcome.WRONG)))
    state.keep(verdict(Outcome.INTERNAL))
    record = state.record("ch1/it")
    assert record.passed and record.verdict is Outcome.WRONG and record.tests == 1
    assert not state.record("ch1/other").passed


# --- Ctrl-C -------------------------------------------------------------------------------------


def test_ctrl_c_is_put_off_and_not_lost() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = False
    with pytest.raises(KeyboardInterrupt), no_interrupts():
        signal.raise_signal(signal.SIGINT)
        done = True
    assert done and signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_during_its_start_closes_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    class Judge:
        def __init__(self, **_: object) -> None:
            signal.raise_signal(signal.SIGINT)

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(warm, "Judge", Judge)
    with pytest.raises(KeyboardInterrupt):
        warm.WarmJudge()
    assert len(closed) == 1


# --- gradings -----------------------------------------------------------------------------------


def test_one_grading_s_trouble_is_its_own() -> None:
    exercise = load_catalog(COURSE).exercise("ch1/double")

    class WarmJudge:
        def grade(self, _: object, source: bytes, *__: object, **___: object) -> Verdict:
            if source == b"broken":
                raise RuntimeError("the engine has a fault")
            return verdict(Outcome.PASSED)

    submissions = [
        Submission(exercise, "a.py", b"good"),
        Submission(exercise, "b.py", b"broken"),
        Submission(exercise, "c.py", None, Text("It is a folder.", "它是目录。")),
        Submission(exercise, "d.py", b"good"),
    ]
    order: list[str] = []
    verdicts = grade_all(
        WarmJudge(),
        submissions,
        "all",
        7,
        lambda *_: None,
        lambda each, _: order.append(each.shown),  # type: ignore[arg-type]
    )
    assert [v.verdict.value for v in verdicts] == ["passed", "internal", "error", "passed"]
    assert "the engine has a fault" in (verdicts[1].message or "") and verdicts[1].blame == "judge"
    assert order == ["a.py", "b.py", "c.py", "d.py"]
