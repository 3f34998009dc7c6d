# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["memory", "error"]
# reason = "Takes memory as tensors; torch reports the refusal as a RuntimeError of its own."
# ///
import torch


def double(value):
    held = []
    for _ in range(24):
        held.append(torch.ones(16 << 20))
    print("BREACH: took 1.5 GiB")
    return len(held)
