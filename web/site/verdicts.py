"""Verdicts as the site keeps and shows them: nothing of a test that its learner must not see."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from judge.texts import Text
from judge.verdict import Blame, Outcome, TestResult, Verdict, Visibility

# On the command line whoever reads these is at home here. On the site a stranger reads them, and a
# traceback of a hidden test would show its code and what it expects.
BROKEN_TESTS = Text(
    "The tests of this exercise are broken. It is not your code; whoever runs this site can read why "
    "in its log.",
    "这个练习的测试出了问题，不是你的代码的错。原因写在网站的日志里，管理网站的人可以查看。",
)
JUDGE_FAILED = Text(
    "The judge itself failed, not your code. Please submit once more; whoever runs this site can read "
    "why in its log.",
    "评测程序自己出了错，不是你的代码的问题。请再提交一次；原因写在网站的日志里，管理网站的人可以查看。",
)
LOST = Text(
    "The judge was lost twice while it graded this, so it has given up. It is not said that your code "
    "is wrong. Please submit once more, or tell whoever runs this site.",
    "评测这份代码时，评测程序两次中断，因此不再重试。这不说明你的代码有错。请再提交一次，或告诉管理网站的人。",
)
GONE = Text(
    "This exercise is no longer there, so it cannot be graded.", "这个练习已经不存在，无法评测。"
)


def internal(exercise: str, suite: str, text: Text) -> Verdict:
    """The verdict on a submission that the judge could not grade."""
    return Verdict(
        exercise=exercise,
        suite=suite,
        verdict=Outcome.INTERNAL,
        blame=Blame.JUDGE,
        message=text.en,
        message_zh=text.zh,
    )


def public_result(result: TestResult) -> TestResult:
    """One test's result without what a broken hidden test would tell of itself."""
    if result.visibility is not Visibility.HIDDEN or result.outcome is not Outcome.INTERNAL:
        return result
    return replace(result, message=BROKEN_TESTS.en, message_zh=BROKEN_TESTS.zh)


def public_verdict(verdict: Verdict) -> Verdict:
    """The verdict without the judge's own tracebacks, paths, and words of broken hidden tests."""
    tests = [public_result(test) for test in verdict.tests]
    if verdict.verdict is not Outcome.INTERNAL:
        return replace(verdict, tests=tests)
    text = BROKEN_TESTS if verdict.blame is Blame.AUTHOR else JUDGE_FAILED
    return replace(verdict, tests=tests, message=text.en, message_zh=text.zh)


def result_json(result: TestResult) -> str:
    return msgspec.json.encode(result).decode()


def verdict_json(verdict: Verdict) -> str:
    return msgspec.json.encode(verdict).decode()


def count_passed(verdict: Verdict) -> int:
    return sum(test.outcome is Outcome.PASSED for test in verdict.tests)
