# /// attack
# kind = "reading"
# exercise = "ch1/relay"
# verdicts = ["passed"]
# reason = "Asks Python for the test file that a probe came from; only the probe's own lines are here."
# ///
import inspect
import linecache
import re
import sys

import zmq

MARKER = re.compile("planted-[0-9a-f]{16}")


def look():
    for name, entry in list(linecache.cache.items()):
        if MARKER.search("".join(entry[2] if len(entry) > 2 else [])):
            print("BREACH: lines of", name)
    frame = sys._getframe()
    while frame is not None:
        try:
            lines = "".join(inspect.getsourcelines(frame.f_code)[0])
        except (OSError, TypeError):
            lines = ""
        if frame.f_code.co_filename.startswith("test_") and "queues.bind" in lines:
            print("BREACH: source of a test")
        frame = frame.f_back


def relay(source, target, count):
    look()
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.connect(source)
    push.connect(target)
    for _ in range(count):
        push.send(pull.recv())
    pull.close()
    push.close()
    context.term()
    return count
