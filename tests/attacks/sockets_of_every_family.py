# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Opens sockets of every family and kind: the machine's network, its kernel's channels, its host; only AF_UNIX exists."
# ///
import socket

from minisgl.shapes import Point


def look():
    for family in range(64):
        for kind in (1, 2, 3, 5, 10, 2 | socket.SOCK_NONBLOCK):
            for protocol in (0, 1, 16, 768):
                try:
                    made = socket.socket(family, kind, protocol)
                except OSError:
                    continue
                if family != socket.AF_UNIX:
                    print("BREACH: family", family, kind, protocol)
                made.close()
    for action in (
        lambda: socket.create_connection(("127.0.0.1", 22), 0.2),
        lambda: socket.getaddrinfo("localhost", 80, family=socket.AF_INET, type=1)[0][4][0] + 1,
        lambda: socket.if_nameindex(),
    ):
        try:
            print("BREACH: network", action())
        except (OSError, TypeError):
            pass


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
