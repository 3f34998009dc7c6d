"""TOML tables to typed fields, with a complaint for every mistake.

`msgspec.convert` judges the single values; it stops at its first error, so the walk over tables
and lists is done here, and what could be read is kept for the checks that follow.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from judge.catalog.complaints import Complaints, or_closest
from judge.catalog.files import read_text

_REFUSED = object()
_PLAIN = Meta()
_LANGUAGE_TEXTS = {"en": "the English text", "zh": "the Chinese text"}
_TOML_WORDS = {"object": "table", "str": "string", "int": "whole number", "float": "number"}

_PART = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_LINE = re.compile(rf"\s*(?:(\[\[?)\s*({_DOTTED})\s*\]|({_DOTTED})\s*=)")


class Document:
    """One TOML text and the place it stands, so that a complaint can name file, line and key.

    `data` is None if the text is no TOML, which is then already among the complaints. The text of
    a metadata block begins at `first_line` of its file.
    """

    def __init__(self, path: Path, text: str, complaints: Complaints, first_line: int = 1) -> None:
        self._path = path
        self._text = text
        self._complaints = complaints
        self._first_line = first_line
        self.data = self._parse()

    def _parse(self) -> dict[str, Any] | None:
        try:
            return tomllib.loads(self._text)
        # ValueError: a number with thousands of digits; RecursionError: thousands of brackets.
        except (ValueError, RecursionError) as error:
            problem, _, place = str(error).partition(" (at ")
            # The error has no field for its line before Python 3.14.
            line, column = [int(digits) for digits in re.findall(r"\d+", place)] or (None, None)
            if line is not None:
                problem, line = f"{problem}, column {column}", line + self._first_line - 1
            mend = "write valid TOML"
            self._complaints.add(self._path, f"not TOML: {problem}", mend, line=line)
            return None

    def complain(self, key: str, problem: str, mend: str) -> None:
        """Add a complaint about a dotted key, which need not exist."""
        self._complaints.add(self._path, problem, mend, key=key, line=self._line(key))

    def _line(self, key: str) -> int | None:
        """The line of the key, or of the nearest table around it."""
        while key and key not in self._lines:
            key = key.rpartition(".")[0]
        return self._lines.get(key)

    @cached_property
    def _lines(self) -> dict[str, int]:
        """Lines by dotted key, found by their look: good enough to point at."""
        lines: dict[str, int] = {}
        counts: dict[str, int] = {}
        table = ""
        for number, text in enumerate(self._text.splitlines(), self._first_line):
            found = _LINE.match(text)
            if found is None:
                continue
            brackets, header, key = found.groups()
            name = ".".join(part.strip("\"' \t") for part in (header or key).split("."))
            if brackets == "[[":
                lines.setdefault(name, number)
                counts[name] = counts.get(name, -1) + 1
                name = f"{name}.{counts[name]}"
            if brackets:
                table = name
            lines.setdefault(name if brackets else f"{table}.{name}".lstrip("."), number)
        return lines


def read_document(path: Path, purpose: str, complaints: Complaints) -> Document | None:
    """Read a TOML file; None after a complaint."""
    text = read_text(path, purpose, complaints)
    return None if text is None else Document(path, text, complaints)


def read_fields(document: Document | None, form: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of `form` that stand right in the document, and the defaults of absent ones."""
    if document is None or document.data is None:
        return {}
    return _Reader(document).fields(document.data, form, "")


class _Reader:
    def __init__(self, document: Document) -> None:
        self._complain = document.complain

    def fields(self, table: dict[str, Any], form: type[msgspec.Struct], at: str) -> dict[str, Any]:
        known = _fields_of(form)
        for name in table.keys() - known.keys():
            mend = or_closest(name, known, f"remove it; known here: {', '.join(known)}")
            self._complain(_join(at, name), "unknown key", mend)
        values = {}
        for name, (type_, default) in known.items():
            if name in table:
                value = self._value(table[name], type_, _join(at, name))
            elif default is msgspec.NODEFAULT:
                self._complain(_join(at, name), "missing", f"add it: {_description(name, type_)}")
                continue
            else:
                value = default
            if value is not _REFUSED:
                values[name] = value
        return values

    def _value(self, value: Any, type_: Any, at: str) -> Any:
        plain, meta = _unwrap(type_)
        origin = get_origin(plain) or plain
        if _is_form(origin):
            if not self._fits(value, dict, type_, at):
                return _REFUSED
            fields = self.fields(value, origin, at)
            complete = len(fields) == len(_fields_of(origin))
            return origin(**fields) if complete else _REFUSED
        if origin is dict:
            if not self._fits(value, Annotated[dict, meta], type_, at):
                return _REFUSED
            item = get_args(plain)[1]
            read = {name: self._value(each, item, _join(at, name)) for name, each in value.items()}
            return {name: each for name, each in read.items() if each is not _REFUSED}
        if origin is tuple:
            if not self._fits(value, Annotated[list, meta], type_, at):
                return _REFUSED
            item = get_args(plain)[0]
            items = [self._value(each, item, _join(at, str(i))) for i, each in enumerate(value)]
            return tuple(each for each in items if each is not _REFUSED)
        if not self._fits(value, type_, type_, at):
            return _REFUSED
        if plain is str and not value.strip():
            self._complain(at, "empty", f"write {_description(at, type_)}")
            return _REFUSED
        return msgspec.convert(value, type_)

    def _fits(self, value: Any, shape: Any, type_: Any, at: str) -> bool:
        try:
            msgspec.convert(value, shape)
        except msgspec.ValidationError as error:
            problem = re.sub("`([a-z]+)`", lambda m: _TOML_WORDS.get(m[1], m[1]), str(error))
            problem = problem[:1].lower() + problem[1:]
            self._complain(at, problem, f"write {_description(at, type_)}")
            return False
        return True


def _is_form(type_: Any) -> bool:
    """Whether a table is read into this type: a struct, or a dataclass such as `Text`."""
    return isinstance(type_, type) and (
        issubclass(type_, msgspec.Struct) or dataclasses.is_dataclass(type_)
    )


@cache
def _fields_of(form: type) -> dict[str, tuple[Any, Any]]:
    """Name → (type, default) of a form's fields."""
    hints = get_type_hints(form, include_extras=True)
    fields = {}
    for field in msgspec.inspect.type_info(form).fields:
        made = field.default_factory
        default = field.default if made is msgspec.NODEFAULT else made()
        fields[field.name] = (hints[field.name], default)
    return fields


def _unwrap(type_: Any) -> tuple[Any, Meta]:
    if get_origin(type_) is not Annotated:
        return type_, _PLAIN
    plain, meta = get_args(type_)
    return plain, meta


def _description(key: str, type_: Any) -> str:
    plain, meta = _unwrap(type_)
    if meta.description:
        return meta.description
    word = "a table with en and zh" if plain is not str else "a string that is not empty"
    return _LANGUAGE_TEXTS.get(key.rpartition(".")[2], word)


def _join(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name
