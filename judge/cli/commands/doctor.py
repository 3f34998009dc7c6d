"""`judge.py doctor`: what this machine has for judging, and one real grading as the proof."""

from __future__ import annotations

from collections.abc import Iterator

import click

from judge.catalog import CatalogError, Exercise
from judge.cli import walls, words
from judge.cli.machine import Finding, findings
from judge.cli.names import COMMANDS, PROGRAM
from judge.cli.page import Page
from judge.cli.parsing import Command
from judge.cli.session import Session
from judge.cli.warm import WarmJudge
from judge.sandbox.client import SandboxError
from judge.texts import Text
from judge.verdict import Status

EXERCISES, GRADING = Text("exercises", "练习"), Text("a real grading", "试运行评测")
TELL_AUTHOR = Text(f"{PROGRAM} check tells more", f"运行 {PROGRAM} check 了解详情")
WORKS = Text("Judging works here.", "这台机器可以评测。")
FAILS = Text("Judging does not work here; see above.", "这台机器还不能评测，原因见上。")

WIDTH = 18
LEVELS = {"good": Status.PASS, "note": Status.ERROR, "bad": Status.FAIL}


@click.command("doctor", cls=Command, words=COMMANDS["doctor"])
@click.pass_obj
def command(session: Session) -> int:
    page = Page(session.out, session.language)
    works = True
    for finding in (*findings(session.root), *_judging(session)):
        _show(page, finding)
        works = works and finding.level != "bad"
    page.blank()
    page.prose(page[WORKS if works else FAILS], style="bold")
    return 0 if works else 3


def _show(page: Page, finding: Finding) -> None:
    from rich.cells import set_cell_size

    status = LEVELS[finding.level]
    subject = set_cell_size(page[finding.subject], WIDTH)
    page.row(
        (f"{words.symbol(page.console, status)} ", words.STYLES[status]),
        (f"{subject} {finding.value}", ""),
    )
    if finding.mend is not None:
        page.prose(page[finding.mend], WIDTH + 3, first="→ " if page.unicode else "-> ", rest="  ")


def _judging(session: Session) -> Iterator[Finding]:
    """The walls stand, the exercises load, and the first one's solution passes its examples."""
    try:
        with WarmJudge() as warm:
            sandbox = warm.wait_for(warm.sandbox)
            isolation = walls.isolation_words(sandbox.isolation)[session.language]
            yield from walls.findings(sandbox.tier, isolation, sandbox.problems)
            exercises = session.catalog.select()
            yield Finding("good", EXERCISES, str(len(exercises)))
            if exercises:
                yield warm.wait_for(lambda: _try(session, warm, exercises[0]))
    except CatalogError as error:
        yield Finding("bad", EXERCISES, error.complaints[0].file, TELL_AUTHOR)
    except (OSError, SandboxError) as error:
        yield Finding("bad", GRADING, str(error))


def _try(session: Session, warm: WarmJudge, exercise: Exercise) -> Finding:
    verdict = warm.grade(exercise, exercise.solution, "example")
    word = words.OUTCOMES[verdict.verdict][session.language]
    time = words.seconds(verdict.duration_ms)
    told = Text(f"{exercise.id}: {word}, {time}", f"{exercise.id}：{word}，{time}")
    value = told[session.language]
    if verdict.passed:
        return Finding("good", GRADING, value)
    if verdict.message is None:
        return Finding("bad", GRADING, value, TELL_AUTHOR)
    message = Text(verdict.message, verdict.message_zh or verdict.message)
    return Finding("bad", GRADING, value, message)
