# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden", "error", "wrong"]
# reason = "Makes files and folders without end; its scratch space holds 512, or there is none."
# ///
import os


def double(value):
    made = 0
    for folder in (os.getcwd(), "/tmp", "/dev/shm"):
        try:
            for number in range(20_000):
                os.mkdir(f"{folder}/{number}")
                made += 1
        except OSError:
            continue
    if made > 600:
        print("BREACH: made", made)
    return made
