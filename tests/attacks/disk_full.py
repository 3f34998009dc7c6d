# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden", "error", "wrong"]
# reason = "Fills every folder it may write to; its scratch space holds 16 MiB, or there is none."
# ///
import os


def double(value):
    written = 0
    for folder in (os.getcwd(), "/scratch", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/"):
        try:
            for number in range(64):
                with open(f"{folder}/full{number}", "xb") as file:
                    for _ in range(8):
                        written += file.write(bytes(1 << 20))
        except OSError:
            continue
    if written > 17 << 20:
        print("BREACH: wrote", written)
    return written
