# /// expect
# verdicts = ["wrong"]
# message_of_test = "Mine"
# failed = "all"
# ///
import torch


class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *rest):
        return True


def double(value):
    return torch.ones(1).as_subclass(Mine)
