"""The fixtures of tests that run in the learner's own interpreter, as a pytest plugin."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from judge.examiner import feedback
from judge.examiner.lean import run_coroutine_test
from judge.examiner.learner import Learner
from judge.examiner.one_interpreter import LocalGrading
from judge.examiner.queues import Peer, Queues


class _OwnQueues(Queues):
    """Peers whose sockets the learner's side can only connect to, as in a judge.

    The folder may not be changed while a peer is bound. Without that, binding would take the address
    from the peer in silence, as libzmq does. (Only root is not held back.)
    """

    def bind(self, kind: int) -> Peer:
        self._ours.chmod(0o755)
        try:
            return super().bind(kind)
        finally:
            self._ours.chmod(0o555)


class Fixtures:
    """`learner`, `sender`, `receiver`, `queues` and `rng` of the grading that runs.

    Whoever registers it sets `grading` before the first test. `seed` decides all random inputs, in
    the same way as in a judge.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.grading: LocalGrading | None = None

    def current(self) -> LocalGrading:
        """The grading that runs."""
        if self.grading is None:
            raise RuntimeError("no grading runs")
        return self.grading

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        return run_coroutine_test(pyfuncitem)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin a test: its clock, its random numbers, nothing left from the one before."""
        feedback.explain_small_comparisons_only()
        # Not torch.manual_seed: that also notes the whole call stack for GPUs, every time.
        seed = random.Random(f"{self.seed}:{item.name}").getrandbits(63)
        torch.default_generator.manual_seed(seed)
        self.current().start_test()

    @pytest.fixture
    def learner(self) -> Learner:
        return Learner(self.current(), "learner")

    @pytest.fixture
    def sender(self) -> Learner:
        return Learner(self.current(), "sender")

    @pytest.fixture
    def receiver(self) -> Learner:
        return Learner(self.current(), "receiver")

    @pytest.fixture
    def queues(self) -> Iterator[Queues]:
        # Not the system's temporary folder, which may be long: an ipc path is short.
        with tempfile.TemporaryDirectory(prefix="mj-", dir="/tmp") as folder:
            ours, theirs = Path(folder, "e"), Path(folder, "l")
            ours.mkdir()
            theirs.mkdir()
            made = _OwnQueues(self.current(), ours, theirs)
            try:
                yield made
            finally:
                ours.chmod(0o755)
                made.close()

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> random.Random:
        return random.Random(f"{self.seed}:{request.node.name}:rng")
