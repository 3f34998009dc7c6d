# /// expect
# verdicts = ["memory"]
# failed = "all"
# ///
def double(value):
    return bytearray(4 * 10**9)
