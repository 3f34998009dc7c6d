# Differs: `empty` receives without waiting and keeps what it got for the next `get`. All subscriptions are
# kept and counted anew each time, and `stop` leaves the closing of the socket to its context.
from collections import deque

import msgpack
import zmq

FOR_EVER = None


def open_socket(kind, addr, create, **options):
    context = zmq.Context(io_threads=1)
    sock = context.socket(kind)
    sock.setsockopt(zmq.LINGER, 0)
    for name, value in options.items():
        sock.set(getattr(zmq, name), value)
    (sock.bind if create else sock.connect)(addr)
    return context, sock


class ZmqPubQueue:
    def __init__(self, addr, create, encoder):
        self.encoder, self.news = encoder, []
        options = {"XPUB_VERBOSE": True, "SNDHWM": 0}
        self.context, self.sock = open_socket(zmq.XPUB, addr, create, **options)

    def wait_for_subscribers(self, n):
        poller = zmq.Poller()
        poller.register(self.sock, zmq.POLLIN)
        while sum(news[:1] == b"\x01" for news in self.news) < n:
            poller.poll(FOR_EVER)
            self.news.append(self.sock.recv(zmq.NOBLOCK))

    def put(self, obj):
        self.put_raw(msgpack.Packer(use_bin_type=True).pack(self.encoder(obj)))

    def put_raw(self, raw):
        self.sock.send(raw)

    def stop(self):
        self.context.destroy(linger=0)


class ZmqSubQueue:
    def __init__(self, addr, create, decoder):
        self.decoder, self.waiting = decoder, deque()
        self.context, self.sock = open_socket(zmq.SUB, addr, create, SUBSCRIBE=b"", RCVHWM=0)

    def get(self):
        raw = self.waiting.popleft() if self.waiting else self.sock.recv()
        return self.decoder(msgpack.unpackb(raw, raw=False, strict_map_key=False))

    def empty(self):
        if not self.waiting:
            try:
                self.waiting.append(self.sock.recv(zmq.NOBLOCK))
            except zmq.Again:
                return True
        return False

    def stop(self):
        self.context.destroy(linger=0)
