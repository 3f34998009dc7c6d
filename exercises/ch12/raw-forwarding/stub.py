"""One step of receiving on every rank: the same bytes, in the same order, as many on each."""

from __future__ import annotations

from typing import Any, Protocol

# What a rank gives to `broadcast`: rank 0 a number, the others nothing.
Contribution = int | None


class RawQueue(Protocol):
    """A queue to receive from.

    A PULL queue on rank 0; on the others a SUB queue that also has `get_raw` and `decode`.
    """

    def empty(self) -> bool:
        """Whether no message is waiting. Does not wait."""

    def get_raw(self) -> bytes:
        """Wait for the next message and return its bytes."""

    def decode(self, raw: bytes) -> Any:
        """The message in `raw`; raises an exception if there is none."""


class RawPublisher(Protocol):
    """Rank 0's PUB queue, to which all other ranks have subscribed."""

    def put_raw(self, raw: bytes) -> None:
        """Send `raw` to every other rank. Does not wait."""


class Group(Protocol):
    """All ranks of the model."""

    def broadcast(self, number: Contribution) -> int:
        """Rank 0 gives a number, the others give None; all of them get the number.

        Rank 0 does not wait. The others wait until rank 0 has called it as often as they have.
        """


def receive_on_rank0(
    from_tokenizer: RawQueue, to_ranks: RawPublisher, group: Group, blocking: bool
) -> list[Any]:
    """Take the messages of one step, forward them, and return them decoded."""
    raise NotImplementedError


def receive_on_other_rank(from_rank0: RawQueue, group: Group) -> list[Any]:
    """Take the messages of the step that rank 0 has announced, and return them decoded."""
    raise NotImplementedError
