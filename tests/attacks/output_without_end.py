# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["output", "timeout"]
# reason = "Prints without end, on both streams; after 32 MiB the examinee is ended, and 16 KiB are kept."
# ///
import sys


def double(value):
    while True:
        sys.stdout.write("line\n" * 10_000)
        sys.stderr.write("\x1b[31merror\n" * 10_000)
