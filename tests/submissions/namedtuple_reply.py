# /// expect
# verdicts = ["wrong"]
# message_of_test = "Pair"
# failed = "all"
# ///
import collections

Pair = collections.namedtuple('Pair', 'a b')


def double(value):
    return Pair(1, 2)
