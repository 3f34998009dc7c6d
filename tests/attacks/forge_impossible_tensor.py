# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed"]
# reason = "Sends an empty tensor whose other sizes multiply to more than torch can count; torch's error is a broken frame."
# ///
import socket

import msgpack

from judge.wire import HEADER

called = []


def send(self, data):
    if called:
        tensor = ["T", "uint8", [0] + [16 * 2**20] * 15, 0, None]
        structure = msgpack.packb([["d", "id", 4, "value", tensor], [0]])
        data = HEADER.pack(len(structure), 0) + structure
    self.send(data)


socket.socket.sendall = send


def double(value):
    called.append(value)
    return value * 2
