# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed"]
# reason = "Announces a frame of eight gigabytes; the length alone is refused, before anything is stored."
# ///
import socket
import struct

socket.socket.sendall = lambda self, data: self.send(struct.pack("<II", 2**32 - 1, 2**32 - 1) + bytes(1000))


def double(value):
    return value * 2
