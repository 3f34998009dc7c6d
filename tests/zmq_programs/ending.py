"""How things end: closing, lingering, and contexts that terminate."""

import threading
import time

import zmq


def after_close(w):
    s = w.socket(zmq.PUSH)
    s.bind("inproc://x")
    s.close()
    s.close()
    w.say(s.closed)
    w.attempt("send", s.send, b"x")
    w.attempt("recv", s.recv)
    w.attempt("set", s.set, zmq.LINGER, 0)
    w.attempt("get", s.get, zmq.LINGER)
    w.attempt("connect", s.connect, "inproc://x")


def receiver_outlives_sender(w):
    pull = w.socket(zmq.PULL)
    pull.bind("inproc://x")
    push = w.socket(zmq.PUSH)
    push.connect("inproc://x")
    for i in range(3):
        push.send(b"%d" % i)
    push.close()
    w.say(w.all_in(pull))
    push = w.socket(zmq.PUSH)
    push.connect("inproc://x")
    push.send(b"another")
    w.say(w.all_in(pull))


def linger_delivers(w):
    other = zmq.Context()
    push = other.socket(zmq.PUSH)
    push.connect(w.address("x"))
    push.send(b"kept")
    push.close()
    ended = threading.Event()

    def end():
        other.term()
        ended.set()

    threading.Thread(target=end, daemon=True).start()
    w.say(ended.wait(0.05))
    pull = w.socket(zmq.PULL)
    pull.bind(w.address("x"))
    w.say(pull.recv(), ended.wait(3))


def linger_has_a_limit(w):
    for linger, least, most in ((0, 0, 0.5), (80, 0.07, 2)):
        other = zmq.Context()
        push = other.socket(zmq.PUSH)
        push.connect(w.address("nobody"))
        push.send(b"dropped")
        started = time.monotonic()
        push.close(linger=linger)
        other.term()
        w.say(linger, least <= time.monotonic() - started < most)


def sub_does_not_linger(w):
    other = zmq.Context()
    sub = other.socket(zmq.SUB)
    sub.subscribe(b"")
    sub.connect(w.address("nobody"))
    started = time.monotonic()
    sub.close()
    other.term()
    w.say(time.monotonic() - started < 1)


def term_interrupts(w):
    other = zmq.Context()
    waiting = threading.Event()
    lines = []

    def receive():
        s = other.socket(zmq.PULL)
        s.bind("inproc://x")
        waiting.set()
        for action in (s.recv, lambda: s.get(zmq.LINGER), lambda: s.poll(0)):
            try:
                action()
            except zmq.ZMQError as error:
                lines.append(zmq.Errno(error.errno).name)
        lines.append(s.closed)
        s.close()

    thread = threading.Thread(target=receive)
    thread.start()
    waiting.wait(2)
    other.term()
    thread.join(2)
    w.say(lines, other.closed)
    w.attempt("socket", other.socket, zmq.PULL)


def destroy_closes_all(w):
    other = zmq.Context()
    sockets = [other.socket(kind) for kind in (zmq.PUSH, zmq.SUB, zmq.REP)]
    sockets[0].connect(w.address("nobody"))
    sockets[0].send(b"x")
    other.destroy(linger=0)
    w.say([s.closed for s in sockets], other.closed)


def too_many_sockets(w):
    other = zmq.Context()
    other.max_sockets = 2
    kept = []
    for _ in range(3):
        w.attempt("socket", lambda: kept.append(other.socket(zmq.PULL)))
    other.destroy(0)


def disconnect_and_return(w):
    pull, push = w.socket(zmq.PULL), w.socket(zmq.PUSH)
    push.bind("inproc://x")
    for i in range(2):
        pull.connect("inproc://x")
        push.send(b"%d" % i)
        w.say(pull.recv())
        pull.disconnect("inproc://x")
        while push.poll(5, zmq.POLLOUT):
            pass  # until it has noticed
        w.attempt("nobody", push.send, b"x", zmq.NOBLOCK)


def pair_is_for_two(w):
    a, b, c = (w.socket(zmq.PAIR) for _ in range(3))
    a.bind("inproc://x")
    b.connect("inproc://x")
    b.send(b"hello")
    w.say(a.recv())
    c.connect("inproc://x")
    c.sndtimeo = 20
    a.send(b"for b")
    w.say(b.recv(), c.poll(20))


def monitor(w):
    from zmq.utils.monitor import recv_monitor_message

    push, pull = w.socket(zmq.PUSH), w.socket(zmq.PULL)
    events = push.get_monitor_socket(zmq.EVENT_CONNECTED | zmq.EVENT_MONITOR_STOPPED)
    pull.bind(w.address("x"))
    push.connect(w.address("x"))
    w.say(recv_monitor_message(events)["event"].name)
    push.disable_monitor()
    w.say(recv_monitor_message(events)["event"].name)
