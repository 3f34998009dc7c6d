# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["output", "timeout"]
# reason = "Writes one endless line of odd bytes past Python's streams; bytes are counted, not lines."
# ///
import os


def double(value):
    while True:
        os.write(1, b"\xff\x00\r\x80" * 10_000)
