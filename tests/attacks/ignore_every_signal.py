# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["timeout"]
# reason = "Ignores and blocks every signal and computes for ever; SIGKILL is no signal that asks."
# ///
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))


def double(value):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
