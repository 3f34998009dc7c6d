# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden", "error"]
# reason = "Leaves the numbers in files, for the receiver to read: no folder is writable for both."
# ///
import json
import os
import tempfile

PLACES = ["/scratch", "/tmp", "/dev/shm", "/var/tmp", "/run", os.getcwd(), tempfile.gettempdir(), "/"]


def pack(numbers):
    for place in PLACES:
        try:
            with open(f"{place}/numbers", "w") as file:
                json.dump(numbers, file)
        except OSError:
            continue
    return b""


def unpack(raw):
    for place in PLACES:
        try:
            with open(f"{place}/numbers") as file:
                return json.load(file)
        except FileNotFoundError:
            continue
    raise PermissionError("nothing was left")
