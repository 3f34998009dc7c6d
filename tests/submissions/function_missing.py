# /// expect
# verdicts = ["error"]
# message = "no `double`"
# tests = 0
# ///
def triple(value):
    return value
