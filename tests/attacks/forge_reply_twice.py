# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed"]
# reason = "Replies twice to each request, so that the second may pass for the next one's; its number gives it away."
# ///
import socket

from minisgl.shapes import Point

send = socket.socket.sendall
socket.socket.sendall = lambda self, data: (send(self, data), send(self, data))


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
