# /// expect
# verdicts = ["error"]
# message = "skip"
# failed = "all"
# ///
import pytest


def double(value):
    pytest.skip('not today')
