"""tools/steps.py: the real tree can be rebuilt, and what is missing or extra is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import steps

ROOT = Path(__file__).resolve().parent.parent

MANIFEST = """
[[step]]
name = "one"
new = ["reference/minisgl/__init__.py", "reference/minisgl/a.py"]
program = "from minisgl.a import A; print('first'); print(A)"
last_line = "1"

[[step]]
name = "two"
new = ["reference/minisgl/sub/__init__.py", "reference/minisgl/sub/b.py", "examples/main.py"]
run = "examples/main.py"
"""
FILES = {
    "reference/minisgl/__init__.py": "",
    "reference/minisgl/a.py": "A = 1\n",
    "reference/minisgl/sub/__init__.py": "from .b import B\n",
    "reference/minisgl/sub/b.py": "from ..a import A\nfrom minisgl import a\nB = A + a.A\n",
    "examples/main.py": (
        "import sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'reference'))\n"
        "import minisgl.sub\n"
        "assert minisgl.sub.B == 2\n"
    ),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree of two steps that can be rebuilt."""
    write(tmp_path, steps.MANIFEST, MANIFEST)
    for file, text in FILES.items():
        write(tmp_path, file, text)
    return tmp_path


def write(root: Path, file: str, text: str) -> None:
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text, encoding="utf-8")


def edit(root: Path, old: str, new: str, file: str = steps.MANIFEST) -> None:
    text = (root / file).read_text(encoding="utf-8")
    assert old in text
    write(root, file, text.replace(old, new))


def check(root: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = steps.main(["check"], root)
    return code, capsys.readouterr().out


def test_the_real_tree_can_be_rebuilt(capsys):
    code, out = check(ROOT, capsys)
    assert code == 0, out
    names = [step.name for step in steps.load(ROOT)]
    for number, name in enumerate(names, 1):
        assert f"step {number} of {len(names)}, {name}: ok (" in out
    assert out.endswith("every step can be rebuilt\n")


def test_a_small_tree_can_be_rebuilt(tree, capsys):
    assert check(tree, capsys)[0] == 0
    assert not list(tree.rglob("__pycache__")), "the tree itself is only read"


def test_a_file_that_is_not_on_disk_is_named(tree, capsys):
    (tree / "reference/minisgl/sub/b.py").unlink()
    code, out = check(tree, capsys)
    assert code == 1
    assert "step 1 of 2, one: ok" in out
    assert "step 2 of 2, two: FAILED" in out
    assert "missing file: reference/minisgl/sub/b.py is in the manifest but not on disk" in out


@pytest.mark.parametrize(
    "line",
    [
        "from minisgl.sub.b import B",
        "import minisgl.sub.b",
        "from minisgl.sub import b",
        "from .sub import b",
        "def late():\n    from .sub.b import B",
    ],
)
def test_an_import_of_a_later_step_is_named(tree, capsys, line):
    write(tree, "reference/minisgl/a.py", f"A = 1\n{line}\n")
    code, out = check(tree, capsys)
    assert code == 1
    assert "missing file: reference/minisgl/a.py, line " in out
    assert "imports minisgl.sub.b, which is in no step so far" in out


def test_an_import_in_a_program_and_of_a_module_that_exists_nowhere_is_named(tree, capsys):
    edit(tree, "from minisgl.a import A;", "import minisgl.nowhere;")
    code, out = check(tree, capsys)
    assert code == 1
    assert "missing file: its program, line 1, imports minisgl.nowhere" in out


@pytest.mark.parametrize("file", ["reference/minisgl/c.py", "reference/minisgl/sub/data.json"])
def test_an_extra_file_is_named(tree, capsys, file):
    write(tree, file, "")
    code, out = check(tree, capsys)
    assert code == 1
    assert f"extra file: {file} belongs to no step" in out


def test_a_step_sees_nothing_but_its_files(tree, capsys, monkeypatch):
    """A module that only PYTHONPATH or the whole tree offers does not help a step."""
    write(tree, "elsewhere/helper.py", "")
    monkeypatch.setenv("PYTHONPATH", str(tree / "elsewhere"))
    edit(tree, "from minisgl.a import A;", "from minisgl.a import A; import helper;")
    code, out = check(tree, capsys)
    assert code == 1
    assert "No module named 'helper'" in out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("raise SystemExit(3)", "ended with exit code 3"),
        ("1 / 0", "ZeroDivisionError"),
        ("print('other')", "should end with the line '1', but ends with 'other'"),
        ("pass", "should end with the line '1', but ends with ''"),
        ("1 +", "its program is no Python"),
    ],
)
def test_a_program_that_fails_is_reported(tree, capsys, text, complaint):
    edit(tree, "from minisgl.a import A; print('first'); print(A)", text)
    code, out = check(tree, capsys)
    assert code == 1
    assert "step 1 of 2, one: FAILED" in out
    assert complaint in out
    assert "step 2 of 2, two: ok" in out


