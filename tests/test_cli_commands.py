"""The other commands: list, start, hint, solution, reset, check, doctor; language, wrong usage."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_course import (
    COURSE,
    PROJECT,
    RAISES,
    SOLUTION,
    Program,
    clean,
    copy_course,
    environment,
    one_judge,
    write,
)

from judge.cli import state, walls
from judge.cli.names import COMMANDS
from judge.cli.session import Session
from web.browser.build import ensure_runtime


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


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["--help"], ["-h"], ["ch1", "--help"], *([c, "--help"] for c in COMMANDS)]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_help(program: Program, words: list[str], language: str) -> None:
    code, out, err = program.run(*words, "--lang", language)
    assert code == 0 and err == ""
    assert out.startswith("Usage: judge.py" if language == "en" else "用法：judge.py")
    assert ("选项：" in out) is (language == "zh")


def test_nothing_is_wrong_usage_and_shows_the_help(program: Program) -> None:
    code, out, _ = program.run()
    assert code == 2 and all(command in out for command in COMMANDS if command != "judge")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lst"], "Did you mean list?"),
        (["ch1/dubble"], "Did you mean ch1/double?"),
        (["dubble"], "Did you mean ch1/double?"),
        (["xyzzy"], "judge.py list shows all there is."),
        (["hint", "ch1/dubble"], "Did you mean ch1/double?"),
        (["watch", "chl"], "Did you mean ch1?"),
        (["hint"], "TARGET is missing."),
        (["hint", "ch1"], "name one exercise: ch1/double, ch1/relay"),
        (["ch1", "--fomat", "json"], "Did you mean --format?"),
        (["ch1", "--format", "xml"], "--format must be one of: text, json, junit."),
        (["ch1", "--seed", "x"], "--seed must be a whole number from 0 to"),
        (["ch1", "--require-tier", "9", "--lang", "zh"], "--require-tier 只能是 1 到 4 的整数。"),
        (["ch1", "extra", "--lang", "zh"], "多余的参数：extra\n说明见：python practice/judge.py"),
        (["reset", "ch1/double", "--yes=1"], "--yes takes no value."),
        (["ch1/double", "--file", "nowhere.py"], "--file: there is no file nowhere.py."),
        (["ch1/double", "--file", ""], "--file: the name is empty."),
        (["ch1", "--output"], "--output: a value is missing."),
        (["ch1", "ch2"], "ch2"),
        (["ch1", "--lang", "fr"], "--lang must be one of: en, zh."),
        (["list", "--lang"], "--lang must be one of: en, zh."),
        ([""], "judge.py list shows all there is."),
    ],
)
def test_wrong_usage(program: Program, words: list[str], said: str) -> None:
    code, out, err = program.run(*words)
    assert code == 2 and out == "" and said in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("settings", "words", "chinese"),
    [
        ({"LANG": "zh_CN.UTF-8"}, [], True),
        ({"LANG": "en_US.UTF-8"}, [], False),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, [], True),
        ({"LANG": "zh_CN", "LC_ALL": "C"}, [], False),
        ({"LANG": "zh_CN", "LC_ALL": ""}, [], True),
        ({"LANG": "C"}, ["--lang", "zh"], True),
        ({"LANG": "zh_CN"}, ["--lang=en"], False),
    ],
)
def test_language(
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, str],
    words: list[str],
    chinese: bool,
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    for arranged in (["list", *words], [*words, "list"]):
        assert ("翻倍" in program.run(*arranged)[1]) is chinese
    assert ("这里没有" in program.run("nothing", *words)[2]) is chinese


def test_a_start_is_light() -> None:
    """Importing every module does without torch; the help and the list do without more."""
    program = (
        "import sys, pkgutil, importlib; from pathlib import Path; import judge.cli\n"
        "for words in (['--help'], ['list']): judge.cli.main(words, root=Path('tests/course'))\n"
        "assert not {'torch', 'numpy', 'pytest', 'zmq'} & set(sys.modules)\n"
        "for module in pkgutil.walk_packages(judge.cli.__path__, 'judge.cli.'):\n"
        "    importlib.import_module(module.name)\n"
        "assert 'torch' not in sys.modules\n"
    )
    command = [sys.executable, "-c", program]
    subprocess.run(command, cwd=PROJECT, env=environment(), check=True, stdout=subprocess.DEVNULL)


# --- list and the state -------------------------------------------------------------------------


def test_list_shows_how_far_one_is(program: Program) -> None:
    def states() -> list[str]:
        lines = program.run("list")[1].splitlines()
        return [re.split(r"[★☆]{5}  ", line)[1] for line in lines if "★" in line]

    assert states() == ["not started yet", "not started yet"]
    program.run("start", "ch1")
    assert states() == ["not started yet", "not started yet"]
    write(program.root, "ch1/double", RAISES)
    assert states()[0] == "started"
    program.run("ch1/double")
    assert states() == ["error 1/9", "not started yet"]
    write(program.root, "ch1/double", SOLUTION)
    program.run("ch1/double")
    assert states()[0] == "passed"
    write(program.root, "ch1/double", RAISES)
    program.run("ch1/double")
    assert states()[0] == "passed before; now error 1/9"
    program.run("reset", "ch1/double", "--yes")
    assert states()[0] == "passed before; the file is the stub again"


def test_list_shows_the_progress_of_a_chapter(program: Program) -> None:
    def head() -> str:
        return program.run("list")[1].splitlines()[0]

    assert head().endswith("0 of 2 passed")
    write(program.root, "ch1/double", SOLUTION)
    program.run("ch1/double")
    assert "1 of 2 passed" in head() and head().count("█") == head().count("░") == 1
    write(program.root, "ch1/double", RAISES)
    program.run("ch1/double")
    assert "1 of 2 passed" in head()


def test_next_goes_on_where_one_stopped(program: Program) -> None:
    assert "ch1/double" in program.run("next")[1]
    assert (program.root / "practice/ch1/double.py").exists()
    # What is begun comes before what is not, and the last touched before the others.
    relay, double = (
        write(program.root, "ch1/relay", RAISES),
        write(program.root, "ch1/double", RAISES),
    )
    os.utime(double, (1, 1))
    assert program.run("next")[1].startswith("ch1/relay  ")
    os.utime(relay, (0, 0))
    assert program.run("next")[1].startswith("ch1/double  ")
    # What has passed is not where one stopped.
    write(program.root, "ch1/double", SOLUTION)
    program.run("ch1/double")
    code, out, _ = program.run("next", "--print")
    assert code == 0 and out.startswith("ch1/relay  ")
    write(program.root, "ch1/relay", (COURSE / "reference/solutions/ch1/relay.py").read_text())
    program.run("ch1/relay")
    assert program.run("next", "--lang", "zh")[:2] == (0, "全部通过，所有练习都做完了，恭喜！\n")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version": 9}', b"\xff", b"[" * 100_000])
def test_a_damaged_state_counts_as_empty_and_is_kept_aside(program: Program, damage: bytes) -> None:
    path = program.root / "practice/.state.json"
    path.parent.mkdir()
    path.write_bytes(damage)
    assert "not started yet" in program.run("list")[1]
    code, _, err = program.run("hint", "ch1/double")
    assert code == 0
    assert json.loads(path.read_bytes())["exercises"]["ch1/double"]["hints"] == 1
    aside = path.with_name(".state.json.damaged")
    if damage:
        assert aside.read_bytes() == damage and aside.name in err
    else:  # nothing to keep
        assert not aside.exists() and err == ""
    assert program.run("hint", "ch1/double")[2] == ""


def test_one_damaged_record_costs_no_other(program: Program) -> None:
    path = program.root / "practice/.state.json"
    path.parent.mkdir()
    records = {"ch1/double": {"passed": True}, "ch1/relay": {"verdict": "amazing"}}
    for n in ("", "1"):
        path.write_text(json.dumps({"version": 1, "exercises": records}))
        assert "1 of 2 passed" in program.run("list")[1]
        assert f".state.json.damaged{n}" in program.run("hint", "ch1/relay")[2]
        assert "1 of 2 passed" in program.run("list")[1]
        assert json.loads(path.with_name(f".state.json.damaged{n}").read_text())["exercises"] == records


def test_progress_that_cannot_be_kept_is_told(program: Program) -> None:
    write(program.root, "ch1/double", SOLUTION)
    (program.root / "practice/.state.json").mkdir()
    code, out, err = program.run("ch1/double")
    assert code == 0 and "practice/.state.json cannot be written" in err


def test_next_is_what_one_is_ready_for(program: Program) -> None:
    for name, order, needed in (("third", 3, "[]"), ("fourth", 4, '["relay"]')):
        folder = program.root / "exercises/ch1" / name
        shutil.copytree(program.root / "exercises/ch1/double", folder)
        text = (folder / "exercise.toml").read_text("utf-8").replace("order = 1", f"order = {order}")
        text = text.replace("prerequisites = []", f"prerequisites = {needed}")
        (folder / "exercise.toml").write_text(text, "utf-8")
        (program.root / f"reference/solutions/ch1/{name}.py").write_text(SOLUTION, "utf-8")
    path = program.root / "practice/.state.json"
    path.parent.mkdir()

    def next_after(*passed: str) -> str:
        records = {f"ch1/{name}": {"passed": True} for name in passed}
        path.write_text(json.dumps({"version": 1, "exercises": records}))
        return program.run("next", "--print")[1].split()[0]

    assert next_after("double") == "ch1/relay"
    assert next_after("third") == "ch1/double"  # the fourth needs the relay
    assert next_after("relay", "third") == "ch1/fourth"
    assert next_after("relay", "third", "fourth") == "ch1/double"


# --- start, hint, solution, reset ---------------------------------------------------------------


def test_start(program: Program) -> None:
    code, out, _ = program.run("start", "ch1/double")
    path = program.root / "practice/ch1/double.py"
    assert code == 0 and path.read_text("utf-8").startswith('"""Double a value."""')
    assert "practice/ch1/double.py is new" in out and "Write `double(value)`" in out
    assert "exercises/ch1/double/statement.en.md" in out
    assert "Then: python practice/judge.py ch1/double" in out
    path.write_text("mine")
    code, out, _ = program.run("start", "ch1", "--lang", "zh")
    assert code == 0 and path.read_text() == "mine"
    assert "practice/ch1/double.py 已经存在" in out and "已创建 practice/ch1/relay.py" in out


def test_start_prints_the_whole_statement(program: Program) -> None:
    statement = program.root / "exercises/ch1/double/statement.en.md"
    statement.write_text("# Twice\n\n" + "".join(f"Line {n}.\n" for n in range(30)), "utf-8")
    assert "Line 29." in program.run("start", "ch1/double", "--print")[1]
    assert "Line 29." not in program.run("start", "ch1/double")[1]


def test_a_statement_is_wrapped_but_neither_code_nor_tables(program: Program) -> None:
    code = "```\n" + "code " * 40 + "\n" + "more\n" * 9 + "```\n"
    table = "| a | b |\n|---|---|\n| " + "cell " * 40 + "| |\n"
    prose = "字" * 49 + "，" + "`a b c`、" * 40 + "。\n\n- " + "word " * 40 + "\n"
    statement = program.root / "exercises/ch1/double/statement.zh.md"
    statement.write_text(f"# T\n\n{code}\n{table}\n{prose}", "utf-8")
    beginning = program.run("start", "ch1/double", "--lang", "zh")[1]
    assert code.replace(" \n", "\n") in beginning and "cell" not in beginning
    assert "start ch1/double --print" in beginning
    whole = program.run("start", "ch1/double", "--lang", "zh", "--print")[1]
    assert code.replace(" \n", "\n") in whole and table in whole
    assert whole.count("`a b c`、") == 40 and whole.count("word") == 40
    lines = whole[whole.index("字") :].splitlines()
    assert not [line for line in lines if line.startswith(("，", "、", "。"))]
    assert [line[:6] for line in lines if "word" in line] == ["- word", "  word", "  word"]


def test_hints_come_one_by_one(program: Program) -> None:
    settings = program.root / "exercises/ch1/double/exercise.toml"
    more = '[[hints]]\nen = "Strings double too."\nzh = "字符串也能翻倍。"\n'
    settings.write_text(settings.read_text("utf-8") + more, "utf-8")
    first, second, third = (program.run("hint", "ch1/double")[1] for _ in range(3))
    assert "Hint 1 of 2" in first and "itself doubles it" in first and "Strings" not in first
    assert "Hint 2 of 2" in second and "itself doubles it" not in second
    assert (
        "There are no more hints" in third and "itself doubles it" in third and "Strings" in third
    )
    assert "提示 2/2" in program.run("hint", "ch1/double", "--lang", "zh")[1]


def test_hints_are_all_shown_where_none_can_be_counted(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(state, "write_atomically", refuse)
    code, out, err = program.run("hint", "ch1/relay")
    assert code == 0 and "Hint 1 of 1" in out and "cannot be kept" in err


def answer(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setattr(Session, "can_ask", True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(said))


def test_the_solution_is_not_shown_unasked(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = program.run("solution", "ch1/double")
    assert code == 2 and out == "" and "--yes" in err
    assert program.run("solution", "ch1/double", "--yes") == (0, SOLUTION, "")
    answer(monkeypatch, "n\n")
    code, out, err = program.run("solution", "ch1/double")
    assert code == 0 and out == "" and "Show the solution all the same? [y/N]" in err
    answer(monkeypatch, "y\n")
    assert program.run("solution", "ch1/double")[1] == SOLUTION


def test_the_solution_is_free_for_who_passed(program: Program) -> None:
    write(program.root, "ch1/double", SOLUTION)
    program.run("ch1/double", "--suite", "example")
    assert program.run("solution", "ch1/double")[0] == 2
    program.run("ch1/double")
    assert program.run("solution", "ch1/double") == (0, SOLUTION, "")


def test_reset_keeps_what_was_written(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(program.root, "ch1/double", "first")
    assert program.run("reset", "ch1/double")[0] == 2 and path.read_text() == "first"
    answer(monkeypatch, "\n")
    assert program.run("reset", "ch1/double")[0] == 0 and path.read_text() == "first"
    kept = []
    for text in ("first", "second"):
        path.write_text(text)
        code, out, _ = program.run("reset", "ch1/double", "--yes")
        found = re.search(r"Your file is now (\S+)", out)
        assert code == 0 and found and re.search(r"double\.py\.\d{8}-\d{6}(-\d+)?$", found[1])
        kept.append(program.root.joinpath(found[1]).read_text())
        assert "def double" in path.read_text()
    assert kept == ["first", "second"] and len(list(path.parent.iterdir())) == 3
    assert "nothing to do" in program.run("reset", "ch1/double")[1]
    assert "not an exercise" not in program.run("ch1/double")[2]  # a backup is no stray


def test_reset_of_a_folder_and_of_a_dangling_link(program: Program) -> None:
    path = write(program.root, "ch1/double", "")
    path.unlink()
    path.symlink_to("nowhere")
    assert program.run("reset", "ch1/double", "--yes")[0] == 0 and path.is_file()
    path.unlink()
    path.mkdir()
    code, _, err = program.run("reset", "ch1/double", "--yes")
    assert code == 1 and "is a folder" in err and path.is_dir()


# --- check and doctor ---------------------------------------------------------------------------


def test_check(program: Program) -> None:
    ensure_runtime()  # on a machine that has not built it yet, check would tell of that
    code, out, err = program.run("check")
    assert code == 0 and err == "" and "6 of 6 as declared." in out
    assert re.search(r"^✓ ch1/relay   wrong      no_count   +\d+ ms  ok$", out, re.MULTILINE)


def test_check_finds_what_is_not_as_declared(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = program.root / "exercises/ch1/double/wrong/no_refusal.py"
    text = wrong.read_text("utf-8")
    wrong.write_text(
        text.replace('["test_refuses_none"]', '["test_refuses_none", "test_point"]'), "utf-8"
    )
    code, out, err = program.run("check", "ch1/double", "--no-page")
    assert (
        code == 1 and "should fail test_point, which passes" in out and "::error" not in out + err
    )
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, err = program.run("check", "ch1/double", "--no-page", "--format", "json")
    assert code == 1 and [row["ok"] for row in json.loads(out)] == [True, True, False]
    place = "::error file=exercises/ch1/double/wrong/no_refusal.py,line=1::"
    assert place + "wrong no_refusal: should fail test_point, which passes\n" in err


def test_check_of_mutants(program: Program) -> None:
    code, out, _ = program.run("check", "ch1/double", "--mutants", "4")
    caught = re.search(r"^✓ ch1/double  4 of 4 caught, 100.0 %$", out, re.MULTILINE)
    assert code == 0 and caught and "1 of 1 exercises catch at least 95 %" in out
    code, out, _ = program.run("check", "ch1/double", "--mutants=2", "--format", "json")
    (row,) = json.loads(out)
    assert (code, row["kind"], row["caught"], row["survivors"]) == (0, "mutants", 2, [])
    assert program.run("check", "--mutants", "none")[0] == 2
    listed = program.root / "reference/solutions/ch1/double.equivalent.toml"
    listed.write_text('[[equivalent]]\nline = "a"\nmutant = "b"\nreason = "c"\n')
    code, _, err = program.run("check", "ch1/double", "--mutants")
    assert code == 1 and "no mutant turns 'a' into 'b'" in err


def test_check_of_a_broken_catalogue(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    program.root.joinpath("exercises/ch1/double/stub.py").unlink()
    code, out, err = program.run("check", "--format", "json")
    assert code == 1 and json.loads(out)[0]["kind"] == "catalog"
    assert re.search(
        r"^::error file=exercises/ch1/double/stub\.py,line=1::missing", err, re.MULTILINE
    )


def test_check_of_an_unknown_target(program: Program) -> None:
    assert program.run("check", "ch1/dubble")[0] == 2


def test_bench(program: Program) -> None:
    words = ("bench", "ch1/double", "--warm", "1", "--fresh", "1", "--format", "json")
    code, out, err = program.run(*words, "--lang", "zh")
    assert code == 0 and err.startswith("测量中：ch1/double：评测 1 次") and "内存与往返时间" in err
    costs = json.loads(out)
    (row,) = costs["exercises"]
    assert (row["exercise"], row["tests"]) == ("ch1/double", 6)
    assert row["ratio"] > 1 and row["stub_ms"] > 0 and costs["isolation"].startswith("tier ")


def test_doctor(program: Program) -> None:
    code, out, _ = program.run("doctor")
    assert code == 0 and "ch1/double: passed" in out and "Judging works here." in out
    assert "Python" in out and "isolation" in out and "UTF-8" in out.upper()


def test_doctor_says_what_to_do(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = program.root / "reference/solutions/ch1/double.py"
    solution.write_text("def double(value):\n    return 0\n", "utf-8")
    for name in ("pyproject.toml", "constraints.txt"):
        program.root.joinpath(name).write_bytes(PROJECT.joinpath(name).read_bytes())
    constraints = program.root / "constraints.txt"
    constraints.write_text(
        re.sub("^click==.*", "click==0.1", constraints.read_text(), flags=re.MULTILINE)
    )
    code, out, _ = program.run("doctor", "--lang", "zh")
    assert code == 3 and "这台机器还不能评测" in out
    assert "课程用 0.1 检查过" in out and "torch" in out


def test_doctor_names_the_walls_that_are_missing() -> None:
    problems = {"seccomp": None, "landlock": None, "bubblewrap": "not installed", "cgroups": "no"}
    found = list(walls.findings(3, "tier 3 (landlock, seccomp)", problems))
    assert [finding.subject.en for finding in found] == ["isolation", "bubblewrap", "cgroups"]
    assert [finding.level for finding in found] == ["good", "note", "note"]
    assert (
        found[1].value == "not installed"
        and "install the package" in (found[1].mend or found[0].subject).en
    )


def test_doctor_of_a_broken_catalogue(program: Program) -> None:
    program.root.joinpath("exercises/ch1/double/stub.py").unlink()
    code, out, _ = program.run("doctor")
    assert code == 3 and "exercises/ch1/double/stub.py" in out
