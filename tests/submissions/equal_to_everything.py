# /// expect
# verdicts = ["wrong"]
# message_of_test = "Same"
# failed = "all"
# ///
class Same:
    def __eq__(self, other):
        return True

    __hash__ = None


def double(value):
    return Same()
