"""The catalogue: a valid tree loads; each way to break it is told once, with place and mend."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from catalog_parts import (
    EXAMPLES,
    WRONG,
    add_exercise,
    complaints,
    make_root,
    replace,
    write,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.catalog import (
    CatalogError,
    Exercise,
    Limits,
    UnknownTarget,
    load_catalog,
    support_sources,
)
from judge.texts import Text
from judge.verdict import Visibility


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path)


def test_a_valid_tree(root: Path) -> None:
    catalog = load_catalog(root)
    chapter = catalog.chapter("ch12")
    assert (chapter.title, chapter.order) == (Text("Messages", "消息"), 12)
    assert [exercise.id for exercise in chapter.exercises] == ["ch12/nd-tensor", "ch12/queue"]
    exercise = catalog.exercise("ch12/nd-tensor")
    assert exercise.limits == Limits(5.0, 30.0, 1024)
    assert exercise.statement == Text("# Do it\n", "# 做吧\n")
    assert exercise.solution == "def pack(value):\n    return value\n"
    shown, secret = exercise.tests
    assert (shown.name, shown.order, shown.visibility) == ("test_shown", 0, Visibility.EXAMPLE)
    assert shown.title == Text("A value comes back.", "可见")
    assert shown.source == EXAMPLES.partition("\n\n\n")[2]
    assert (secret.name, secret.order, secret.visibility) == ("test_secret", 1, Visibility.HIDDEN)
    assert (shown.file, secret.file) == ("test_examples.py", "test_hidden.py")
    (wrong,) = exercise.wrong
    assert (wrong.name, wrong.fails) == ("forgets", frozenset({"test_secret"}))
    assert (wrong.text, wrong.source) == (Text("It forgets.", "它忘了。"), WRONG)


def test_exercises_and_chapters_stand_in_their_order(root: Path) -> None:
    add_exercise(root, "a-late-one", order="99")
    write(root / "exercises/ch02/chapter.toml", 'order = 2\ntitle = { en = "a", zh = "b" }\n')
    catalog = load_catalog(root)
    assert [chapter.name for chapter in catalog.chapters] == ["ch02", "ch12"]
    assert [each.name for each in catalog.select()] == ["nd-tensor", "queue", "a-late-one"]


def test_targets(root: Path) -> None:
    catalog = load_catalog(root)
    assert catalog.select("ch12") == catalog.select(None) == catalog.chapters[0].exercises
    assert catalog.select("ch12/queue") == (catalog.exercise("ch12/queue"),)


@pytest.mark.parametrize(
    ("target", "suggestion"),
    [("ch12/nd-tenser", "ch12/nd-tensor"), ("ch13", "ch12"), ("queue", "ch12/queue")],
)
def test_an_unknown_target_suggests_close_names(root: Path, target: str, suggestion: str) -> None:
    with pytest.raises(UnknownTarget, match=suggestion) as caught:
        load_catalog(root).select(target)
    assert suggestion in caught.value.text.zh


def test_an_unknown_target_unlike_any(root: Path) -> None:
    catalog = load_catalog(root)
    for look_up in (catalog.chapter, catalog.exercise, catalog.select):
        with pytest.raises(UnknownTarget) as caught:
            look_up("xyz")
        assert caught.value.suggestions == ()


def test_what_a_submission_can_see(root: Path) -> None:
    write(root / "reference/minisgl/loose/mod.py", "# not in a package\n")
    uses = '["minisgl.utils.mp"]'
    add_exercise(root, "new", order="40", module='"minisgl.message.new"', uses=uses)
    catalog = load_catalog(root)
    shared = {"minisgl", "minisgl.core", "minisgl.message", "minisgl.utils"}
    assert set(catalog.exercise("ch12/nd-tensor").support_modules) == shared
    assert set(catalog.exercise("ch12/queue").support_modules) == shared
    sources = support_sources(catalog.exercise("ch12/new"))
    assert sources.keys() == shared | {"minisgl.utils.mp"}
    # Its own would import minisgl.message.utils, which another exercise teaches.
    assert sources["minisgl.message"] == ""
    assert sources["minisgl.utils"] == "# utils/__init__\n"
    assert sources["minisgl.utils.mp"] == "# utils/mp\n"


def test_a_replaced_package_must_be_named(root: Path) -> None:
    add_exercise(root, "package", order="40", module='"minisgl.utils"')
    (complaint,) = complaints(root)
    assert complaint.file == "exercises/ch12/queue/exercise.toml"
    assert (complaint.key, complaint.mend) == ("uses", 'add "minisgl.utils" to uses')
    replace(root / "exercises/ch12/queue/exercise.toml", "uses = []", 'uses = ["minisgl.utils"]')
    assert "minisgl.utils" in load_catalog(root).exercise("ch12/queue").support_modules


def test_all_complaints_at_once_in_order(root: Path) -> None:
    chapter = root / "exercises/ch12"
    replace(chapter / "nd-tensor/exercise.toml", 'zh = "看形状。"\n', "")
    replace(chapter / "queue/exercise.toml", "difficulty = 2", "difficulty = 9")
    replace(chapter / "queue/stub.py", "def", "dfe")
    with pytest.raises(CatalogError) as caught:
        load_catalog(root)
    first, second, third = str(caught.value).splitlines()
    assert first == (
        "exercises/ch12/nd-tensor/exercise.toml:12: hints.0.zh: missing — add it: the Chinese text"
    )
    assert second.startswith("exercises/ch12/queue/exercise.toml:2: difficulty: ")
    assert third.startswith("exercises/ch12/queue/stub.py:1: not Python: invalid syntax, column 5")


# One mistake a row: in the file named above, this text becomes that → place and key of the only
# complaint, a word of its problem and one of its mend. `…` is the whole file, `-` is no file; a
# place without a file is in the same one; a path with a slash in front begins at the root.
BROKEN = r'''
@ exercise.toml
order = 20 | order = | :1 | | not TOML | valid TOML
order = 20 | order = "20" | :1 | order | got string | such as 20
order = 20 | | : | order | missing | in the chapter
order = 20 | order = 30 | /exercises/ch12/queue/exercise.toml:1 | order | of nd-tensor too | its own
order = 20 | order = 31 | /exercises/ch12/queue/exercise.toml:5 | prerequisites | later | below 30
ty = 2 | ty = 6 | :2 | difficulty | <= 5 | from 1 (easy)
ty = 2 | ty = true | :2 | difficulty | got bool | from 1 (easy)
uses = [] | use = [] | :6 | use | unknown key | uses
en = "Any shape" | fr = "x"\nen = "y" | :9 | title.fr | unknown | en, zh
en = "Any shape" | en = " " | :9 | title.en | empty | English
en = "Any shape" | en = 3 | :9 | title.en | got whole | English
zh = "任意形状" | | :8 | title.zh | missing | Chinese
order = 20 | title = 1\norder = 20 | :9 | | not TOML | valid
zh = "看形状。" | zh = "" | :14 | hints.0.zh | empty | Chinese
zh = "看形状。" | | :12 | hints.0.zh | missing | Chinese
zh = "看形状。" | zh = "a"\nzhh = "b" | :15 | hints.0.zhh | unknown | zh
uses = [] | limits.memory_mb = 0 | :6 | limits.memory_mb | >= 1 | greater than 0
uses = [] | limits.test_seconds = -1 | :6 | limits.test_seconds | > 0 | greater than 0
uses = [] | limits.test_seconds = inf | :6 | limits.test_seconds | <= 3600 | at most 3600
uses = [] | limits = 3 | :6 | limits | expected table | [limits]
uses = [] | limits.second = 1 | :6 | limits.second | unknown | test_seconds
[tests.test_shown]\nzh = "可见" | | : | tests.test_shown.zh | missing | [tests.test_shown]
zh = "可见" | | :16 | tests.test_shown.zh | missing | Chinese
zh = "可见" | zh = "a"\n[tests.test_x]\nzh = "b" | :18 | tests.test_x | no test | test_shown
sites = [] | sites = ["queu"] | :5 | prerequisites.0 | no exercise | queue
sites = [] | sites = ["nd-tensor"] | :5 | prerequisites | circle | remove
sites = [] | sites = ["queue"] | :5 | prerequisites | nd-tensor needs queue needs nd-tensor | remove
message.utils | mesage.utils | :3 | module | neither | minisgl.message.utils
minisgl.message.utils | json | :3 | module | neither | a new one in one of its packages
message.utils | message.2 | :3 | module | not a module's name | dotted
uses = [] | uses = ["minisgl.cor"] | :6 | uses.0 | no module | minisgl.core
uses = [] | uses = ["minisgl.message.utils"] | :6 | uses.0 | own module | remove
["pack"] | [] | :4 | provides | length >= 1 | names
["pack"] | "pack" | :4 | provides | expected array | names
["pack"] | ["if"] | :4 | provides.0 | not a Python name | such as
["pack"] | ["unpack"] | :4 | provides.0 | does not define | pack
["pack"] | ["pack", 3] | :4 | provides.1 | got whole number | string
… | - | : | | missing | settings
@ statement.en.md
… | - | : | | missing | English
@ statement.zh.md
… | \n | : | | is empty | Chinese
@ stub.py
… | - | : | | missing | starts from
raise | raise ( | :2 | | never closed, column 11 | valid Python
def pack(value):\n    raise | return | :1 | | outside function | valid Python
def pack | def unpack | exercise.toml:4 | provides.0 | does not define | unpack
def pack(value):\n | pack: int\nif 1:\n | exercise.toml:4 | provides.0 | not define | top level
@ test_examples.py
… | - | : | | missing | shown to the learner
… | x = 1 | : | | no test | write at least one
@ test_hidden.py
… | - | : | | missing | only by a judge
(3) | (3 | :3 | | never closed, column 24 | valid Python
"""Two values come back.""" | | :1 | test_secret | no docstring | English title
assert | 1\ndef test_secret():\n    "T."\n    assert | :4 | test_secret | second test | own name
… | class All:\n  def test_secret():\n    "T." | :2 | test_secret | inside a class | out of All
… | if 1:\n  def test_secret():\n    "T." | :2 | test_secret | inside a block | top level
assert | 1\ndef testing(x):\n    assert | :4 | testing | pytest would run | rename
assert | 1\ndef test_shown():\n    "T."\n    assert | :4 | test_shown | examples.py has | rename
@ wrong/forgets.py
# /// wrong | # wrong | :1 | | no metadata block | # /// wrong
# ///\n | | :1 | | not closed | # ///
… | \n\n | : | | is empty | wrong solution
["test_secret"] | [] | :2 | fails | length >= 1 | test functions
["test_secret"] | ["test_secrt"] | :2 | fails.0 | no test | test_secret
["test_secret"] | ["test_secret" | :3 | | not TOML | valid TOML
# en = "It forgets."\n | | : | en | missing | English
"它忘了。" | "" | :4 | zh | empty | Chinese
# zh | # #\n#\n# x = 1\n# zh | :6 | x | unknown key | fails, en, zh
@ wrong/notes.md
… | text | : | | not part of the format | move it away
@ conftest.py
… | x = 1 | : | | not part of the format | move it away
@ /exercises/ch12/notes.md
… | x | : | | not part of the format | chapter.toml
@ /exercises/ch12/chapter.toml
12 | "x" | :1 | order | got string | in the course
zh = "消息" | | :2 | title.zh | missing | Chinese
… | - | : | | missing | title and order
@ /exercises/ch13/chapter.toml
… | order = 12\n[title]\nen = "a"\nzh = "b" | :1 | order | 12 is the order of ch12 too | its own
@ /reference/solutions/ch12/nd-tensor.py
… | - | : | | missing | reference solution
'''


def rows() -> Iterator[list[str]]:
    file = ""
    for row in BROKEN.strip().splitlines():
        if row.startswith("@ "):
            file = row[2:]
        else:
            cells = [cell.strip().replace(r"\n", "\n") for cell in row.split("|")]
            yield [file, *cells]


@pytest.mark.parametrize(("file", "old", "new", "place", "key", "problem", "mend"), list(rows()))
def test_a_mistake_is_told_once(
    root: Path, file: str, old: str, new: str, place: str, key: str, problem: str, mend: str
) -> None:
    def from_root(name: str) -> Path:
        return root / name[1:] if name.startswith("/") else root / "exercises/ch12/nd-tensor" / name

    path = from_root(file)
    if old != "…":
        replace(path, old, new)
    elif new == "-":
        path.unlink()
    else:
        write(path, new)
    (complaint,) = complaints(root)
    expected, _, line = place.partition(":")
    assert complaint.file == from_root(expected or file).relative_to(root).as_posix()
    assert (complaint.line, complaint.key) == (int(line) if line else None, key)
    assert problem in complaint.problem
    assert mend in complaint.mend


@pytest.mark.parametrize(
    ("file", "make", "problem"),
    [
        ("stub.py", Path.mkdir, "is not a file"),
        ("stub.py", os.mkfifo, "is not a file"),
        ("stub.py", lambda path: path.symlink_to(path.name), "is not a file"),
        ("statement.en.md", lambda path: path.symlink_to("nowhere"), "is not a file"),
        ("exercise.toml", Path.mkdir, "is not a file"),
        ("test_hidden.py", lambda path: path.write_bytes(b"x = 1\n# \xff"), "is not UTF-8"),
        ("stub.py", lambda path: path.write_bytes(b"x = '\0'"), "null bytes"),
        ("stub.py", lambda path: path.write_text("x = " + "-" * 100_000 + "1"), "too deeply"),
        ("exercise.toml", lambda path: path.write_text("a = " + "[" * 10_000), "not TOML"),
        ("exercise.toml", lambda path: path.write_text("a = " + "1" * 5_000), "not TOML"),
        ("wrong/x.py", Path.mkdir, "is not a file"),
        ("wrong/x.py", lambda path: path.write_bytes(b"\xff"), "is not UTF-8"),
        ("again", lambda path: path.symlink_to("."), "not part of the format"),
        ("../loop", lambda path: path.symlink_to("loop"), "not part of the format"),
    ],
)
def test_an_odd_file_is_a_complaint(
    root: Path, file: str, make: Callable[[Path], object], problem: str
) -> None:
    path = root / "exercises/ch12/nd-tensor" / file
    path.unlink(missing_ok=True)
    make(path)
    (complaint,) = complaints(root)
    assert problem in complaint.problem
    assert complaint.file == os.path.relpath(os.path.normpath(path), root)


@pytest.mark.parametrize(
    "stub",
    [
        "class pack: ...",
        "import json as pack",
        "from json import dumps as pack",
        "pack = len",
        "first, (pack, *rest) = len, (len, len)",
        "pack: object = len",
        "async def pack(value): ...",
        "try:\n    import pack\nexcept ImportError:\n    pass",
        "try:\n    pass\nexcept ImportError:\n    pack = len",
    ],
)
def test_a_stub_may_define_a_name_in_any_way(root: Path, stub: str) -> None:
    write(root / "exercises/ch12/nd-tensor/stub.py", stub)
    load_catalog(root)


def test_a_file_for_a_folder(root: Path) -> None:
    shutil.rmtree(root / "exercises/ch12/queue/wrong")
    write(root / "exercises/ch12/queue/wrong", WRONG)
    (complaint,) = complaints(root)
    assert complaint.file == "exercises/ch12/queue/wrong"
    assert complaint.problem == "cannot be listed: Not a directory"


def test_a_folder_name_in_another_style(root: Path) -> None:
    add_exercise(root, "My_Exercise", order="40")
    (complaint,) = complaints(root)
    assert complaint.file == "exercises/ch12/My_Exercise"
    assert "my-exercise" in complaint.mend


def test_a_name_that_the_site_has_taken(root: Path) -> None:
    add_exercise(root, "self-test", order="40")
    (complaint,) = complaints(root)
    assert complaint.file == "exercises/ch12/self-test" and "another name" in complaint.mend


def test_no_exercises_folder(tmp_path: Path) -> None:
    (complaint,) = complaints(tmp_path)
    assert (complaint.file, complaint.line) == ("exercises", None)


def test_what_an_exercise_hides_no_other_one_sees(root: Path) -> None:
    path = root / "exercises/ch12/queue/exercise.toml"
    text = path.read_text("utf-8")
    write(path, f'hides = ["minisgl.core"]\n{text}')
    for name in ("nd-tensor", "queue"):
        exercise = load_catalog(root).exercise(f"ch12/{name}")
        assert "minisgl.core" not in exercise.support_modules
        assert support_sources(exercise)["minisgl"] == ""
    write(path, f'hides = ["minisgl.cor"]\n{text}')
    (complaint,) = complaints(root)
    assert (complaint.key, complaint.line) == ("hides.0", 1)
    assert "minisgl.core" in complaint.mend


def test_other_right_solutions_are_read(root: Path) -> None:
    write(root / "exercises/ch12/queue/right/in_one_line.py", "pack = bytes\n")
    (right,) = load_catalog(root).exercise("ch12/queue").right
    assert (right.name, right.source) == ("in_one_line", "pack = bytes\n")
    write(root / "exercises/ch12/queue/right/notes.md", "one line")
    (complaint,) = complaints(root)
    assert complaint.file == "exercises/ch12/queue/right/notes.md"
    assert complaint.problem == "is not part of the format"


def test_wrong_solutions_must_differ(root: Path) -> None:
    write(root / "exercises/ch12/queue/wrong/other.py", WRONG)
    (complaint,) = complaints(root)
    assert complaint.file == "exercises/ch12/queue/wrong/other.py"
    assert (complaint.line, complaint.key) == (2, "fails")
    assert "forgets.py fails the same tests" in complaint.problem


def test_what_tools_leave_behind_is_no_mistake(root: Path) -> None:
    folder = root / "exercises/ch12/nd-tensor"
    for name in ("stub.py~", ".stub.py.swp", "__pycache__/stub.pyc", "wrong/__pycache__/a.pyc"):
        write(folder / name, "")
    write(root / "exercises/README.md", "How to write one.\n")
    load_catalog(root)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_byte_order_marks_and_line_endings_change_nothing(
    root: Path, mark: bytes, ending: bytes
) -> None:
    before = load_catalog(root)
    digests = [exercise.tests_digest for exercise in before.select()]
    for path in root.rglob("*.*"):
        path.write_bytes(mark + path.read_bytes().replace(b"\n", ending))
    after = load_catalog(root)
    assert after == before
    assert [exercise.tests_digest for exercise in after.select()] == digests
    assert support_sources(after.select()[0]) == support_sources(before.select()[0])


def digest(root: Path) -> str:
    return load_catalog(root).exercise("ch12/nd-tensor").tests_digest


def test_the_digest_does_not_depend_on_the_place(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = make_root(tmp_path_factory.mktemp("other"))
    for path in other.rglob("*.py"):
        os.utime(path, (1, 1))
    assert digest(other) == digest(root)


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("exercise.toml", "uses = []", 'uses = ["minisgl.utils.mp"]', True),
        ("exercise.toml", "uses = []", "limits.memory_mb = 512", True),
        ("exercise.toml", "uses = []", "limits.memory_mb = 1024", False),
        ("exercise.toml", "message.utils", "message.new", True),
        ("exercise.toml", "difficulty = 2", "difficulty = 3", False),
        ("stub.py", "pack(value)", "pack(v)", False),
        ("../../../reference/minisgl/core.py", "core", "Core", True),
        ("../../../reference/minisgl/message/__init__.py", "init", "Init", True),
        ("../../../reference/minisgl/utils/mp.py", "mp", "other", False),
    ],
)
def test_the_digest_covers_what_decides(
    root: Path, file: str, old: str, new: str, changes: bool
) -> None:
    before = digest(root)
    replace(root / "exercises/ch12/nd-tensor" / file, old, new)
    assert (digest(root) != before) is changes


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Exercise:
    return load_catalog(make_root(tmp_path_factory.mktemp("loaded"))).exercise("ch12/nd-tensor")


@settings(max_examples=60, deadline=None)
@given(
    file=st.sampled_from(["test_examples.py", "test_hidden.py"]),
    place=st.integers(0, 10_000),
    byte=st.integers(0, 255) | st.sampled_from(b"\r\n"),
)
def test_any_other_byte_of_a_test_file_changes_the_digest(
    loaded: Exercise, file: str, place: int, byte: int
) -> None:
    path = loaded.folder / file
    raw = path.read_bytes()
    changed = bytearray(raw)
    changed[place % len(raw)] = byte
    before = loaded.tests_digest
    path.write_bytes(changed)
    try:
        assert (loaded.tests_digest == before) is (changed == raw)
    finally:
        path.write_bytes(raw)


def test_importing_the_catalogue_is_light() -> None:
    code = (
        "import sys, judge.catalog; "
        "print({'torch', 'numpy', 'pytest', 'rich', 'click'} & sys.modules.keys())"
    )
    project = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
