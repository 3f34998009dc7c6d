"""The readings and self-tests of the course keep their word: samples run, numbers and drawings are true."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import msgpack
import pytest
import torch
from minisgl.message import AbortMsg
from minisgl.message.utils import serialize_type

from judge.catalog import Chapter, Question, QuestionKind, load_catalog
from judge.catalog.reading import find_links
from judge.texts import LANGUAGES, Language

ROOT = Path(__file__).parents[1]
LIMIT = 120.0  # seconds for all samples or all proofs of a chapter; alone they take a few

CHAPTERS = [chapter for chapter in load_catalog(ROOT).chapters if chapter.reading is not None]
TESTED = [chapter for chapter in load_catalog(ROOT).chapters if chapter.questions]
DRAWINGS = [(chapter, name) for chapter in CHAPTERS for name in chapter.drawings]

SVG = "{http://www.w3.org/2000/svg}"

# Reads programs as JSON, prints the values of their last lines as JSON.
RUN_PROOFS = """
import ast, json, sys

values = []
for program in json.load(sys.stdin):
    body = ast.parse(program)
    last = ast.Expression(body.body.pop().value)
    names = {}
    exec(compile(body, "proof", "exec"), names)
    values.append(eval(compile(last, "proof", "eval"), names))
print(json.dumps(values))
"""


def python(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python with the reference layer in its path, and nothing else of ours."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT / "reference",
        env=os.environ | {"PYTHONPATH": str(ROOT / "reference"), "PYTHONIOENCODING": "utf-8"},
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )


def samples(text: str) -> list[str]:
    """The lines of a Markdown text with everything blanked but its Python samples."""
    kept, inside = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside and line == "```python"
            kept.append("")
        else:
            kept.append(line if inside else "")
    return kept


def test_there_is_something_to_test() -> None:
    assert "ch12" in [chapter.name for chapter in CHAPTERS]
    assert "ch12" in [chapter.name for chapter in TESTED]


# --- the reading ----------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_samples_run_and_print_what_the_reading_says(chapter: Chapter, tmp_path: Path) -> None:
    lines = samples(chapter.reading.en)
    assert sum(line.startswith(">>> ") for line in lines) > 20
    file = tmp_path / "reading.en.txt"  # its line numbers are those of the reading
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = python("-m", "doctest", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_samples_are_the_same_in_both_languages(chapter: Chapter) -> None:
    english, chinese = (list(filter(None, samples(chapter.reading[lang]))) for lang in LANGUAGES)
    assert english == chinese
    for language in LANGUAGES:
        fences = re.findall(r"^```(.*)$", chapter.reading[language], re.MULTILINE)
        assert set(fences) <= {"python", ""}, "code that is no Python would not be tested"
        assert fences.count("python") * 2 == len(fences)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_every_exercise_is_led_into_in_its_order(chapter: Chapter, language: Language) -> None:
    linked = [link.target for link in find_links(chapter.reading[language]) if not link.shown]
    assert linked == [f"{exercise.name}/" for exercise in chapter.exercises]


# --- the drawings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chapter", "name"), DRAWINGS, ids=[f"{chapter.name}-{name}" for chapter, name in DRAWINGS]
)
def test_a_drawing_is_accessible_and_stands_alone(chapter: Chapter, name: str) -> None:
    text = chapter.drawings[name].read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)
    assert drawing.tag == f"{SVG}svg"
    assert drawing.get("role") == "img"
    named = {drawing.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")}
    assert set(drawing.get("aria-labelledby", "").split()) == named
    assert all(drawing.findtext(f"{SVG}{tag}").strip() for tag in ("title", "desc"))
    assert drawing.get("lang") == ("zh-Hans" if ".zh." in name else "en")
    assert "prefers-color-scheme: dark" in drawing.findtext(f"{SVG}style")
    # Shown with <img>, it can load nothing and run nothing; opened by itself, it could.
    tags = {element.tag.removeprefix(SVG) for element in drawing.iter()}
    assert tags <= {*("svg", "title", "desc", "style", "defs", "marker"), *("rect", "path", "text")}
    attributes = {key for element in drawing.iter() for key in element.attrib}
    assert not any(key.startswith("on") or key.endswith("href") for key in attributes)
    assert not re.search(r"url\((?!#)|@import", text)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_drawing_is_the_same_in_both_languages(chapter: Chapter) -> None:
    for name, path in chapter.drawings.items():
        other = chapter.drawings[name.replace(".en.", ".zh.")]
        shapes = [
            [(e.tag, e.attrib) for e in ElementTree.parse(file).iter() if e.tag != f"{SVG}svg"]
            for file in (path, other)
        ]
        assert shapes[0] == shapes[1], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bytes_that_are_drawn_are_the_real_ones(language: Language) -> None:
    chapter = next(chapter for chapter in CHAPTERS if chapter.name == "ch12")
    drawing = ElementTree.parse(chapter.drawings[f"bytes.{language}.svg"])
    texts = [text.text or "" for text in drawing.iter(f"{SVG}text")]
    message = AbortMsg(uid=7)
    assert repr(message) in texts
    assert str(message.encoder()).replace("'", '"') in texts
    ids = torch.tensor([9707, 11, 1879], dtype=torch.int32)
    buffer = serialize_type(ids)["buffer"]
    real = msgpack.packb(message.encoder(), use_bin_type=True) + msgpack.packb(buffer)
    drawn = [text for text in texts if re.fullmatch(r"[0-9a-f]{2}", text)]
    # Beneath the bytes of the tensor stands what they are; two of these numbers have two digits.
    below = [str(number) for number in (*ids.tolist(), len(buffer))]
    assert drawn == [f"{byte:02x}" for byte in real] + [text for text in below if len(text) == 2]
    assert set(below) <= set(texts)
    letters = [text for text in texts if len(text) == 1]
    assert letters == [*"__type__", *"AbortMsg", *"uid"]


# --- the self-test --------------------------------------------------------------------------------


def is_right(question: Question, value: object) -> bool:
    """Whether the value of a question's proof is its stored answer."""
    answer = question.answer
    if question.kind is QuestionKind.NUMBER:
        return type(value) is int and value == answer.number
    if question.kind is QuestionKind.TEXT:
        return value in answer.accepted
    return value == list(answer.right)


@pytest.mark.parametrize("chapter", TESTED, ids=lambda chapter: chapter.name)
def test_the_real_code_gives_the_stored_answers(chapter: Chapter) -> None:
    proven = [question for question in chapter.questions if question.answer.proof]
    assert len(proven) >= 5
    programs = json.dumps([question.answer.proof for question in proven])
    done = python("-c", RUN_PROOFS, given=programs)
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    wrong = [
        (question.name, value)
        for question, value in zip(proven, values, strict=True)
        if not is_right(question, value)
    ]
    assert wrong == []


@pytest.mark.parametrize("chapter", TESTED, ids=lambda chapter: chapter.name)
def test_questions_are_many_and_of_every_kind(chapter: Chapter) -> None:
    assert len(chapter.questions) >= 12
    assert {question.kind for question in chapter.questions} == set(QuestionKind)
    # Whoever always takes the same place must not get far.
    places = [q.answer.right for q in chapter.questions if q.kind is QuestionKind.SINGLE]
    assert max(map(places.count, places)) <= len(places) // 2


@pytest.mark.parametrize("chapter", TESTED, ids=lambda chapter: chapter.name)
def test_every_wrong_choice_is_told_why(chapter: Chapter) -> None:
    for question in chapter.questions:
        for place, remark in enumerate(question.answer.remarks):
            assert (remark is None) is (place in question.answer.right), question.name
