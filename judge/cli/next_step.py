"""What a learner should do after a report: one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from judge.catalog import Exercise
from judge.cli import files
from judge.cli.grading import Submission
from judge.cli.names import PROGRAM
from judge.cli.session import Session
from judge.grade import Suite
from judge.texts import Text
from judge.verdict import Blame, Outcome, Verdict

DOCTOR = Text(
    "This is not your fault. Next: {program} doctor says what is wrong with this machine.",
    "这不是你的问题。下一步：用 {program} doctor 看看这台机器哪里不对。",
)
AUTHOR = Text(
    "This is not your fault. Please tell the exercise's author.",
    "这不是你的问题。请告诉练习的作者。",
)
BEGIN = Text("Next: {program} start {id}", "下一步：{program} start {id}")
EDIT = Text(
    "Next: write your code in {path}, then {program} {id}",
    "下一步：在 {path} 里写代码，再运行 {program} {id}",
)
MEND = Text(
    "Next: fix that, then {program} {id}", "下一步：先改好上面的问题，再运行 {program} {id}"
)
HINT = Text("Next: {program} hint {id}", "下一步：{program} hint {id}（看一条提示）")
SOLUTION = Text(
    "Next: try again, or look at {program} solution {id}",
    "下一步：再试一次，或者用 {program} solution {id} 看参考答案",
)
AGAIN = Text("Next: fix the file and judge it again.", "下一步：改好文件，再评测一次。")
WHOLE = Text(
    "All of these passed. Next: all tests, with {program} {id}",
    "这些测试全部通过。下一步：{program} {id}，运行全部测试",
)
NEXT = Text(
    "All passed. Next is {title}: {program} start {id}",
    "全部通过。下一个练习是“{title}”：{program} start {id}",
)
DONE = Text("All passed, and no exercise is left. Well done!", "全部通过，所有练习都做完了，恭喜！")
PASSED = Text("All passed.", "全部通过。")


def next_step(
    session: Session,
    graded: Sequence[tuple[Submission, Verdict]],
    suite: Suite,
    *,
    own: bool,
) -> Text:
    """The sentence. `own`: what was judged are the learner's files, not some other file."""
    broken = [verdict for _, verdict in graded if verdict.verdict is Outcome.INTERNAL]
    if broken:
        judge = any(verdict.blame is Blame.JUDGE for verdict in broken)
        return _filled(DOCTOR if judge else AUTHOR)
    failed = [(submission, verdict) for submission, verdict in graded if not verdict.passed]
    if failed:
        return _after_failure(session, failed, own)
    if not own:
        return PASSED
    if suite != "all":
        exercise = graded[0][0].exercise
        return _filled(WHOLE, id=exercise.id if len(graded) == 1 else exercise.chapter)
    following = _first_left(session, {verdict.exercise for _, verdict in graded})
    if following is None:
        return DONE
    return Text(
        *(_filled(NEXT, id=following.id, title=following.title[n])[n] for n in ("en", "zh"))
    )


def _after_failure(session: Session, failed: list[tuple[Submission, Verdict]], own: bool) -> Text:
    if not own:
        return AGAIN
    # What is begun comes before what is not.
    submission, verdict = next((f for f in failed if not f[0].untouched), failed[0])
    exercise = submission.exercise
    if submission.untouched:
        text = BEGIN if submission.copied else EDIT
    elif not verdict.tests:
        text = MEND
    elif session.state.record(exercise.id).hints < len(exercise.hints):
        text = HINT
    else:
        text = SOLUTION
    return _filled(text, id=exercise.id, path=submission.shown)


def where_stopped(session: Session) -> Exercise | None:
    """The exercise to go on with: the file last worked on that has not passed, else the first one
    left after what has passed; None if all have."""
    exercises = session.catalog.select()
    passed = {each.id for each in exercises if session.state.record(each.id).passed}
    begun = [
        (files.path_of(session, each).stat().st_mtime, each)
        for each in exercises
        if each.id not in passed and not files.is_untouched(session, each)
    ]
    if begun:
        return max(begun, key=lambda pair: pair[0])[1]
    return _first_left(session, passed)


def _first_left(session: Session, just_passed: set[str]) -> Exercise | None:
    """The first exercise not yet passed after the ones just passed, else from the beginning.

    One that builds on what has not passed comes later.
    """
    exercises = session.catalog.select()
    passed = just_passed | {e.id for e in exercises if session.state.record(e.id).passed}
    last = max((n for n, e in enumerate(exercises) if e.id in just_passed), default=-1)
    left = [e for e in (*exercises[last + 1 :], *exercises[: last + 1]) if e.id not in passed]
    ready = (e for e in left if all(f"{e.chapter}/{name}" in passed for name in e.prerequisites))
    return next(ready, left[0] if left else None)


def _filled(text: Text, **values: str) -> Text:
    return text.format(program=PROGRAM, **values)
