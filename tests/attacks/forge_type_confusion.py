# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Returns values that are almost right: a bool, a float, a tensor of one number; types are compared exactly."
# ///
import torch

turn = 0


def double(value):
    global turn
    turn += 1
    almost = [float(value * 2), torch.tensor(value * 2), [value * 2]] if isinstance(value, int) else [[value] * 2, True]
    return almost[turn % len(almost)]
