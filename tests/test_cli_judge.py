"""Judging from the command line, with the real engine: reports, formats, exit codes, files."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_course import (
    LISTS,
    RAISES,
    SOLUTION,
    Program,
    add_chapter,
    clean,
    copy_course,
    one_judge,
    write,
)

from judge.cli import main
from judge.cli.session import Session
from judge.verdict import Outcome, from_json

GOLDEN = Path(__file__).parent / "golden" / "cli"


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    with one_judge():
        yield


@pytest.fixture
def program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Program:
    clean(monkeypatch, copy_course(tmp_path))
    return Program(tmp_path, capsys)


@pytest.fixture
def chapter(program: Program) -> Program:
    add_chapter(program.root)
    return program


def assert_golden(name: str, text: str) -> None:
    """Compare with a golden file; UPDATE_GOLDEN=1 writes it instead, to be read in the diff."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def without_times(text: str) -> str:
    return re.sub(r" *\d+\.\d s\b", "   0.0 s", text)


def shape(value: object, path: str = "") -> Iterator[str]:
    """Every key of a JSON value with the types found there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from shape(inner, f"{path}.{key}")
    elif isinstance(value, list):
        yield f"{path}[]"
        for inner in value:
            yield from shape(inner, f"{path}[]")
    else:
        yield f"{path}: {type(value).__name__}"


# --- reports ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_text_report(chapter: Program, language: str) -> None:
    code, out, err = chapter.run("ch2", "--seed", "7", "--lang", language)
    assert code == 1 and err == ""
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 100
    assert_golden(f"report.{language}.txt", without_times(out))


def test_json_of_a_chapter_is_an_array_and_nothing_else(chapter: Program) -> None:
    code, out, err = chapter.run("ch2", "--format", "json", "--seed", "7")
    verdicts = json.loads(out)
    assert code == 1 and [v["exercise"] for v in verdicts] == [
        "ch2/good", "ch2/refusal", "ch2/lists", "ch2/raises", "ch2/syntax", "ch2/untouched",
    ]  # fmt: skip
    assert [v["verdict"] for v in verdicts] == [
        "passed", "wrong", "wrong", "error", "error", "error"
    ]  # fmt: skip
    assert verdicts[1]["explanations"][0]["wrong"] == "no_refusal"
    assert {v["seed"] for v in verdicts} == {7}
    assert "1 of 6 exercises passed." in err
    keys = "\n".join(sorted(set(shape(verdicts))))
    assert_golden("json-keys.txt", keys + "\n")


def test_json_of_an_exercise_is_one_verdict(program: Program) -> None:
    write(program.root, "ch1/double", SOLUTION)
    code, out, err = program.run("ch1/double", "--format=json")
    assert code == 0 and from_json(out.encode()).verdict is Outcome.PASSED
    assert "All passed. Next is Pass it on: python practice/judge.py start ch1/relay" in err


def test_junit(chapter: Program) -> None:
    code, out, _ = chapter.run("ch2", "--format", "junit", "--seed", "7")
    suites = {suite.get("name"): suite for suite in ET.fromstring(out.encode())}
    assert code == 1 and len(suites) == 6
    counts = {
        name: (s.get("tests"), s.get("failures"), s.get("errors")) for name, s in suites.items()
    }
    assert counts["ch2/good"] == ("9", "0", "0")
    assert counts["ch2/refusal"] == ("9", "1", "0")
    assert counts["ch2/syntax"] == ("1", "0", "1")
    properties = {p.get("name"): p.get("value") for p in suites["ch2/good"].iter("property")}
    assert properties["seed"] == "7" and properties["isolation"]
    case = suites["ch2/lists"].find("testcase")
    assert case is not None and case.get("classname") == "ch2/lists"
    assert re.fullmatch(r"\d+\.\d{3}", case.get("time", ""))
    assert "\\x1b[31m[red]not a colour" in case.findtext("system-out", "")
    assert "expected:\n8" in case.findtext("failure", "")
    assert "None passes through" in suites["ch2/refusal"].findtext("system-out", "")


def test_output_holds_the_report_and_standard_error_the_summary(chapter: Program) -> None:
    code, out, err = chapter.run("ch2", "--seed", "7", "--output", "report.txt")
    report = chapter.root.joinpath("report.txt").read_text("utf-8")
    assert code == 1 and out == ""
    assert without_times(report) == GOLDEN.joinpath("report.en.txt").read_text("utf-8")
    assert "1 of 6 exercises passed." in err and "ZeroDivisionError" not in err
    assert not list(chapter.root.glob(".report*"))


def test_output_in_json(program: Program) -> None:
    write(program.root, "ch1/double", SOLUTION)
    target = program.root / "real.json"
    target.write_text("old")
    program.root.joinpath("link.json").symlink_to(target)
    code, out, _ = program.run("ch1/double", "--format", "json", "--output", "link.json")
    assert code == 0 and out == ""
    assert from_json(target.read_bytes()).passed and program.root.joinpath("link.json").is_symlink()


def test_output_nowhere_is_wrong_usage(program: Program) -> None:
    code, out, err = program.run("ch1", "--output", "no/such/folder.txt")
    assert code == 2 and out == "" and "--output: no/such/folder.txt cannot be written." in err


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("setting", ["", "1"])
def test_colours_on_a_terminal_unless_they_are_unwanted(
    program: Program, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", setting)
    write(program.root, "ch1/double", LISTS)
    stream = Terminal(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["ch1/double"], root=program.root) == 1
    stream.flush()
    printed = stream.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert "\\x1b[31m[red]not a colour[/red]" in printed  # what the learner printed stays text
    assert ("\x1b[" in printed) is (setting == "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_no_encoding_crashes(
    program: Program, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    write(
        program.root,
        "ch1/double",
        'def double(value):\n    print("é 两倍 \\ud800", flush=True)\n    return 0\n',
    )
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["ch1/double", "--lang", "zh"], root=program.root) == 1
    stream.flush()
    printed = stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert printed.startswith("x ") and "ch1/double" in printed
    assert ("翻倍" in printed) is (encoding == "gbk")


# --- which tests, which file --------------------------------------------------------------------


def test_suite_and_next_step(program: Program) -> None:
    write(program.root, "ch1/double", SOLUTION)
    code, out, _ = program.run("ch1/double", "--suite", "example")
    assert code == 0 and " 2/2 " in out
    assert out.rstrip().endswith("Next: all tests, with python practice/judge.py ch1/double")
    _, out, _ = program.run("list")
    assert "started 2/2" in out


def test_another_file(program: Program) -> None:
    write(program.root, "elsewhere/mine", RAISES)
    code, out, _ = program.run("ch1/double", "--file", "practice/elsewhere/mine.py")
    assert code == 1 and "practice/elsewhere/mine.py:2\n" in out
    assert not program.root.joinpath("practice/ch1").exists()
    assert (
        "not started yet" in program.run("list")[1]
    )  # the verdict is not on the learner's own file


def test_a_folder_as_another_file_is_a_verdict(program: Program) -> None:
    code, out, _ = program.run("ch1/double", "--file", "exercises", "--format", "json")
    verdict = from_json(out.encode())
    assert code == 1 and verdict.verdict is Outcome.ERROR
    assert verdict.message == "exercises is a folder, not a file."


def test_another_file_for_a_chapter_is_wrong_usage(program: Program) -> None:
    code, _, err = program.run("ch1", "--file", "mine.py")
    assert code == 2 and "ch1/double, ch1/relay" in err


def test_paths_lead_from_the_current_folder(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(program.root, "ch1/double", RAISES)
    monkeypatch.chdir(program.root / "practice")
    assert "  ch1/double.py:2\n" in program.run("ch1/double.py")[1].replace("    ch1", "  ch1")
    monkeypatch.chdir("/")
    assert f"{path}:2\n".lstrip("/") in program.run("ch1/double")[1]


# --- the learner's files ------------------------------------------------------------------------


def test_stubs_are_copied_and_files_are_never_overwritten(program: Program) -> None:
    path = write(program.root, "ch1/double", SOLUTION)
    code, out, _ = program.run("ch1")
    assert code == 1 and path.read_text("utf-8") == SOLUTION
    copied = program.root / "practice/ch1/relay.py"
    assert copied.read_text("utf-8") == (program.root / "exercises/ch1/relay/stub.py").read_text(
        "utf-8"
    )
    assert re.search("ch1/relay +not started yet", out) and "NotImplementedError" not in out
    assert "Next: python practice/judge.py start ch1/relay" in out
    code, out, _ = program.run("ch1/relay")
    assert code == 1 and "not started yet: edit practice/ch1/relay.py\n" in out
    assert "NotImplementedError" not in out and " start " not in out
    assert "Next: write your code in practice/ch1/relay.py, then python practice/judge.py" in out


def test_what_stands_in_the_way_is_that_exercise_s_own_trouble(chapter: Program) -> None:
    folder = chapter.root / "practice/ch2"
    folder.joinpath("good.py").unlink()
    folder.joinpath("good.py").mkdir()
    folder.joinpath("lists.py").unlink()
    folder.joinpath("lists.py").symlink_to("nowhere.py")
    folder.joinpath("raises.py").write_text(SOLUTION, "utf-8")
    code, out, _ = chapter.run("ch2")
    assert code == 1 and " 9/9 " in out
    assert "practice/ch2/good.py is a folder; the judge needs a file there." in out
    assert "practice/ch2/lists.py is a link to a file that does not exist." in out
    assert folder.joinpath("lists.py").is_symlink() and not folder.joinpath("nowhere.py").exists()


def test_a_chapter_s_folder_that_is_a_file(program: Program) -> None:
    program.root.joinpath("practice").mkdir()
    program.root.joinpath("practice/ch1").write_text("mine")
    code, out, _ = program.run("ch1")
    assert (
        code == 1
        and "practice/ch1/double.py cannot be made: a folder of its path is a file." in out
    )


def test_strays_are_named_and_not_used(program: Program) -> None:
    write(program.root, "ch1/double", "import torch\n" + SOLUTION)
    write(program.root, "ch1/torch", "raise SystemExit('the wrong torch')")
    write(program.root, "ch1/conftest", "raise SystemExit('the wrong conftest')")
    code, _, err = program.run("ch1/double")
    assert code == 0
    assert "practice/ch1/torch.py is not an exercise; the judge does not use it.\n" in err
    assert "practice/ch1/conftest.py is not an exercise" in err
    assert "not an exercise" not in program.run("ch1/double", "--format", "json")[2]


# --- the judge's own fault ----------------------------------------------------------------------


def test_broken_tests_are_nobody_s_failure_but_the_author_s(program: Program) -> None:
    tests = program.root / "exercises/ch1/double/test_hidden.py"
    tests.write_text("import no_such_module\n" + tests.read_text("utf-8"), "utf-8")
    write(program.root, "ch1/double", SOLUTION)
    write(
        program.root,
        "ch1/relay",
        program.root.joinpath("reference/solutions/ch1/relay.py").read_text("utf-8"),
    )
    code, out, _ = program.run("ch1")
    assert code == 3 and " 3/3 " in out
    assert "no_such_module" in out and "tell the exercise's author" in out


def test_a_broken_catalogue_says_everything(program: Program) -> None:
    for name in ("double", "relay"):
        program.root.joinpath(f"exercises/ch1/{name}/stub.py").unlink()
    for words in (["ch1"], ["list"], ["hint", "ch1/double"]):
        code, out, err = program.run(*words)
        assert code == 3 and out == ""
        assert "ch1/double/stub.py" in err and "ch1/relay/stub.py" in err


def test_an_error_of_the_command_line_is_no_failed_test(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Session, "select", lambda *_: 1 / 0)
    code, _, err = program.run("ch1")
    assert code == 3 and "not your code" in err and "ZeroDivisionError" in err


def test_a_chapter_without_exercises_passes_nothing(program: Program) -> None:
    chapter = program.root / "exercises/ch3"
    chapter.mkdir()
    chapter.joinpath("chapter.toml").write_text(
        'order = 3\n[title]\nen = "Soon"\nzh = "即将"\n', "utf-8"
    )
    assert program.run("ch3")[0] == 2
