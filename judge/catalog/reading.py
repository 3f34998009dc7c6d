"""A chapter's reading: two Markdown files and their drawings, and whether each link leads somewhere.

Links stand inline, as `[text](target)`. Three kinds of target lead out of the text: a drawing of
the same language, `drawings/NAME.en.svg`; an exercise of the chapter, `NAME/`; and an address
with `https://`. They lead to the right place for whoever reads the files as they lie on disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from judge.catalog import layout
from judge.catalog.complaints import Complaints, or_closest
from judge.catalog.files import entries, read_text

_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_CODE = re.compile(r"(`+).+?\1")
_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(\s*<?([^()\s<>]*)>?(?:\s+\"[^\"]*\")?\s*\)")


class Link(msgspec.Struct, frozen=True):
    """A link or an image (`shown`) of a Markdown text; `line` counts from 1."""

    line: int
    shown: bool
    text: str
    target: str


class ReadingDraft(msgspec.Struct):
    """A chapter's reading. `texts` is empty if there is none; a text that cannot be read is None."""

    folder: Path
    texts: dict[str, str | None]
    drawings: dict[str, Path]


def read_reading(folder: Path, found: list[Path], complaints: Complaints) -> ReadingDraft:
    """Read what a chapter's folder holds of a reading; `found` lists the folder."""
    texts: dict[str, str | None] = {}
    if any(folder / file in found for file in layout.READINGS.values()):
        texts = {
            language: read_text(folder / file, layout.READING_PURPOSES[language], complaints)
            for language, file in layout.READINGS.items()
        }
    below = folder / layout.DRAWINGS
    paths = entries(below, complaints) if below in found else []
    drawings = {path.name: path for path in paths if _is_drawing(path, complaints)}
    return ReadingDraft(folder, texts, drawings)


def check_reading(reading: ReadingDraft, exercises: list[str], complaints: Complaints) -> None:
    """Add a complaint for each link that leads nowhere, and for each drawing that is not shown."""
    for name, path in reading.drawings.items():
        stem, language = layout.DRAWING_NAME.fullmatch(name).group("name", "language")
        for other in layout.READINGS.keys() - {language}:
            if f"{stem}.{other}.svg" not in reading.drawings:
                mend = f"add {stem}.{other}.svg, the same drawing in that language"
                complaints.add(path, f"there is no drawing {stem} in {other}", mend)
    for language, file in layout.READINGS.items():
        path, text = reading.folder / file, reading.texts.get(language)
        own = {f"{layout.DRAWINGS}/{name}" for name in reading.drawings if _in(name, language)}
        shown = set()
        if text is not None:
            for link in find_links(text):
                shown.add(link.target)
                _check_link(link, path, own, exercises, complaints)
        if text is not None or not reading.texts:
            for target in sorted(own - shown):
                mend = f"show it there with ![what it shows]({target}), or remove it"
                complaints.add(reading.folder / target, f"{file} does not show it", mend)


def find_links(text: str) -> Iterator[Link]:
    """The inline links and images of a Markdown text, outside of code."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            # As long as before, so that a text that is all code does not look empty.
            plain = _CODE.sub(lambda code: "·" * len(code[0]), line)
            for image, label, target in _LINK.findall(plain):
                yield Link(number, bool(image), label, target)


def _check_link(
    link: Link, path: Path, drawings: set[str], exercises: list[str], complaints: Complaints
) -> None:
    target = link.target
    if link.shown:
        if not link.text.strip():
            mend = "write between the brackets what the drawing shows, for who cannot see it"
            complaints.add(path, f"the image {target} has no description", mend, line=link.line)
        if target not in drawings:
            problem = f"there is no drawing {target} in the language of this file"
            mend = or_closest(target, drawings, f"put it into {layout.DRAWINGS}/, or remove it")
            complaints.add(path, problem, mend, line=link.line)
    elif not target.startswith(("#", "https://")) and target.rstrip("/") not in exercises:
        problem = f"this chapter has no exercise {target.rstrip('/')}"
        mend = or_closest(
            target, [f"{name}/" for name in exercises], "name one, such as nd-tensor/"
        )
        complaints.add(path, problem, mend, line=link.line)
    elif not target.startswith(("#", "https://")) and not target.endswith("/"):
        problem = f"{target} is an exercise's name without a slash"
        complaints.add(path, problem, f"write {target}/", line=link.line)


def _is_drawing(path: Path, complaints: Complaints) -> bool:
    if not layout.DRAWING_NAME.fullmatch(path.name):
        mend = "move it away, or name it such as slow-joiner.en.svg and slow-joiner.zh.svg"
        complaints.add(path, "is not named as a drawing", mend)
        return False
    read_text(path, "a drawing", complaints)
    return True


def _in(name: str, language: str) -> bool:
    return layout.DRAWING_NAME.fullmatch(name)["language"] == language
