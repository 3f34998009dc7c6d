# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed", "forbidden"]
# reason = "The same in the middle of each test, and by a signal the kernel uses for memory and for time."
# ///
import os
import signal


def double(value):
    os.write(2, b"the sandbox failed: MemoryError()\n")
    if isinstance(value, str):
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGXCPU)
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(97)
