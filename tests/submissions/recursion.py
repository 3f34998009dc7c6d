# /// expect
# verdicts = ["error"]
# message = "RecursionError"
# failed = "all"
# ///
def double(value):
    return double(value)
