"""Addresses: what can be bound, what cannot, and who takes a name from whom."""

import os

import zmq


def wrong_addresses(w):
    s = w.socket(zmq.PULL)
    for address in ("foo://x", "x", "tcp://", "ipc://", "inproc://", "tcp://127.0.0.1",
                    "tcp://127.0.0.1:x", "tcp://1.2.3.4.5:70000",
                    "tcp://127.0.0.1:70000", "", "://x"):  # fmt: skip
        w.attempt(f"bind {address}", s.bind, address)
        w.attempt(f"connect {address}", s.connect, address)


def ipc_length(w):
    for length in (107, 108):
        path = f"{w.folder}/".ljust(length, "x")
        w.attempt(f"bind {length}", w.socket(zmq.PULL).bind, f"ipc://{path}")
        w.attempt(f"connect {length}", w.socket(zmq.PUSH).connect, f"ipc://{path}")
    w.say(zmq.IPC_PATH_MAX_LEN)


def ipc_missing_folder(w):
    w.attempt("bind", w.socket(zmq.PULL).bind, w.address("missing/x"))
    w.attempt("connect", w.socket(zmq.PUSH).connect, w.address("missing/x"))


def ipc_file_stays(w):
    path = f"{w.folder}/x"
    for _ in range(2):
        other = zmq.Context()
        s = other.socket(zmq.PULL)
        s.bind(f"ipc://{path}")
        w.say(os.path.exists(path), s.last_endpoint == f"ipc://{path}".encode())
        s.close()
        other.term()
        w.say(os.path.exists(path))


def ipc_made_up_name(w):
    other = zmq.Context()
    s = other.socket(zmq.PULL)
    s.bind("ipc://*")
    path = s.last_endpoint.decode().removeprefix("ipc://")
    w.say(os.path.exists(path))
    s.close()
    other.term()
    w.say(os.path.exists(path))


def ipc_name_is_taken(w):
    first, second = w.socket(zmq.PULL), w.socket(zmq.PULL)
    first.bind(w.address("x"))
    w.attempt("second", second.bind, w.address("x"))
    push = w.socket(zmq.PUSH)
    push.connect(w.address("x"))
    push.send(b"to whom?")
    w.ready(second)
    w.say(second.recv(), first.poll(20))


def address_in_use(w):
    a, b = w.socket(zmq.PULL), w.socket(zmq.PULL)
    port = a.bind_to_random_port("tcp://127.0.0.1")
    w.attempt("tcp", b.bind, f"tcp://127.0.0.1:{port}")
    w.attempt("inproc", a.bind, "inproc://x")
    w.attempt("inproc", b.bind, "inproc://x")
    w.attempt("unbind", a.unbind, "inproc://x")
    w.attempt("inproc", b.bind, "inproc://x")
    w.attempt("unbind", a.unbind, "inproc://never")
    w.attempt("disconnect", a.disconnect, "inproc://never")


def contexts_are_worlds(w):
    other = zmq.Context()
    a, b = w.socket(zmq.PULL), other.socket(zmq.PULL)
    w.attempt("one", a.bind, "inproc://x")
    w.attempt("other", b.bind, "inproc://x")
    push = other.socket(zmq.PUSH)
    push.connect("inproc://x")
    push.send(b"near")
    w.say(b.recv(), a.poll(20))
    a.bind(w.address("shared"))
    push.disconnect("inproc://x")
    push.connect(w.address("shared"))
    push.send(b"far")
    w.ready(a)
    w.say(a.recv())
    other.destroy(linger=0)


def connect_before_bind(w):
    push, pull = w.socket(zmq.PUSH), w.socket(zmq.PULL)
    push.connect(w.address("later"))
    for i in range(3):
        push.send(b"%d" % i)
    pull.bind(w.address("later"))
    w.say(*(pull.recv() for _ in range(3)))


def tcp_wildcard(w):
    pull, push = w.socket(zmq.PULL), w.socket(zmq.PUSH)
    pull.bind("tcp://127.0.0.1:*")
    w.say(pull.last_endpoint.startswith(b"tcp://127.0.0.1:"), b"*" in pull.last_endpoint)
    push.connect(pull.last_endpoint.decode())
    push.send(b"hello")
    w.say(pull.recv())
