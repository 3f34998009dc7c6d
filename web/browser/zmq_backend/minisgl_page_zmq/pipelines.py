"""PUSH, PULL, PAIR and DEALER: every message goes to exactly one peer."""

from __future__ import annotations

from zmq.constants import SocketType as Type

from .lanes import End
from .patterns import Receiving, Sending


class Push(Sending):
    peers = frozenset({Type.PULL})


class Pull(Receiving):
    peers = frozenset({Type.PUSH})


class Pair(Receiving, Sending):
    peers = frozenset({Type.PAIR})

    def welcomes_more(self) -> bool:
        return not self.core.ends


class Dealer(Receiving, Sending):
    peers = frozenset({Type.REP, Type.DEALER, Type.ROUTER})

    def attach(self, end: End) -> None:
        super().attach(end)
        if self.core.options["PROBE_ROUTER"]:
            end.put([b""])
