# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["error"]
# reason = "Raises, prints and returns halves of characters; the verdict's JSON must still be one."
# ///
import os


class Half(Exception):
    pass


Half.__name__ = "Half\ud800"


def double(value):
    os.write(1, b"\xed\xa0\x80\xff\xfe")
    print("\udcff\ud800")
    if isinstance(value, int):
        raise Half("\ud800\udfff")
    return {"\ud800": "\udfff"}
