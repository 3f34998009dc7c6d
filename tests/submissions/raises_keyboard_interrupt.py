# /// expect
# verdicts = ["error"]
# message = "KeyboardInterrupt"
# failed = "all"
# ///
def double(value):
    raise KeyboardInterrupt
