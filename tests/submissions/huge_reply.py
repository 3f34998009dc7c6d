# /// expect
# verdicts = ["wrong"]
# message_of_test = "too large"
# failed = "all"
# ///
def double(value):
    return bytes(20_000_000)
