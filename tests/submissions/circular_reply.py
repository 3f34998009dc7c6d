# /// expect
# verdicts = ["wrong"]
# message_of_test = "nested deeper"
# failed = "all"
# ///
def double(value):
    value = []
    value.append(value)
    return value
