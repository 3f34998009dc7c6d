# /// expect
# verdicts = ["wrong"]
# message_of_test = "Number"
# failed = "all"
# ///
class Number(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


def double(value):
    return Number(1)
