"""Waiting: who waits for whom, for how long, and what fits before somebody waits."""

import threading
import time

import zmq


def push_without_peer(w):
    push = w.socket(zmq.PUSH, SNDTIMEO=30)
    push.bind(w.address("x"))
    w.attempt("noblock", push.send, b"x", zmq.NOBLOCK)
    w.attempt("timeout", push.send, b"x")
    w.say(push.poll(0, zmq.POLLOUT), push.poll(10, zmq.POLLIN | zmq.POLLOUT))


def push_waits_for_peer(w):
    push, pull = w.socket(zmq.PUSH), w.socket(zmq.PULL)
    push.bind(w.address("x"))
    sent = threading.Event()

    def send():
        push.send(b"at last")
        sent.set()

    thread = threading.Thread(target=send)
    thread.start()
    w.say(sent.wait(0.05))
    pull.connect(w.address("x"))
    w.say(pull.recv(), sent.wait(2))
    thread.join()


def receive_timeouts(w):
    pull = w.socket(zmq.PULL, RCVTIMEO=40)
    pull.bind("inproc://x")
    started = time.monotonic()
    w.attempt("timeout", pull.recv)
    w.say(0.035 < time.monotonic() - started < 1)
    pull.rcvtimeo = 0
    w.attempt("zero", pull.recv)
    w.attempt("noblock", pull.recv, zmq.NOBLOCK)


def high_water_inproc(w):
    push, pull = w.socket(zmq.PUSH, SNDHWM=3), w.socket(zmq.PULL, RCVHWM=4)
    pull.bind("inproc://x")
    push.connect("inproc://x")

    def fill():
        push.poll(0, zmq.POLLOUT)  # sending alone takes note of room only once a millisecond
        sent = 0
        while True:
            try:
                push.send(b"%d" % sent, zmq.NOBLOCK)
            except zmq.Again:
                return sent
            sent += 1

    w.say("fits", fill())
    for count in (1, 1, 1, 1, 3):
        for _ in range(count):
            pull.recv()
        w.say("read", count, "fits", fill())


def high_water_unconnected(w):
    push = w.socket(zmq.PUSH, SNDHWM=2)
    push.connect(w.address("nobody"))
    for _ in range(3):
        w.attempt("send", push.send, b"x", zmq.NOBLOCK)


def high_water_zero(w):
    push, pull = w.socket(zmq.PUSH, SNDHWM=0), w.socket(zmq.PULL, RCVHWM=0)
    pull.bind("inproc://x")
    push.connect("inproc://x")
    for i in range(3000):
        push.send(b"%d" % i, zmq.NOBLOCK)
    w.say(len([pull.recv(zmq.NOBLOCK) for _ in range(3000)]))


def immediate(w):
    push = w.socket(zmq.PUSH, IMMEDIATE=1)
    push.connect(w.address("x"))
    w.attempt("nobody", push.send, b"x", zmq.NOBLOCK)
    pull = w.socket(zmq.PULL)
    pull.bind(w.address("x"))
    w.ready(push, zmq.POLLOUT)
    push.send(b"somebody")
    w.say(pull.recv())


def round_robin(w):
    push = w.socket(zmq.PUSH)
    push.bind("inproc://x")
    pulls = [w.socket(zmq.PULL) for _ in range(3)]
    for pull in pulls:
        pull.connect("inproc://x")
    for i in range(7):
        push.send(b"%d" % i)
    for pull in pulls:
        w.say(w.all_in(pull))


def fair_queuing(w):
    pull = w.socket(zmq.PULL)
    pull.bind("inproc://x")
    pushes = [w.socket(zmq.PUSH) for _ in range(3)]
    for name, push in zip(b"abc", pushes, strict=True):
        push.connect("inproc://x")
        for i in range(1 + len(pushes)):
            push.send(b"%c%d" % (name, i))
    w.say(w.all_in(pull))
    pushes[2].send(b"c")
    pushes[0].send(b"a")
    w.say(sorted(w.all_in(pull)))


