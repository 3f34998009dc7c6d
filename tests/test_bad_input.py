"""Every odd submission gets the verdict it must get, and the next one is judged as if nothing had been.

The submissions are files in tests/submissions; each says in its head what it must get.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from judge.catalog import load_catalog
from judge.grade import MAX_SOURCE_BYTES, Judge, SourceProblem, read_submission
from judge.verdict import Blame, Outcome, Status

HERE = Path(__file__).parent
FILES = sorted((HERE / "submissions").glob("*.py"))


@pytest.fixture(scope="module")
def course():
    return load_catalog(HERE / "course")


@pytest.fixture(scope="module")
def judge():
    with Judge() as judge:
        yield judge


def expectation(source: str) -> dict:
    block = re.match(r"# /// expect\n(.*?)# ///\n", source, re.DOTALL)
    return tomllib.loads(re.sub(r"^# ?", "", block[1], flags=re.MULTILINE))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_verdict_fits_the_submission(path, judge, course):
    exercise = course.exercise("ch1/double")
    source = path.read_text()
    want = expectation(source)
    verdict = judge.grade(exercise, source, seed=5)
    assert verdict.verdict in want["verdicts"], (verdict.verdict, verdict.message)
    passed = verdict.verdict is Outcome.PASSED
    assert verdict.blame is (None if passed else Blame.LEARNER)
    assert (verdict.status is Status.PASS) == passed
    if "message" in want:
        assert re.search(want["message"], verdict.message, re.DOTALL), verdict.message
        assert verdict.message_zh and verdict.message_zh != verdict.message
    if "line" in want:
        line = verdict.line or next(t.line for t in verdict.tests if t.outcome is verdict.verdict)
        assert line.text.strip() == want["line"]
        assert source.splitlines()[line.number - 1].strip() == want["line"]
    if want.get("tests") == 0:
        assert verdict.tests == [] and verdict.status is Status.ERROR
    else:
        assert len(verdict.tests) == 9
    if want.get("failed") == "all":
        assert not [
            t.name
            for t in verdict.tests
            if t.outcome is Outcome.PASSED and t.name != "test_refuses_none"
        ]
    elif "failed" in want:
        assert verdict.failed_functions == set(want["failed"])
    if "message_of_test" in want:
        assert re.search(want["message_of_test"], verdict.tests[0].message), verdict.tests[
            0
        ].message
    if "output" in want:
        assert re.search(want["output"], verdict.tests[0].output), verdict.tests[0].output
    assert verdict.truncated == want.get("truncated", False) or verdict.verdict is Outcome.OUTPUT
    after = judge.grade(exercise, exercise.solution, seed=5)
    assert after.verdict is Outcome.PASSED, after.message


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (b"", "empty"),
        (b"  \n\t\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"x = 1\ny = '\xff'\n", "line 2 has the byte 0xff"),
        ("double = 1\n".encode("utf-16"), "UTF-8"),
        (b"x = 1\n\0\n", "Line 2 holds a NUL"),
        (b"#" * (MAX_SOURCE_BYTES + 1), "larger than 256 KiB"),
        ("\ud800", "UTF-8"),
    ],
    ids=["empty", "blank", "mark", "latin", "utf-16", "nul", "large", "surrogate"],
)
def test_what_is_no_python_text_is_refused_before_it_runs(source, word, judge, course):
    verdict = judge.grade(course.exercise("ch1/double"), source)
    assert (verdict.verdict, verdict.status, verdict.blame) == ("error", "error", "learner")
    assert word in verdict.message and verdict.message_zh
    assert verdict.tests == []


def test_a_file_at_the_limit_with_mark_and_windows_lines_is_judged(judge, course):
    exercise = course.exercise("ch1/double")
    source = b"\xef\xbb\xbf" + exercise.solution.replace("\n", "\r\n").encode()
    source += b"#" * (MAX_SOURCE_BYTES - len(source))
    assert judge.grade(exercise, source).verdict is Outcome.PASSED


def test_a_coding_line_does_not_change_how_the_file_is_read(judge, course):
    exercise = course.exercise("ch1/double")
    source = "# -*- coding: latin-1 -*-\n# 中文\n" + exercise.solution
    assert judge.grade(exercise, source).verdict is Outcome.PASSED


def test_files_that_cannot_be_read_say_why(tmp_path):
    with pytest.raises(SourceProblem, match="no file"):
        read_submission(tmp_path / "none.py")
    with pytest.raises(SourceProblem, match="folder"):
        read_submission(tmp_path)
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    with pytest.raises(SourceProblem, match="cannot be read"):
        read_submission(tmp_path / "loop.py")
    with pytest.raises(SourceProblem):
        read_submission(Path("nul\0.py"))
    assert len(read_submission(Path("/dev/zero"))) == MAX_SOURCE_BYTES + 1


@pytest.mark.parametrize("name", ["torch.py", "zmq.py", "conftest.py", "judge.py"])
def test_the_name_of_the_file_means_nothing(name, tmp_path, judge, course):
    exercise = course.exercise("ch1/double")
    (tmp_path / name).write_text(exercise.solution)
    source = read_submission(tmp_path / name)
    assert judge.grade(exercise, source).verdict is Outcome.PASSED
