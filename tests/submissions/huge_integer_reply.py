# /// expect
# verdicts = ["wrong"]
# message_of_test = "too large"
# failed = "all"
# ///
def double(value):
    return 1 << 10**6
