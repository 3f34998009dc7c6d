# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Searches every object that the collector knows, frozen ones too; nothing secret was ever in this process."
# ///
import gc
import re
import time

MARKER = re.compile("planted-[0-9a-f]{16}")


def texts(value, depth):
    if isinstance(value, (bytes, bytearray)):
        yield bytes(value).decode("latin-1")
    elif isinstance(value, str):
        yield value
    elif depth and isinstance(value, dict):
        for pair in list(value.items()):
            yield from texts(pair, depth - 1)
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for item in list(value):
            yield from texts(item, depth - 1)


def hunt():
    end = time.monotonic() + 0.4
    gc.unfreeze()
    for value in gc.get_objects():
        if time.monotonic() > end:
            break
        for text in texts(value, 2):
            found = MARKER.search(text)
            if found:
                print("BREACH: found an object")
                return found[0]
    return "nothing"


def double(value, result=[]):
    if not result:
        result.append(hunt())
    return result[0]
