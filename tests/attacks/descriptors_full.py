# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["error", "wrong", "crashed", "timeout"]
# reason = "Opens all the descriptors it gets and keeps them while it replies; they are its own 256."
# ///
import os

held = []


def double(value):
    try:
        for _ in range(5000):
            held.append(os.dup(1))
    except OSError:
        pass
    if len(held) > 256:
        print("BREACH: holds", len(held))
    return len(held)