def test_a_program_that_never_ends_is_ended(tree, capsys, monkeypatch):
    monkeypatch.setattr(steps, "LIMIT", 0.5)
    edit(tree, "from minisgl.a import A;", "import time; time.sleep(600);")
    code, out = check(tree, capsys)
    assert code == 1
    assert "its program still ran after 0.5 seconds" in out


def test_a_changed_file_has_its_earlier_text_in_earlier_steps(tree, capsys):
    changed = 'name = "two"\nchanged = ["reference/minisgl/a.py"]'
    edit(tree, 'name = "two"', changed)
    code, out = check(tree, capsys)
    assert code == 1
    assert "missing file: tools/steps/one/reference/minisgl/a.py" in out

    write(tree, "tools/steps/one/reference/minisgl/a.py", "A = 0\n")
    code, out = check(tree, capsys)
    assert "should end with the line '1', but ends with '0'" in out
    assert "step 2 of 2, two: ok" in out

    edit(tree, 'last_line = "1"', 'last_line = "0"')
    assert check(tree, capsys)[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[[step]]", "[[stap]]", "no [[step]] table"),
        ("[[step]]", "[[step", "cannot be read"),
        ('name = "one"', "", "step 1: the name is missing"),
        ('name = "one"', 'name = "../one"', "cannot be a folder's name"),
        ('name = "two"', 'name = "one"', "two steps are called one"),
        ('name = "one"', 'name = "one"\nnews = []', "step 1: the key news is unknown"),
        ('last_line = "1"', "last_line = 1", "step 1: last_line is a string"),
        ('last_line = "1"', 'run = "examples/main.py"', "either program or run"),
        ('run = "examples/main.py"', "", "either program or run"),
        ('run = "examples/main.py"', 'run = "examples/other.py"', "is in no step so far"),
        ('"examples/main.py"]', '"/etc/passwd"]', "paths inside the tree"),
        ('"examples/main.py"]', '"../main.py"]', "paths inside the tree"),
        ('"examples/main.py"]', "1]", "paths inside the tree"),
        ('"examples/main.py"]', '"examples/main.py", "examples/main.py"]', "names a file twice"),
        ('"examples/main.py"]', '"reference/minisgl/a.py"]', "a.py is not new"),
        ('name = "two"', 'name = "two"\nchanged = ["x.py"]', "x.py is in no earlier step"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_explained(tree, capsys, old, new, complaint):
    edit(tree, old, new)
    assert steps.main(["check"], tree) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ")
    assert complaint in captured.err
    assert captured.out == ""


def test_no_manifest_at_all(tmp_path, capsys):
    assert steps.main(["list"], tmp_path) == 2
    assert "tools/steps.toml cannot be read" in capsys.readouterr().err


def test_list_shows_steps_and_files(tree, capsys):
    assert steps.main(["list"], tree) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1. one",
        "   new      reference/minisgl/__init__.py",
        "   new      reference/minisgl/a.py",
        "2. two",
        "   new      reference/minisgl/sub/__init__.py",
        "   new      reference/minisgl/sub/b.py",
        "   new      examples/main.py",
    ]


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), ([], 2), (["chekc"], 2)])
def test_help_and_usage(capsys, arguments, code):
    with pytest.raises(SystemExit) as caught:
        steps.main(arguments)
    assert caught.value.code == code
    captured = capsys.readouterr()
    assert "check" in captured.out + captured.err
    assert "Exit codes: 0" in captured.out or code


def test_the_main_program_runs_from_anywhere_and_cleans_up(tmp_path):
    program = subprocess.Popen(
        [sys.executable, str(ROOT / "examples/ch12_message.py")],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with program:
        try:
            out, err = program.communicate(timeout=60)
        finally:
            program.kill()
    assert (program.returncode, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("encoder(): {'__type__': 'BatchBackendMsg', 'data': [{")
    assert lines[1:] == [
        "msgpack: 229 bytes",
        "uid: 7",
        "input_ids: tensor([9707,   11, 1879], dtype=torch.int32)",
        "sampling_params: SamplingParams(temperature=0.6, top_k=-1, top_p=1.0, "
        "ignore_eos=False, max_tokens=64)",
        "PULL received: [0, 1, 2]",
        "PULL is empty: True",
        "SUBs received: [7, 7]",
    ]
    assert list(Path("/tmp").glob(f"minisgl-{program.pid}-*")) == []
