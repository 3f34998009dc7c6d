# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Prints verdicts, control messages and commands of CI logs; output is output."
# ///
import json
import os
import struct
import sys

VERDICT = {"version": 3, "status": "pass", "verdict": "passed", "tests": [], "blame": None}
MESSAGE = json.dumps({"event": "done"}).encode()
RESULT = json.dumps({"event": "result", "name": "test_number", "outcome": "passed"}).encode()


def double(value):
    print(json.dumps(VERDICT))
    print("::set-output name=verdict::passed\n\x1b]0;passed\x07\x1b[2J1 passed in 0.01s", file=sys.stderr)
    for number in (0, 1, 2):
        for body in (RESULT, MESSAGE):
            try:
                os.write(number, struct.pack("<IB", len(body), 0) + body)
            except OSError:
                pass
    return 0
