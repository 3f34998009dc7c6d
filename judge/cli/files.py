"""The learner's files: `practice/ch12/nd-tensor.py`. What a learner wrote is never overwritten."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.catalog import Exercise
from judge.cli.session import Refusal, Session
from judge.texts import Text

MAX_STRAYS_NAMED = 5


def path_of(session: Session, exercise: Exercise) -> Path:
    return session.root / "practice" / exercise.chapter / f"{exercise.name}.py"


def provide(session: Session, exercise: Exercise) -> bool:
    """Copy the stub where no file is yet; whether it was copied. Raises `Refusal` (code 1)."""
    path = path_of(session, exercise)
    shown = session.show(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Exclusive: a file that appears this very moment is the learner's.
        with open(path, "x", encoding="utf-8", newline="\n") as file, _removed_if_cut_short(path):
            file.write(exercise.stub)
            file.flush()
        return True
    except (FileExistsError, NotADirectoryError):
        refuse_what_is_no_file(session, exercise)
        if os.path.lexists(path):
            return False
        text = Text(
            f"{shown} cannot be made: a folder of its path is a file. Move that file away.",
            f"无法创建 {shown}：路径中的某个目录其实是文件，请把它移走。",
        )
        raise Refusal(text, 1) from None
    except OSError as error:
        if os.path.lexists(path):
            return False
        text = Text(
            f"{shown} cannot be made: {error.strerror}.", f"无法创建 {shown}：{error.strerror}。"
        )
        raise Refusal(text, 1) from error


@contextlib.contextmanager
def _removed_if_cut_short(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


def refuse_what_is_no_file(session: Session, exercise: Exercise) -> None:
    """Raise `Refusal` (code 1) if something else stands where the learner's file belongs."""
    path = path_of(session, exercise)
    shown = session.show(path)
    if path.is_file() or not os.path.lexists(path):
        return
    if path.is_dir():
        text = Text(
            f"{shown} is a folder; the judge needs a file there. Move the folder away.",
            f"{shown} 是目录，评测程序需要那里是一个文件。请把目录移走。",
        )
    elif path.is_symlink():
        text = Text(
            f"{shown} is a link to a file that does not exist. Remove the link or mend it.",
            f"{shown} 是一个链接，但它指向的文件不存在。请删除或修好这个链接。",
        )
    else:
        text = Text(f"{shown} is not a file. Move it away.", f"{shown} 不是普通文件，请把它移走。")
    raise Refusal(text, 1)


def is_untouched(session: Session, exercise: Exercise) -> bool:
    """Whether the learner has not begun: there is no file, or it is the stub as it was copied."""
    path = path_of(session, exercise)
    try:
        return not path.is_file() or path.read_bytes() == exercise.stub.encode()
    except OSError:
        return False


def back_up(path: Path) -> Path:
    """Rename the learner's file to a name with the time that nothing else has. Raises `OSError`."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (f"{path.name}.{stamp}{more}" for more in ("", *(f"-{n}" for n in range(2, 100))))
    backup = next(
        path.with_name(name) for name in names if not os.path.lexists(path.with_name(name))
    )
    os.rename(path, backup)
    return backup


def note_strays(session: Session, exercises: Iterable[Exercise]) -> None:
    """Say which Python files beside the learner's own belong to no exercise."""
    for chapter in dict.fromkeys(exercise.chapter for exercise in exercises):
        folder = session.root / "practice" / chapter
        known = {f"{exercise.name}.py" for exercise in session.catalog.chapter(chapter).exercises}
        try:
            found = sorted(n for n in os.listdir(folder) if n.endswith(".py") and n[0] != ".")
        except OSError:
            continue
        strays = [name for name in found if name not in known]
        for name in strays[:MAX_STRAYS_NAMED]:
            session.note(_stray(session.show(folder / name), name, known))


def _stray(shown: str, name: str, known: set[str]) -> Text:
    meant = name.replace("_", "-")
    if meant in known:
        return Text(
            f"{shown} is not an exercise; the judge reads {meant}.",
            f"{shown} 不是练习文件，评测程序读的是 {meant}。",
        )
    return Text(
        f"{shown} is not an exercise; the judge does not use it.",
        f"{shown} 不是练习文件，评测程序不会用到它。",
    )
