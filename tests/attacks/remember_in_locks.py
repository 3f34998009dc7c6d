# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden"]
# reason = "Locks ranges of a file that both may read; where they lie are the numbers. Locks are refused."
# ///
import fcntl
import json
import os
import struct

LOCK = "hhqqi4x"
library = os.open(json.__file__, os.O_RDONLY)


def ask(command, kind, start, length):
    return struct.unpack(LOCK, fcntl.fcntl(library, command, struct.pack(LOCK, kind, 0, start, length, 0)))


def pack(numbers):
    ask(fcntl.F_SETLK, fcntl.F_UNLCK, 0, 0)
    for place, number in enumerate(numbers, 1):
        ask(fcntl.F_SETLK, fcntl.F_RDLCK, (place << 40) + number, 1)
    return bytes([len(numbers)])


def unpack(raw):
    places = range(1, raw[0] + 1)
    return [ask(fcntl.F_GETLK, fcntl.F_WRLCK, p << 40, 1 << 40)[2] - (p << 40) for p in places]
