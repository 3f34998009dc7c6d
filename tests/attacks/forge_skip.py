# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error"]
# reason = "Raises what makes pytest skip, stop or expect a failure; it arrives as a name, and skipped is not passed."
# ///
import unittest

import pytest


def double(value):
    if value == 4:
        raise pytest.skip.Exception("later", allow_module_level=True)
    if value == 123456789:
        raise pytest.exit.Exception("enough", 0)
    if isinstance(value, str):
        raise pytest.xfail.Exception("known")
    raise unittest.SkipTest("later")
