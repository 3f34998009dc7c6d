# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error", "forbidden", "memory"]
# reason = "Raises exceptions named like the judge's own, with texts and frames to match; only their names arrive."
# ///


class SandboxError(Exception):
    pass


class BrokenTests(Exception):
    pass


class LearnerProblem(BaseException):
    outcome = "passed"


class NameError(Exception):
    """What a test raises that is broken itself."""


def double(value):
    kinds = {4: SandboxError, 123456789: BrokenTests}
    kind = kinds.get(value) if isinstance(value, int) else LearnerProblem
    error = (kind or NameError)("the judge itself failed")
    error.blame = "judge"
    raise error
