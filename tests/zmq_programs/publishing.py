"""PUB and SUB: prefixes, late subscribers, and what a publisher hears."""

import time

import zmq


def _noted(w, xpub, count):
    for _ in range(count):
        w.ready(xpub)
        w.say("notice", xpub.recv())


def prefixes(w):
    pub = w.socket(zmq.XPUB)
    pub.bind(w.address("x"))
    sub = w.socket(zmq.SUB, SUBSCRIBE=b"ab", RCVTIMEO=2000)
    sub.connect(w.address("x"))
    _noted(w, pub, 1)
    for topic in (b"a", b"ab", b"abc", b"b", b"", b"xab"):
        pub.send(topic)
    w.say(w.all_in(sub))
    sub.subscribe(b"b")
    _noted(w, pub, 1)
    sub.unsubscribe(b"ab")
    _noted(w, pub, 1)
    for topic in (b"ab", b"b", b"bc"):
        pub.send_multipart([topic, b"body"])
    w.say(sub.recv_multipart(), sub.recv_multipart(), sub.poll(20))


def slow_joiner(w):
    pub, sub = w.socket(zmq.PUB), w.socket(zmq.SUB, SUBSCRIBE=b"")
    pub.bind(w.address("x"))
    pub.send(b"too early")
    # Only now: a subscription that is on its way may overtake a message on a busy machine.
    sub.connect(w.address("x"))
    while not sub.poll(20):
        pub.send(b"canary")
    w.say(set(w.all_in(sub)))


def late_subscription(w):
    pub, sub = w.socket(zmq.XPUB), w.socket(zmq.SUB, SUBSCRIBE=b"a")
    pub.bind(w.address("x"))
    sub.connect(w.address("x"))
    _noted(w, pub, 1)
    pub.send(b"b1")
    sub.subscribe(b"b")
    _noted(w, pub, 1)
    pub.send(b"b2")
    w.say(w.all_in(sub))


def nobody_listens(w):
    pub = w.socket(zmq.PUB)
    pub.bind(w.address("x"))
    for _ in range(5):
        pub.send(b"x", zmq.NOBLOCK)
    w.say(pub.events, zmq.POLLOUT)
    w.attempt("recv", pub.recv)


def sub_without_subscription(w):
    pub, quiet = w.socket(zmq.XPUB), w.socket(zmq.SUB)
    loud = w.socket(zmq.SUB, SUBSCRIBE=b"")
    pub.bind(w.address("x"))
    quiet.connect(w.address("x"))
    loud.connect(w.address("x"))
    _noted(w, pub, 1)
    pub.send(b"hello")
    w.say(w.all_in(loud), w.all_in(quiet))


def verbose(w):
    for option in (None, "XPUB_VERBOSE", "XPUB_VERBOSER"):
        pub = w.socket(zmq.XPUB, **({option: 1} if option else {}))
        pub.bind(w.address(f"{option}"))
        subs = []
        for _ in range(3):
            sub = w.socket(zmq.SUB, SUBSCRIBE=b"t")
            sub.connect(w.address(f"{option}"))
            subs.append(sub)
        w.say(option, w.all_in(pub))
        for sub in subs:
            sub.close()
        w.say(option, w.all_in(pub))


def subscribed_twice(w):
    pub, sub = w.socket(zmq.XPUB, XPUB_VERBOSE=1), w.socket(zmq.SUB)
    pub.bind("inproc://x")
    sub.connect("inproc://x")
    for action in (sub.subscribe, sub.subscribe, sub.unsubscribe, sub.unsubscribe):
        action(b"t")
        w.say(w.all_in(pub))
        pub.send(b"topic")
        w.say(w.all_in(sub))


def everybody_gets_it(w):
    pub = w.socket(zmq.XPUB, XPUB_VERBOSE=1)
    pub.bind(w.address("x"))
    subs = [w.socket(zmq.SUB, SUBSCRIBE=b"") for _ in range(4)]
    for sub in subs:
        sub.connect(w.address("x"))
    _noted(w, pub, len(subs))
    for i in range(3):
        pub.send(b"%d" % i)
    for sub in subs:
        w.say(*(sub.recv() for _ in range(3)))


def full_subscriber_loses(w):
    pub, sub = w.socket(zmq.PUB, SNDHWM=2), w.socket(zmq.SUB, SUBSCRIBE=b"", RCVHWM=2)
    pub.bind("inproc://x")
    sub.connect("inproc://x")
    pub.poll(5, zmq.POLLOUT)
    time.sleep(0.01)  # PUB looks at subscriptions at most once a millisecond while it sends
    for i in range(10):
        pub.send(b"%d" % i)
    w.say(w.all_in(sub))


def no_drop(w):
    pub, sub = w.socket(zmq.XPUB, SNDHWM=2, XPUB_NODROP=1), w.socket(zmq.SUB, RCVHWM=2)
    sub.subscribe(b"")
    pub.bind("inproc://x")
    sub.connect("inproc://x")
    _noted(w, pub, 1)
    for _ in range(5):
        w.attempt("send", pub.send, b"x", zmq.NOBLOCK)


def sub_that_binds(w):
    sub, pub = w.socket(zmq.SUB, SUBSCRIBE=b""), w.socket(zmq.XPUB)
    sub.bind(w.address("x"))
    pub.connect(w.address("x"))
    w.say("before it looks", pub.poll(60))
    w.say("looks", sub.poll(0))
    _noted(w, pub, 1)
    pub.send(b"hello")
    w.say(sub.recv())


def xsub_by_hand(w):
    pub, sub = w.socket(zmq.XPUB), w.socket(zmq.XSUB)
    pub.bind(w.address("x"))
    sub.connect(w.address("x"))
    sub.send(b"\x01a")
    _noted(w, pub, 1)
    pub.send(b"abc")
    w.say(sub.recv())
    sub.send(b"upstream")
    _noted(w, pub, 1)
    sub.send(b"\x00a")
    _noted(w, pub, 1)


def publisher_comes_back(w):
    sub = w.socket(zmq.SUB, SUBSCRIBE=b"t")
    sub.connect(w.address("x"))
    for round_number in range(2):
        pub = w.socket(zmq.XPUB)
        pub.bind(w.address("x"))
        while not pub.poll(20):
            sub.poll(0)  # SUB subscribes anew inside a call of its program only
        w.say(pub.recv())
        pub.send(b"t%d" % round_number)
        w.say(sub.recv())
        pub.close()


def welcome(w):
    pub = w.socket(zmq.XPUB, XPUB_WELCOME_MSG=b"welcome")
    pub.bind(w.address("x"))
    sub = w.socket(zmq.SUB, SUBSCRIBE=b"w")
    sub.connect(w.address("x"))
    _noted(w, pub, 1)
    w.say(sub.recv())
