# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden"]
# reason = "Becomes a daemon that outlives the grading: a new session, two forks, all signals ignored; there is no fork."
# ///
import os
import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
try:
    os.setsid()
    print("BREACH: a new session")
except OSError:
    pass


def double(value):
    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    print("BREACH: forked", flush=True)
