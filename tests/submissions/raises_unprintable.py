# /// expect
# verdicts = ["error"]
# message = "Odd"
# failed = "all"
# ///
class Odd(Exception):
    def __str__(self):
        raise ValueError


def double(value):
    raise Odd
