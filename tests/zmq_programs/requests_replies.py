"""REQ, REP, DEALER and ROUTER: taking turns, and names."""

import threading

import zmq


def _pair(w, server, client, address="inproc://x"):
    a, b = w.socket(server), w.socket(client)
    a.bind(address)
    b.connect(address)
    return a, b


def taking_turns(w):
    rep, req = _pair(w, zmq.REP, zmq.REQ)
    w.attempt("req recv", req.recv, zmq.NOBLOCK)
    w.attempt("rep send", rep.send, b"x", zmq.NOBLOCK)
    req.send(b"ask")
    w.attempt("req send", req.send, b"again", zmq.NOBLOCK)
    w.say(rep.recv())
    w.attempt("rep recv", rep.recv, zmq.NOBLOCK)
    w.say(req.poll(5), req.events, rep.events)
    rep.send_multipart([b"answer", b""])
    w.say(req.recv_multipart())
    req.send(b"next")
    w.say(rep.recv())


def request_without_peer(w):
    req = w.socket(zmq.REQ, SNDTIMEO=20)
    w.attempt("send", req.send, b"x")
    req.connect(w.address("nobody"))
    w.attempt("send", req.send, b"x")
    req.rcvtimeo = 20
    w.attempt("recv", req.recv)
    w.attempt("send", req.send, b"x")


def relaxed(w):
    router = w.socket(zmq.ROUTER)
    router.bind(w.address("x"))
    req = w.socket(zmq.REQ, REQ_RELAXED=1, REQ_CORRELATE=1)
    req.connect(w.address("x"))
    req.send(b"first")
    first = router.recv_multipart()
    req.send(b"second")
    second = router.recv_multipart()
    w.say(len(first), first[2:], second[2:])
    router.send_multipart([*first[:3], b"late"])
    router.send_multipart([*second[:3], b"right"])
    w.say(req.recv())


def router_names(w):
    router = w.socket(zmq.ROUTER)
    router.bind(w.address("x"))
    dealers = {}
    for name in (b"ann", b"bob"):
        dealers[name] = w.socket(zmq.DEALER, ROUTING_ID=name)
        dealers[name].connect(w.address("x"))
        dealers[name].send_multipart([b"hello", name])
        w.say(router.recv_multipart())
    router.send_multipart([b"bob", b"for bob"])
    router.send_multipart([b"eve", b"for nobody"])
    w.say(dealers[b"bob"].recv(), dealers[b"ann"].poll(20))


def router_automatic_name(w):
    router, dealer = _pair(w, zmq.ROUTER, zmq.DEALER)
    dealer.send(b"x")
    name, body = router.recv_multipart()
    w.say(len(name), name[:1], body)
    router.send_multipart([name, b"", b"y"])
    w.say(dealer.recv_multipart())


def router_mandatory(w):
    router = w.socket(zmq.ROUTER, ROUTER_MANDATORY=1)
    router.bind("inproc://x")
    w.attempt("unknown", router.send_multipart, [b"eve", b"x"])
    dealer = w.socket(zmq.DEALER, ROUTING_ID=b"ann")
    dealer.connect("inproc://x")
    dealer.send(b"here")
    w.say(router.recv_multipart())
    w.attempt("known", router.send_multipart, [b"ann", b"x"])
    w.say(dealer.recv())


def same_name_twice(w):
    for handover in (0, 1):
        router = w.socket(zmq.ROUTER, ROUTER_HANDOVER=handover)
        router.bind(w.address(f"x{handover}"))
        dealers = []
        for i in range(2):
            dealers.append(w.socket(zmq.DEALER, ROUTING_ID=b"ann"))
            dealers[i].connect(w.address(f"x{handover}"))
            dealers[i].send(b"%d" % i)
            w.say([router.recv_multipart()] if router.poll(150) else [])
        router.send_multipart([b"ann", b"which?"])
        w.say([d.poll(100) for d in dealers])


def dealer_to_rep(w):
    rep, dealer = _pair(w, zmq.REP, zmq.DEALER)
    dealer.send(b"no delimiter, so it is dropped")
    dealer.send_multipart([b"a", b"b", b"", b"ask"])
    w.say(rep.recv_multipart())
    rep.send(b"answer")
    w.say(dealer.recv_multipart())


def probe(w):
    router = w.socket(zmq.ROUTER)
    router.bind(w.address("x"))
    dealer = w.socket(zmq.DEALER, PROBE_ROUTER=1, ROUTING_ID=b"ann")
    dealer.connect(w.address("x"))
    w.say(router.recv_multipart())


def replies_go_home(w):
    rep = w.socket(zmq.REP)
    rep.bind(w.address("x"))
    reqs = [w.socket(zmq.REQ) for _ in range(3)]
    for i, req in enumerate(reqs):
        req.connect(w.address("x"))
        req.send(b"%d" % i)
    for _ in reqs:
        rep.send(rep.recv() * 2)
    w.say(*(req.recv() for req in reqs))


def requester_gone(w):
    rep, req = _pair(w, zmq.REP, zmq.REQ)
    req.send(b"x")
    w.say(rep.recv())
    req.close(linger=0)
    w.attempt("reply", rep.send, b"nobody", zmq.NOBLOCK)
    w.attempt("next", rep.recv, zmq.NOBLOCK)


def proxy(w):
    front, back = w.socket(zmq.ROUTER), w.socket(zmq.DEALER)
    front.bind("inproc://front")
    back.bind("inproc://back")
    ended = []

    def run():
        try:
            zmq.proxy(front, back)
        except zmq.ZMQError as error:
            ended.append(type(error).__name__)
        front.close(0)
        back.close(0)

    thread = threading.Thread(target=run)
    thread.start()
    req, rep = w.socket(zmq.REQ), w.socket(zmq.REP)
    req.connect("inproc://front")
    rep.connect("inproc://back")
    for _ in range(2):
        req.send(b"ask")
        w.say(rep.recv())
        rep.send(b"answer")
        w.say(req.recv())
    req.close(0)
    rep.close(0)
    w.context.term()
    thread.join(2)
    w.say(ended)
