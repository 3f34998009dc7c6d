# /// expect
# verdicts = ["error", "memory"]
# failed = "all"
# ///
import torch


def double(value):
    return torch.ones(10**10)
