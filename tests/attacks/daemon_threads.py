# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["crashed", "timeout", "wrong"]
# reason = "Ends its first thread and lives on in others that ignore every signal; the process is ended as a whole."
# ///
import ctypes
import os
import signal
import threading
import time


def stay():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        time.sleep(60)


def double(value):
    for _ in range(20):
        threading.Thread(target=stay).start()
    number = {"x86_64": 60, "aarch64": 93}[os.uname().machine]
    ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.c_long(0))
