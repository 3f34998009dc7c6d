# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden"]
# reason = "Replaces itself by another program, with and without a shell; executing is refused."
# ///
import ctypes
import os
import subprocess
import sys


def attempt(action, *arguments):
    try:
        result = action(*arguments)
    except (OSError, subprocess.SubprocessError):
        return
    if result not in (-1, 127, 32512):
        print("BREACH:", action, result, flush=True)


attempt(os.execv, "/bin/sh", ["sh", "-c", "echo BREACH: a shell"])
attempt(os.execve, sys.executable, [sys.executable, "-c", "print('BREACH: Python')"], {})
attempt(subprocess.call, ["/bin/true"])
attempt(os.system, "echo BREACH: system")
attempt(os.posix_spawn, "/bin/true", ["true"], {})
attempt(ctypes.CDLL(None).system, b"echo BREACH: system")


def double(value):
    os.execv("/bin/true", ["true"])