def full_peers_are_passed_over(w):
    push = w.socket(zmq.PUSH, SNDHWM=1)
    push.bind("inproc://x")
    pulls = [w.socket(zmq.PULL, RCVHWM=size) for size in (1, 4)]
    for pull in pulls:
        pull.connect("inproc://x")
    sent = 0
    while push.poll(0, zmq.POLLOUT):
        push.send(b"%d" % sent)
        sent += 1
    w.say(sent)
    for pull in pulls:
        w.say(w.all_in(pull))


def multipart(w):
    a, b = w.socket(zmq.PAIR), w.socket(zmq.PAIR)
    a.bind("inproc://x")
    b.connect("inproc://x")
    a.send(b"one", zmq.SNDMORE)
    w.say("incomplete", b.poll(20))
    a.send(b"", zmq.SNDMORE)
    a.send(b"three")
    w.say(b.recv(), b.get(zmq.RCVMORE), b.poll(0), b.recv(), b.rcvmore, b.recv(), b.rcvmore)
    a.send_multipart([b"", b""])
    w.say(b.recv_multipart())
    frame = (a.send(b"frame"), b.recv(copy=False))[1]
    w.say(frame.bytes, len(frame), frame.more, bytes(frame.buffer))


def empty_messages(w):
    push, pull = w.socket(zmq.PUSH), w.socket(zmq.PULL)
    pull.bind("inproc://x")
    push.connect("inproc://x")
    for data in (b"", bytearray(b"ab"), memoryview(b"cd")):
        push.send(data)
        w.say(pull.recv())
    for data in ("text", 5, None, [b"x"]):
        w.attempt(f"send {data!r}", push.send, data)


def poll_many(w):
    pulls = [w.socket(zmq.PULL) for _ in range(3)]
    poller = zmq.Poller()
    for i, pull in enumerate(pulls):
        pull.bind(f"inproc://{i}")
        poller.register(pull, zmq.POLLIN)
    w.say(poller.poll(0), poller.poll(10))
    push = w.socket(zmq.PUSH)
    push.connect("inproc://1")
    push.send(b"x")
    w.say([pulls.index(s) for s, _ in poller.poll(1000)])
    w.say(len(zmq.select([pulls[1]], [push], [], 1)[0]))
    w.say(pulls[1].recv(), poller.poll(0))


def conflate(w):
    push, pull = w.socket(zmq.PUSH), w.socket(zmq.PULL, CONFLATE=1)
    pull.bind(w.address("x"))
    push.connect(w.address("x"))
    for i in range(10):
        push.send(b"%d" % i)
    time.sleep(0.1)  # there is no event that says that the last one has come
    w.say(w.all_in(pull))


def options(w):
    s = w.socket(zmq.PUSH)
    w.say(s.sndhwm, s.rcvhwm, s.linger, s.rcvtimeo, s.immediate, s.type, s.events, s.rcvmore)
    w.say(w.socket(zmq.SUB).linger, w.context.get(zmq.MAX_SOCKETS), w.context.get(zmq.IO_THREADS))
    w.attempt("hwm", s.set, zmq.SNDHWM, -1)
    w.attempt("linger", s.set, zmq.LINGER, -2)
    w.attempt("id", s.set, zmq.ROUTING_ID, b"")
    w.attempt("long id", s.set, zmq.ROUTING_ID, b"x" * 256)
    w.attempt("subscribe", s.set, zmq.SUBSCRIBE, b"")
    w.attempt("verbose", s.set, zmq.XPUB_VERBOSE, 1)
    w.attempt("type", s.set, zmq.TYPE, 1)
    w.attempt("text", s.set, zmq.ROUTING_ID, "text")
    w.attempt("unknown", s.get, 9999)


def wrong_direction(w):
    for kind in (zmq.PUSH, zmq.PULL, zmq.PUB, zmq.SUB, zmq.XPUB, zmq.PAIR, zmq.DEALER):
        s = w.socket(kind)
        w.attempt(f"{kind} send", s.send, b"x", zmq.NOBLOCK)
        w.attempt(f"{kind} recv", s.recv, zmq.NOBLOCK)
