# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["error", "memory", "wrong", "timeout"]
# reason = "Fills the buffers of as many sockets and pipes as it gets; 256 descriptors bound that, and pipes keep their size."
# ///
import fcntl
import functools
import os
import socket


def fill(write):
    try:
        while True:
            write(bytes(1 << 16))
    except (BlockingIOError, OSError):
        return


def double(value):
    held, made = [], 0
    try:
        while made < 2000:
            pair = socket.socketpair()
            held.extend(pair)
            for end in pair:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
                fill(end.send)
            made += 1
    except OSError as error:
        if made > 130:
            print("BREACH: socket pairs", made)
        print(error)
    for end in held:
        end.close()
    pipes = [os.pipe() for _ in range(50)]
    for _, writing in pipes:
        try:
            if fcntl.fcntl(writing, 1031, 1 << 20):
                print("BREACH: a pipe of a megabyte")
        except OSError:
            pass
        os.set_blocking(writing, False)
        fill(functools.partial(os.write, writing))
    return made
