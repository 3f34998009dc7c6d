# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["timeout", "forbidden", "wrong"]
# reason = "Stops itself by a signal, so that nothing in it can be asked or ended kindly."
# ///
import os
import signal


def double(value):
    os.kill(os.getpid(), signal.SIGSTOP)
    return 0
