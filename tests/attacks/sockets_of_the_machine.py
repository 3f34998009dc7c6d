# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Connects to services of the machine by path and by abstract name; where no test has queues, nothing connects."
# ///
import os
import socket

from minisgl.shapes import Point

PATHS = [
    "@OPEN_SOCKET@", "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket",
    f"/run/user/{os.getuid()}/bus", "/run/systemd/private", "/run/systemd/journal/stdout", "/dev/log",
    "/run/containerd/containerd.sock", "/tmp/.X11-unix/X0", "\0/tmp/.X11-unix/X0", "\0@OPEN_SOCKET@",
]


def look():
    for path in PATHS:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            with socket.socket(socket.AF_UNIX, kind) as caller:
                if caller.connect_ex(path) == 0:
                    print("BREACH: connected to", path)
                try:
                    caller.sendto(b"hello", path)
                except OSError:
                    continue
                print("BREACH: wrote to", path)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
