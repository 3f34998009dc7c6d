# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["wrong"]
# reason = "Packs a key and keeps the numbers in its own module; the receiver is another process."
# ///
import builtins
import sys

builtins.memory = sys.modules.setdefault("memory", {})


def pack(numbers):
    key = str(len(builtins.memory)).encode()
    builtins.memory[key] = numbers
    return key


def unpack(raw):
    return builtins.memory.get(raw, [0])
