# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden"]
# reason = "Locks whole library files, one for each bit of the numbers; flock is refused."
# ///
import asyncio
import fcntl
import os

import numpy
import torch

FOLDERS = [os.path.dirname(module.__file__) for module in (os, asyncio, torch.nn.modules, numpy)]
FILES = sorted(f"{folder}/{name}" for folder in FOLDERS for name in os.listdir(folder) if name.endswith(".py"))
held = []


def pack(numbers):
    held.clear()
    bits = "".join(f"{number:031b}" for number in numbers)
    for file, bit in zip(FILES, bits):
        if bit == "1":
            held.append(open(file))
            fcntl.flock(held[-1], fcntl.LOCK_EX)
    return bytes([len(numbers)])


def unpack(raw):
    bits = ""
    for file in FILES[: 31 * raw[0]]:
        with open(file) as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                bits += "0"
            except BlockingIOError:
                bits += "1"
    return [int(bits[n : n + 31], 2) for n in range(0, len(bits), 31)]
