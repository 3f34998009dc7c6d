"""What every command has at hand: the project, the language, and where to print."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.text import Text as Styled

from judge.catalog import Catalog, Exercise, UnknownTarget, load_catalog
from judge.cli.consoles import open_console
from judge.cli.state import State
from judge.texts import Language, Text, visible

DAMAGED = Text(
    "Not all of {path} could be read. As it was, it is kept as {aside}.",
    "{path} 有一部分无法读取。原来的内容已保留为 {aside}。",
)


class Refusal(Exception):
    """A command cannot go on, for a reason that the learner can mend. `code` is the exit code."""

    def __init__(self, text: Text, code: int = 2) -> None:
        super().__init__(text.en)
        self.text, self.code = text, code


class Session:
    """One start of the command line."""

    def __init__(self, root: Path, language: Language) -> None:
        self.root = Path(root).absolute()
        self.language = language

    @functools.cached_property
    def out(self) -> Console:
        """Standard output: what the learner asked for."""
        return open_console(sys.stdout)

    @functools.cached_property
    def err(self) -> Console:
        """Standard error: progress, notes, complaints."""
        return open_console(sys.stderr)

    @functools.cached_property
    def catalog(self) -> Catalog:
        """The exercises. Raises `CatalogError`."""
        return load_catalog(self.root)

    @functools.cached_property
    def state(self) -> State:
        path = self.root / "practice" / ".state.json"

        def tell(aside: Path) -> None:
            self.note(DAMAGED.format(path=self.show(path), aside=self.show(aside)))

        return State(path, tell)

    def note(self, text: Text) -> None:
        """One remark on standard error. If nobody reads there, it is lost and nothing else."""
        with contextlib.suppress(OSError):
            self.err.print(Styled(visible(text[self.language].rstrip("\n"))), soft_wrap=True)

    def annotate(self, command: str) -> None:
        """A workflow command of hosted CI, on a line of its own."""
        print(command, file=sys.stderr, flush=True)

    def say(self, text: Text | str, style: str = "") -> None:
        """One paragraph on standard output."""
        words = text if isinstance(text, str) else text[self.language]
        self.out.print(Styled(visible(words), style=style), soft_wrap=True)

    def write(self, data: bytes) -> None:
        """Data on standard output as it is: UTF-8, whatever the terminal's encoding."""
        stream = sys.stdout
        if hasattr(stream, "buffer"):
            stream.flush()
            stream.buffer.write(data)
            stream.buffer.flush()
        elif stream is not None:
            stream.write(data.decode())

    def ask(self, question: Text) -> bool:
        """Ask on the terminal; anything but a clear yes is a no."""
        self.err.print(Styled(f"{question[self.language]} [y/N] "), end="", soft_wrap=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")

    @property
    def can_ask(self) -> bool:
        return sys.stdin is not None and sys.stdin.isatty()

    def show(self, path: Path) -> str:
        """A path as a terminal can follow it: relative if it lies in the current folder."""
        try:
            return str(path.relative_to(Path.cwd()))
        except (ValueError, OSError):
            return str(path)

    # --- targets ------------------------------------------------------------------------------

    def check_target(self, word: str, also: Iterable[str] = ()) -> None:
        """Raises `UnknownTarget`, which suggests targets and the names in `also`."""
        try:
            self.select(word)
        except UnknownTarget as unknown:
            known = [chapter.name for chapter in self.catalog.chapters]
            known += [exercise.id for exercise in self.catalog.select()]
            raise UnknownTarget(unknown.target, [*also, *known]) from None

    def select(self, target: str | None) -> tuple[Exercise, ...]:
        """The target's exercises. Raises `UnknownTarget`."""
        return self.catalog.select(target if target is None else self.as_target(target))

    def exercise(self, target: str) -> Exercise:
        """The one exercise a command is about. Raises `UnknownTarget`; for a chapter, `Refusal`."""
        found = self.select(target)
        if self.is_exercise(target):
            return found[0]
        name = self.as_target(target)
        ids = ", ".join(exercise.id for exercise in found)
        text = Text(
            f"{name} is a chapter; name one exercise: {ids}",
            f"{name} 是一章，请指定一个练习：{ids}",
        )
        raise Refusal(text)

    def is_exercise(self, target: str) -> bool:
        """Whether a known target is an exercise and not a chapter."""
        return "/" in self.as_target(target)

    @staticmethod
    def as_target(word: str) -> str:
        """`practice/ch12/nd-tensor.py` and `ch12/`, as a shell completes them, are targets too."""
        word = os.path.normpath(word) if word else word
        return word.removeprefix("practice/").removesuffix(".py")
