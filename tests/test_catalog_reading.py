"""A chapter's reading, drawings and self-test: they load, and each mistake is told once, with its mend."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from catalog_parts import complaints, make_root, replace, write

from judge.catalog import Answer, Question, QuestionKind, load_catalog
from judge.texts import Text

CHAPTER = "exercises/ch12"
ENGLISH = """\
# Messages

![A line](drawings/a-line.en.svg)

See [the tensors](nd-tensor/), [`queue`](queue/), [above](#messages) and [the web](https://example.org).

```python
[not](a-link)
```

Nor is `[this](one)`.
"""
CHINESE = "# 消息\n\n![一条线](drawings/a-line.zh.svg)\n\n**练习：** [`queue`](queue/)\n"
SELF_TEST = """\
[[questions]]
name = "one-right"
kind = "single"
text.en = "Which?"
text.zh = "哪个？"
explanation.en = "The first."
explanation.zh = "第一个。"

[[questions.choices]]
text.en = "this"
text.zh = "这个"
right = true

[[questions.choices]]
text.en = "that"
text.zh = "那个"
remark.en = "No."
remark.zh = "不对。"

[[questions]]
name = "a-number"
kind = "number"
number = 229
text.en = "How many?"
text.zh = "多少？"
explanation.en = "Count."
explanation.zh = "数一数。"
proof = "200 + 29"

[[questions]]
name = "a-word"
kind = "text"
accepted = ["XPUB", "zmq.XPUB"]
text.en = "Who?"
text.zh = "谁？"
explanation.en = "It."
explanation.zh = "它。"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    chapter = make_root(tmp_path) / CHAPTER
    write(chapter / "reading.en.md", ENGLISH)
    write(chapter / "reading.zh.md", CHINESE)
    write(chapter / "drawings/a-line.en.svg", "<svg/>")
    write(chapter / "drawings/a-line.zh.svg", "<svg/>")
    write(chapter / "self-test.toml", SELF_TEST)
    return tmp_path


def test_a_chapter_with_everything(root: Path) -> None:
    chapter = load_catalog(root).chapter("ch12")
    assert [exercise.name for exercise in chapter.exercises] == ["nd-tensor", "queue"]
    assert chapter.reading == Text(ENGLISH, CHINESE)
    drawings = root / CHAPTER / "drawings"
    names = ("a-line.en.svg", "a-line.zh.svg")
    assert chapter.drawings == {name: drawings / name for name in names}
    single, number, word = chapter.questions
    assert single == Question(
        name="one-right",
        kind=QuestionKind.SINGLE,
        text=Text("Which?", "哪个？"),
        choices=(Text("this", "这个"), Text("that", "那个")),
        answer=Answer(
            explanation=Text("The first.", "第一个。"),
            right=(0,),
            remarks=(None, Text("No.", "不对。")),
            number=None,
            accepted=(),
            proof="",
        ),
    )
    assert (number.choices, number.answer.number, number.answer.proof) == ((), 229, "200 + 29")
    assert (word.kind, word.answer.accepted) == (QuestionKind.TEXT, ("XPUB", "zmq.XPUB"))


def test_a_chapter_with_exercises_only(tmp_path: Path) -> None:
    chapter = load_catalog(make_root(tmp_path)).chapter("ch12")
    assert (chapter.reading, chapter.drawings, chapter.questions) == (None, {}, ())


# One mistake a row, as in test_catalog.py: in the file named above, this text becomes that → place
# and key of the only complaint, a word of its problem and one of its mend. `…` is the whole file,
# `-` is no file; a place without a file is in the same one.
BROKEN = r"""
@ reading.en.md
… | - | : | | missing | the reading in English
… | \n | : | | is empty | the reading in English
a-line.en.svg | a-lin.en.svg | drawings/a-line.en.svg: | | reading.en.md does not show it | remove it
a-line.en.svg) | a-line.en.svg) ![b](drawings/b.en.svg) | :3 | | no drawing drawings/b.en.svg | did you mean
a-line.en.svg) | a-line.en.svg) ![b](drawings/a-line.zh.svg) | :3 | | in the language of this file | a-line.en
a-line.en.svg) | a-line.en.svg) ![b](https://example.org/b.svg) | :3 | | no drawing https | drawings/
![A line] | ![] | :3 | | has no description | what the drawing shows
](nd-tensor/) | ](nd-tenser/) | :5 | | no exercise nd-tenser | did you mean nd-tensor/?
](nd-tensor/) | ](nd-tensor) | :5 | | without a slash | nd-tensor/
](nd-tensor/) | ](http://example.org) | :5 | | no exercise http | name one
](nd-tensor/) | ](../ch12/nd-tensor/) | :5 | | no exercise ../ch12 | did you mean
@ reading.zh.md
… | - | : | | missing | the reading in Chinese
@ drawings/a-line.zh.svg
… | \n | : | | is empty | a drawing
@ drawings/b.svg
… | <svg/> | : | | not named as a drawing | slow-joiner.en.svg
@ drawings/B.en.svg
… | <svg/> | : | | not named as a drawing | slow-joiner.en.svg
@ self-test.toml
… | \n | : | | is empty | self-test
… | x = ( | :1 | | not TOML | valid TOML
… | questions = [] | :1 | questions | length >= 1 | [[questions]]
"one-right" | "One right" | :2 | questions.0.name | lower-case words | who-decodes
"a-number" | "one-right" | :21 | questions.1.name | question 0 has this name too | its own
"single" | "singel" | :3 | questions.0.kind | 'singel' | 'single', 'multiple', 'number', 'text'
text.en = "Which?" | | :1 | questions.0.text.en | missing | the English text
text.zh = "哪个？" | text.zh = "" | :5 | questions.0.text.zh | empty | the Chinese text
explanation.en = "The first."\nexplanation.zh = "第一个。" | | :1 | questions.0.explanation | missing | why
kind = "single" | kind = "single"\nnumbr = 3 | :4 | questions.0.numbr | unknown key | number
right = true | | :1 | questions.0.choices | no choice is right | right = true
right = true | right = 1 | :1 | questions.0.choices.0.right | expected bool | true or false
remark.en = "No." | right = true\nremark.en = "No." | :1 | questions.0.choices | 2 choices are right | "multiple"
remark.en = "No." | remark.en = " " | :1 | questions.0.choices.1.remark.en | empty | write the remark
remark.en = "No." | | :1 | questions.0.choices.1.remark | missing required field en | remark.en
remark.en = "No." | remark.en = "No."\nremark.fr = "Non." | :1 | questions.0.choices.1.remark.fr | unknown | en, zh
kind = "single" | kind = "single"\nnumber = 3 | :4 | questions.0.number | single has no number | remove it
kind = "single" | kind = "multiple"\naccepted = ["a"] | :4 | questions.0.accepted | has no accepted | remove it
number = 229 | | :20 | questions.1.number | missing | a whole number
number = 229 | number = "229" | :23 | questions.1.number | got string | a whole number
accepted = ["XPUB", "zmq.XPUB"] | | :30 | questions.2.accepted | missing | in all their spellings
"zmq.XPUB" | "" | :33 | questions.2.accepted.1 | empty | string
"200 + 29" | "200 +" | :28 | questions.1.proof | not Python: invalid syntax | valid Python
"200 + 29" | "x = 200 + 29" | :28 | questions.1.proof | no expression | the right answer
"200 + 29" | "" | :28 | questions.1.proof | empty | Python
"""


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
    path = root / CHAPTER / file
    if old != "…":
        replace(path, old, new)
    elif new == "-":
        path.unlink()
    else:
        write(path, new)
    found = complaints(root)
    expected, _, line = place.partition(":")
    told = [each for each in found if each.file == f"{CHAPTER}/{expected or file}"]
    (complaint,) = told
    assert (complaint.line, complaint.key) == (int(line) if line else None, key)
    assert problem in complaint.problem
    assert mend in complaint.mend
    # An image that names the wrong file is one mistake, and the drawing left over is another.
    assert len(found) == 1 or "a-lin.en.svg" in new


def test_a_drawing_in_one_language_only(root: Path) -> None:
    (root / CHAPTER / "drawings/a-line.zh.svg").unlink()
    replace(root / CHAPTER / "reading.zh.md", "![一条线](drawings/a-line.zh.svg)", "")
    (complaint,) = complaints(root)
    assert complaint.file == f"{CHAPTER}/drawings/a-line.en.svg"
    assert "no drawing a-line in zh" in complaint.problem
    assert "a-line.zh.svg" in complaint.mend


def test_drawings_without_a_reading(root: Path) -> None:
    for file in ("reading.en.md", "reading.zh.md"):
        (root / CHAPTER / file).unlink()
    assert [each.file.rpartition("/")[2] for each in complaints(root)] == [
        "a-line.en.svg",
        "a-line.zh.svg",
    ]


def test_a_file_for_the_folder_of_drawings(root: Path) -> None:
    shutil.rmtree(root / CHAPTER / "drawings")
    write(root / CHAPTER / "drawings", "<svg/>")
    for language in ("en", "zh"):
        path = root / CHAPTER / f"reading.{language}.md"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        write(path, "".join(line for line in lines if not line.startswith("![")))
    (complaint,) = complaints(root)
    assert complaint.file == f"{CHAPTER}/drawings"
    assert complaint.problem == "cannot be listed: Not a directory"


def test_the_self_test_of_the_authoring_page_is_valid(root: Path) -> None:
    page = (Path(__file__).parents[1] / "docs/authoring.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n(\[\[questions\]\].*?)```", page, re.DOTALL)
    write(root / CHAPTER / "self-test.toml", block)
    number, single = load_catalog(root).chapter("ch12").questions
    assert number.answer.number == 25 and number.answer.proof
    assert single.answer.right == (1,)


def test_one_choice_is_no_choice(root: Path) -> None:
    text = SELF_TEST
    second = text[
        text.index('\n[[questions.choices]]\ntext.en = "that"') : text.index(
            '\n[[questions]]\nname = "a-n'
        )
    ]
    replace(root / CHAPTER / "self-test.toml", second, "")
    (complaint,) = complaints(root)
    assert (complaint.key, complaint.problem) == ("questions.0.choices", "fewer than two choices")
