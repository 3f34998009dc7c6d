"""`main`: from the words typed to an exit code. Every way a command can end becomes one here."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from judge.catalog import CatalogError, UnknownTarget
from judge.cli.interrupts import STOPPED, Terminated, terminations_raise
from judge.cli.language import from_environment, take_language
from judge.cli.names import COMMANDS, NAME, PROGRAM, load
from judge.cli.parsing import overview, usage_problem
from judge.cli.session import Refusal, Session
from judge.texts import Text

ROOT = Path(__file__).resolve().parents[2]

SEE_LIST = Text("{program} list shows all there is.", "{program} list 会列出所有的章节和练习。")

NOT_WRITTEN = Text("The output cannot be written: {why}.", "无法写出结果：{why}。")
CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)

WRONG_USAGE, JUDGE_FAILED, INTERRUPTED, NOBODY_READS = 2, 3, 130, 141


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command in `argv` (without the program's name) on the project at `root`.

    Returns the exit code: 0 all passed, 1 something failed, 2 wrong usage, 3 the judge's own fault,
    130 after Ctrl-C. Never raises and never exits by itself.
    """
    session = Session(root, from_environment(os.environ))
    try:
        with terminations_raise():
            return _run(session, list(sys.argv[1:] if argv is None else argv))
    except click.exceptions.Exit as done:
        return done.exit_code
    except UnknownTarget as unknown:
        session.note(unknown.text)
        if not unknown.suggestions:
            session.note(SEE_LIST.format(program=PROGRAM))
        return WRONG_USAGE
    except Refusal as refusal:
        session.note(refusal.text)
        return refusal.code
    except click.UsageError as error:
        session.note(usage_problem(error))
        return WRONG_USAGE
    except CatalogError as error:
        session.note(Text("The exercises cannot be used:", "练习目录有问题，无法使用："))
        session.note(Text(str(error), str(error)))
        return JUDGE_FAILED
    except (KeyboardInterrupt, click.Abort):
        session.note(STOPPED)
        return INTERRUPTED
    except Terminated as stopped:
        session.note(STOPPED)
        return 128 + stopped.signal
    except BrokenPipeError:
        # `judge.py … | head`: the reader has left, and Python must not complain while it exits.
        _discard_output()
        return NOBODY_READS
    except Exception as error:
        if isinstance(error, OSError) and error.errno in CANNOT_WRITE:
            session.note(NOT_WRITTEN.format(why=error.strerror))
            _discard_output()
            return JUDGE_FAILED
        session.note(
            Text(
                "The judge itself failed, not your code:",
                "评测程序自己出了错，不是你的代码的问题：",
            )
        )
        trace = traceback.format_exc()
        session.note(Text(trace, trace))
        return JUDGE_FAILED


def _run(session: Session, words: list[str]) -> int:
    session.language, words = take_language(words, session.language)
    if not words or words[0] in ("--help", "-h"):
        session.out.print(overview(session), end="", soft_wrap=True)
        return 0 if words else WRONG_USAGE
    name, rest = words[0], words[1:]
    if name not in COMMANDS:
        if not name.startswith("-"):
            session.check_target(name, also=COMMANDS)
        name, rest = "judge", words
    command = load(name)
    shown = NAME if name == "judge" else f"{NAME} {name}"
    with command.make_context(shown, rest, obj=session) as context:
        code = command.invoke(context)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return code or 0


def _discard_output() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, AttributeError):
            with contextlib.suppress(OSError):
                os.dup2(nothing, stream.fileno() if stream is not None else 1)
    os.close(nothing)
