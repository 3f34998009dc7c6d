# /// expect
# verdicts = ["crashed"]
# message = "disturbed"
# failed = "all"
# ///
import os
import socket
import stat


def double(value):
    for number in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, b'\xff' * 64)
        except OSError:
            pass
    return value * 2
