import asyncio

import torch

from judge.kit import assert_same


def test_number(learner):
    """A number is doubled"""
    assert_same(learner.double(4), 8)


async def test_tensor(learner, rng):
    """A tensor is doubled"""
    await asyncio.sleep(0)
    tensor = torch.arange(rng.randint(6, 9)).reshape(-1, 1).t()
    assert_same(learner.double(tensor), tensor * 2)
