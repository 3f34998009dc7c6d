"""The one door that command line, site, workers and CI go through: a submission in, a `Verdict` out.

This room supervises: it holds the clock, hands out examinees, and decides what a learner may read. It
never imports torch and never looks at a value of the learner's.
"""

from judge.grade.judge import Judge, grade
from judge.grade.submission import MAX_SOURCE_BYTES, SourceProblem, read_submission
from judge.grade.suites import SUITES, Suite

__all__ = [
    "MAX_SOURCE_BYTES",
    "SUITES",
    "Judge",
    "SourceProblem",
    "Suite",
    "grade",
    "read_submission",
]
