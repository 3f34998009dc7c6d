"""Requests to an examinee and what its replies mean, whatever carries them."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

from judge import wire
from judge.examiner import problems

_KINDS = {"value", "raised", "absent", "unsendable"}


class Replies:
    """Numbers requests and turns replies into values or `LearnerProblem`s.

    `classes` are dataclasses that a reply may hold although no request named them. `learner_file` is
    the file name under which the learner's code appears in tracebacks.
    """

    def __init__(self, learner_file: str, classes: list[type]) -> None:
        self._learner_file = learner_file
        self._classes: dict[tuple[str, str], type] = {}
        self._decoder = wire.Decoder(lambda module, name, _: self._classes.get((module, name)))
        self._number = 0
        for cls in classes:
            self._know_class(cls)

    def _know_class(self, cls: type) -> None:
        self._classes[cls.__module__, cls.__qualname__] = cls

    def request(self, op: str, fields: dict[str, Any]) -> bytes:
        """The frame of a new request. Raises `NotPlainData` for an argument that cannot cross."""
        self._number += 1
        encoder = wire.Encoder(keep_layout=True, on_class=self._know_class)
        return encoder.encode({"id": self._number, "op": op, **fields})

    def decode(self, structure: bytes, attachments: bytes) -> Any:
        """A reply's content. Raises `WireError`."""
        try:
            return self._decoder.decode(structure, attachments)
        except wire.WireError:
            raise
        except Exception as error:
            # torch has limits of its own. Whatever bytes bring about while they are read, it must
            # not look like a mistake of the judge or of a test.
            raise wire.WireError(f"{type(error).__name__}: {error}") from None

    def value(self, reply: Any) -> Any:
        """What the last request gave. Raises `LearnerProblem`, and `Forged` for no proper reply."""
        keys = set(reply) if type(reply) is dict else set()
        kind = (keys - {"id"}).pop() if len(keys) == 2 and "id" in keys else None
        if kind not in _KINDS or type(reply["id"]) is not int or reply["id"] != self._number:
            raise problems.Forged("a reply to no request")
        body = reply[kind]
        if kind == "value":
            return body
        if type(body) is not dict:
            raise problems.Forged("a reply without a body")
        if kind == "raised":
            raise problems.LearnerRaised(body, self._learner_file)
        raise problems.absent(body) if kind == "absent" else problems.unsendable(body)


def dataclasses_of(package: str) -> list[type]:
    """The dataclasses of a package's modules that are imported now: a reply may hold them."""
    return [
        value
        for name, module in list(sys.modules.items())
        if name == package or name.startswith(f"{package}.")
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == name and dataclasses.is_dataclass(value)
    ]
