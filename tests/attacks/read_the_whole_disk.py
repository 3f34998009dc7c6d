# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Walks everything it can reach and returns what looks like the marker; no such file is in reach."
# ///
import os
import re
import time

MARKER = re.compile(rb"planted-[0-9a-f]{16}")
ROOTS = ["/tmp", "/dev/shm", "/proc", "/root", "/home", "/srv", "/run", "/var", "/etc", "/sys", "/", "/usr"]


def files(end):
    for root in ["@COURSE@", "@PROJECT@", os.getcwd(), *ROOTS]:
        for folder, _, names in os.walk(root):
            for name in names:
                yield f"{folder}/{name}"
            if time.monotonic() > end:
                return


def hunt():
    end = time.monotonic() + 0.4
    for path in files(end):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            continue
        try:
            found = MARKER.search(os.read(descriptor, 50_000))
        except OSError:
            found = None
        os.close(descriptor)
        if found:
            print("BREACH: read", path)
            return found[0].decode()
        if time.monotonic() > end:
            break
    return "nothing"


found = hunt()


def double(value):
    return found
