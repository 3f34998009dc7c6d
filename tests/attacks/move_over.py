# /// attack
# kind = "stealing"
# exercise = "ch1/relay"
# verdicts = ["passed"]
# reason = "Binds in its own folder and moves or links that onto the examiner's address; moving across is refused."
# ///
import gc
import os
import socket

import zmq


def attempt(what, action, *arguments):
    try:
        action(*arguments)
    except OSError:
        return
    print("BREACH:", what, arguments)


def steal(address):
    path = address.removeprefix("ipc://")
    folder = next(
        f["queues"][-1] for f in gc.get_objects() if isinstance(f, dict) and isinstance(f.get("queues"), list)
    )
    own = f"{folder}/own{path[-1]}"
    socket.socket(socket.AF_UNIX).bind(own)
    attempt("moved over", os.rename, own, path)
    attempt("moved away", os.rename, path, own)
    attempt("linked over", os.link, own, path + "l")
    attempt("linked to", os.symlink, path, own + "l")
    attempt("linked hard", os.link, path, own + "h")
    os.unlink(own)


def relay(source, target, count):
    steal(source)
    steal(target)
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
