"""`queues`: the examiner's ends of ZMQ queues, on real ipc sockets in a private directory."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import zmq

from judge.examiner import problems
from judge.examiner.parts import LiveGrading
from judge.texts import Text

MAX_MESSAGE = 16 * 1024 * 1024
QUIET_SECONDS = 0.1
LOOK_SECONDS = 0.1
RECONNECT_MS = 5


class Queues:
    """Makes addresses and peers. Everything is closed when the test ends."""

    def __init__(
        self, grading: LiveGrading, bound_by_examiner: Path, bound_by_learner: Path
    ) -> None:
        self._grading = grading
        self._ours, self._theirs = bound_by_examiner, bound_by_learner
        self._names = itertools.count()
        self._context: zmq.Context | None = None
        self._peers: list[Peer] = []

    def address(self) -> str:
        """A new `ipc://` address that the learner's side may bind."""
        return f"ipc://{self._theirs / f'q{next(self._names)}'}"

    def bind(self, kind: int) -> Peer:
        """A peer of that socket type (`zmq.PULL`, …), bound to a new address: `peer.address`."""
        path = self._ours / f"q{next(self._names)}"
        peer = self._peer(kind)
        peer.socket.bind(f"ipc://{path}")
        path.chmod(0o666)
        peer.address = f"ipc://{path}"
        return peer

    def connect(self, kind: int, address: str, *, subscribe: bytes | None = b"") -> Peer:
        """A peer of that socket type, connected; a SUB subscribes to the prefix `subscribe`."""
        peer = self._peer(kind)
        if kind == zmq.SUB and subscribe is not None:
            peer.socket.subscribe(subscribe)
        peer.socket.connect(address)
        peer.address = address
        return peer

    def exists(self, address: str) -> bool:
        """Whether the learner's side has bound the address."""
        return os.path.exists(address.removeprefix("ipc://"))

    def _peer(self, kind: int) -> Peer:
        if self._context is None:
            self._context = zmq.Context()
        socket = self._context.socket(kind)
        # Nothing of a submission may make the examiner wait or grow without limit.
        socket.linger = 0
        socket.maxmsgsize = MAX_MESSAGE
        socket.handshake_ivl = 1000
        # Who connects before the learner's side has bound is there soon after it has.
        socket.reconnect_ivl = RECONNECT_MS
        if kind == zmq.XPUB:
            socket.xpub_verbose = True
        peer = Peer(self._grading, socket)
        self._peers.append(peer)
        return peer

    def close_peers(self) -> None:
        for peer in self._peers:
            peer.close()
        self._peers.clear()

    def close(self) -> None:
        """Close the peers and the context: for an interpreter that goes on afterwards."""
        self.close_peers()
        if self._context is not None:
            self._context.term()
            self._context = None


class Peer:
    """The examiner's end of one queue. Its waits last as long as the test may last, unless told less."""

    address: str

    def __init__(self, grading: LiveGrading, socket: zmq.Socket) -> None:
        self._grading, self.socket = grading, socket

    def send(self, raw: bytes, seconds: float | None = None) -> None:
        """Send one message; waits until somebody is there to take it."""
        nobody = Text("Nobody connected to the queue", "没有人连接到队列")
        self._when(zmq.POLLOUT, partial(self.socket.send, raw, zmq.NOBLOCK), seconds, nobody)

    def receive(self, seconds: float | None = None) -> bytes:
        """The next message's bytes. A message of several parts fails the test."""
        nothing = Text("No message arrived", "没有收到消息")
        take = partial(self.socket.recv_multipart, zmq.NOBLOCK)
        parts = self._when(zmq.POLLIN, take, seconds, nothing)
        if len(parts) != 1:
            text = Text("A message came in several parts.", "消息被拆成了几个部分。")
            raise problems.LearnerProblem(problems.Outcome.WRONG, text)
        return parts[0]

    def nothing_arrives(self, seconds: float = QUIET_SECONDS) -> bool:
        """Whether no message comes for `seconds`; one that comes stays to be received."""
        return not self.socket.poll(int(seconds * 1000), zmq.POLLIN)

    def close(self) -> None:
        self.socket.close(0)

    def _when(
        self, event: int, action: Callable[[], Any], seconds: float | None, failing: Text
    ) -> Any:
        """What `action` gives once the socket is ready for it."""
        with contextlib.suppress(zmq.Again):
            return action()
        started, deadline = time.monotonic(), self._grading.clock.until(seconds)
        while True:
            poller = zmq.Poller()
            poller.register(self.socket, event)
            links = self._grading.live_links()
            for link in links:
                for descriptor in link.descriptors():
                    poller.register(descriptor, zmq.POLLIN)
            left = min(deadline - time.monotonic(), LOOK_SECONDS)
            ready = dict(poller.poll(max(0, int(left * 1000) + 1)))
            if self.socket in ready:
                with contextlib.suppress(zmq.Again):  # whoever was there may have left since
                    return action()
            for link in links:
                link.attend()
            self._grading.raise_if_failed()
            if time.monotonic() >= deadline:
                raise problems.silence(deadline - started, failing, self._grading.where())
