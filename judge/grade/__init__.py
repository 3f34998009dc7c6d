"""The one door that command line, site, workers and CI go through: a submission in, a `Verdict` out.

This room supervises: it holds the clock, hands out examinees, and decides what a learner may read. It
never imports torch and never looks at a value of the learner's.
"""

from judge.grade.judge import WEAKEST_TIER, Judge, grade
from judge.grade.submission import MAX_SOURCE_BYTES, SourceProblem, read_submission
from judge.grade.suites import SUITES, Suite
from judge.sandbox.client import SandboxError

__all__ = [
    "MAX_SOURCE_BYTES",
    "SUITES",
    "WEAKEST_TIER",
    "Judge",
    "SandboxError",
    "SourceProblem",
    "Suite",
    "grade",
    "read_submission",
]
