# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["timeout"]
# reason = "Sends a reply byte by byte for as long as somebody reads; the clock does not stop for a byte."
# ///
import socket
import struct


def send(self, data):
    self.send(struct.pack("<II", 500_000, 16_000_000))
    while True:
        self.send(b"\0")


def double(value):
    socket.socket.sendall = send
    return value * 2
