"""Grades in a page: the example tests, in this interpreter, to the same verdict as a judge's.

    verdict = grade(bundle, source)

Nothing is hidden or safe here, and nothing needs to be: a bundle holds only what its reader may know
(`judge.grade.bundle`). It needs no process, socket or signal and works on the page's stand-ins for
torch and libzmq as well as on the real ones. After a run nothing of it is left in the interpreter but
what the learner's code itself changed elsewhere.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable
from typing import Any

from judge.examiner.one_interpreter import Guard, unguarded
from judge.examiner.page_tests import BrokenTests, PageTests
from judge.results.conclusion import conclude, refuse, set_message
from judge.results.patterns import Pattern
from judge.results.source import SourceProblem, decode_source
from judge.texts import Text
from judge.verdict import Blame, Explanation, Outcome, SourceLine, TestResult, Verdict

BACKEND = "page"


def grade(
    bundle: dict[str, Any],
    source: str | bytes,
    *,
    seed: int = 0,
    on_result: Callable[[TestResult], None] | None = None,
    guard: Guard = unguarded,
) -> Verdict:
    """The verdict of the bundle's example tests on a submission. Never raises for what that does.

    `bundle` is what `judge.grade.bundle.make_bundle` gives, `seed` fixes the tests' random inputs,
    and `on_result` is called with each test's result as it comes. `guard(deadline)` surrounds the
    learner's code while it answers; it may raise `OutOfTime` in it. A `KeyboardInterrupt` ends the
    run: the verdict then has the results so far and says that it was stopped.
    """
    started = time.monotonic()
    verdict = Verdict(
        exercise=bundle["exercise"],
        suite="example",
        verdict=Outcome.INTERNAL,
        backend=BACKEND,
        isolation=BACKEND,
        seed=seed,
        tests_digest=bundle["tests_digest"],
    )
    try:
        text = decode_source(source)
        verdict.source_digest = hashlib.sha256(text.encode()).hexdigest()
        _run(PageTests(bundle, text, seed, on_result, guard), bundle, verdict)
    except SourceProblem as problem:
        refuse(verdict, Outcome.ERROR, Blame.LEARNER, problem.text)
    except BrokenTests as problem:
        broken = Text(f"The tests cannot be run:\n{problem}", f"测试无法运行：\n{problem}")
        refuse(verdict, Outcome.INTERNAL, Blame.AUTHOR, broken)
    except KeyboardInterrupt:  # at a moment when no test ran
        refuse(verdict, Outcome.TIMEOUT, Blame.LEARNER, STOPPED)
    except Exception as error:  # whatever is wrong here, the learner gets a verdict
        why = "".join(traceback.format_exception(error))
        failed = Text(
            f"The page itself failed, not your code: {why}",
            f"页面自己出了错，不是你的代码的问题：{why}",
        )
        refuse(verdict, Outcome.INTERNAL, Blame.JUDGE, failed)
    verdict.duration_ms = round((time.monotonic() - started) * 1000, 2)
    return verdict


STOPPED = Text(
    "You stopped the run. What had not run by then has no result.",
    "你停止了运行。当时还没有运行的测试没有结果。",
)


def _run(tests: PageTests, bundle: dict[str, Any], verdict: Verdict) -> None:
    """Run the tests and fill in the verdict. Raises `BrokenTests`, `KeyboardInterrupt`."""
    tests.run()
    if tests.refusal is not None:
        refusal = tests.refusal
        refuse(verdict, refusal["outcome"], Blame.LEARNER, Text(*refusal["text"]))
        verdict.line = SourceLine(*refusal["line"]) if refusal["line"] else None
        verdict.truncated = refusal["truncated"]
        return
    if tests.stopped and not tests.findings:
        raise KeyboardInterrupt
    # Failures of half a run are no pattern: more might have failed.
    patterns = [] if tests.stopped else [_pattern(each) for each in bundle["patterns"]]
    names = list(tests.findings) if tests.stopped else tests.collected
    conclude(verdict, tests.findings, tests.known, patterns, names)
    if tests.stopped:
        if verdict.verdict is Outcome.PASSED:  # all that ran, but not all ran
            verdict.verdict, verdict.blame = Outcome.TIMEOUT, Blame.LEARNER
            verdict.status = Outcome.WRONG.status
        set_message(verdict, STOPPED)


def _pattern(plain: dict[str, Any]) -> Pattern:
    words = plain["explanation"]
    return Pattern(frozenset(plain["fails"]), None if words is None else Explanation(**words))
