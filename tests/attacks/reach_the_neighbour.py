# /// attack
# kind = "stealing"
# exercise = "ch1/relay"
# verdicts = ["passed"]
# reason = "Looks for the queues of other gradings, by list and by guess; folders are covered, and their names are random."
# ///
import gc
import os
import socket

import zmq


def look(address):
    folders = next(
        f["queues"] for f in gc.get_objects() if isinstance(f, dict) and isinstance(f.get("queues"), list)
    )
    judge = os.path.dirname(os.path.dirname(folders[0]))
    number = int(os.path.basename(folders[0]).split("-")[0])
    names = [str(n) for n in range(max(0, number - 50), number + 50)]
    for part in ("bound-by-examiner", "bound-by-learner"):
        try:
            names += os.listdir(f"{judge}/{part}")
        except OSError:
            pass
    for name in names:
        for part in ("bound-by-examiner", "bound-by-learner"):
            for queue in ("q0", "q1"):
                if name == os.path.basename(folders[0]):
                    continue
                with socket.socket(socket.AF_UNIX) as caller:
                    if caller.connect_ex(f"{judge}/{part}/{name}/{queue}") == 0:
                        print("BREACH: reached", part, name, queue)


def relay(source, target, count):
    look(source)
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
