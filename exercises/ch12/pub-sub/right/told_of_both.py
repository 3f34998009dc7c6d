# Differs: XPUB_VERBOSER tells of every farewell as well, and a `Counter` keeps both. The queues are ready-made
# pairs of context and socket in a tuple, and `empty` asks for the events of the socket.
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgpack
import zmq


class Line(NamedTuple):
    context: zmq.Context
    socket: zmq.Socket

    @classmethod
    def open(cls, kind: int, addr: str, create: bool, *options: tuple) -> "Line":
        context = zmq.Context()
        socket = zmq.Socket(context, kind)
        for option, value in ((zmq.LINGER, 0), *options):
            socket.set(option, value)
        attach = socket.bind if create else socket.connect
        attach(addr)
        return cls(context, socket)

    def close(self) -> None:
        with self.context, self.socket:
            pass


@dataclass
class ZmqPubQueue:
    addr: str
    create: bool
    encoder: Any
    seen: Counter = field(default_factory=Counter)

    def __post_init__(self):
        options = (zmq.XPUB_VERBOSER, 1), (zmq.SNDHWM, 0)
        self.line = Line.open(zmq.XPUB, self.addr, self.create, *options)

    def wait_for_subscribers(self, n):
        while self.seen["arrived"] < n:
            news = self.line.socket.recv_multipart()
            self.seen["arrived" if news[0][0] == 1 else "left"] += 1

    def put(self, obj):
        self.put_raw(msgpack.dumps(self.encoder(obj)))

    def put_raw(self, raw):
        self.line.socket.send_multipart([raw])

    def stop(self):
        self.line.close()


@dataclass
class ZmqSubQueue:
    addr: str
    create: bool
    decoder: Any

    def __post_init__(self):
        self.line = Line.open(zmq.SUB, self.addr, self.create, (zmq.SUBSCRIBE, b""))

    def get(self):
        (raw,) = self.line.socket.recv_multipart()
        return self.decoder(msgpack.loads(raw, strict_map_key=False))

    def empty(self):
        return not self.line.socket.get(zmq.EVENTS) & zmq.POLLIN

    def stop(self):
        self.line.close()
