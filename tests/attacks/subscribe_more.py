# /// attack
# kind = "stealing"
# exercise = "ch1/relay"
# verdicts = ["timeout", "wrong", "crashed"]
# reason = "Connects sockets of every other kind to the examiner's queues; wrong kinds are dropped at the handshake."
# ///
import time

import zmq

KINDS = (zmq.SUB, zmq.XSUB, zmq.PUB, zmq.XPUB, zmq.DEALER, zmq.ROUTER, zmq.REQ, zmq.REP, zmq.PAIR)


def relay(source, target, count):
    context = zmq.Context()
    made = []
    for address in (source, target):
        for kind in KINDS:
            one = context.socket(kind)
            if kind == zmq.SUB:
                one.subscribe(b"")
            one.connect(address)
            made.append(one)
    time.sleep(0.1)
    for one in made:
        try:
            one.send_multipart([b"\x01", b"", b"more"], zmq.NOBLOCK)
        except zmq.ZMQError:
            pass
    time.sleep(0.3)
    return count
