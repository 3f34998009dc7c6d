# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden"]
# reason = "Forks without end; creating a process is refused."
# ///
import os


def double(value):
    while True:
        os.fork()
        print("BREACH: forked", flush=True)
