# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["timeout"]
# reason = "Fills the pipe for stack traces with a forged trace without end, ignores the signal and hangs."
# ///
import os
import signal
import stat
import threading
import time


def flood(number):
    line = b'  File "double.py", line 999999999999999999999 in passed\n' * 1000
    while True:
        try:
            os.write(number, line)
        except OSError:
            return


def double(value):
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                threading.Thread(target=flood, args=(number,), daemon=True).start()
        except OSError:
            continue
    time.sleep(60)
