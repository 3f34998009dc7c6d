# /// expect
# verdicts = ["wrong"]
# message_of_test = "generator"
# ///
def double(value):
    yield value
