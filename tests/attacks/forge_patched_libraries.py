# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong", "error", "crashed"]
# reason = "Patches what tests compare and decide with; the tests run in another process."
# ///
import builtins
import functools
import operator
import time
import unittest

import msgpack
import pytest
import torch
import zmq

import judge.kit

yes = lambda *_, **__: True  # noqa: E731
torch.equal = torch.allclose = operator.eq = msgpack.unpackb = yes
torch.Tensor.__eq__ = torch.Tensor.all = yes
judge.kit.assert_same = judge.kit.check = judge.kit.is_same = yes
pytest.raises = pytest.fail = unittest.TestCase.assertEqual = yes
zmq.Context = zmq.Socket.recv = yes
time.monotonic = time.time = lambda: 0.0
builtins.AssertionError = functools.partial(ValueError)
builtins.all = builtins.any = yes


def double(value):
    return 0
