# /// expect
# verdicts = ["wrong"]
# message_of_test = "set"
# ///
def double(value):
    return {1}
