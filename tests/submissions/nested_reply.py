# /// expect
# verdicts = ["wrong"]
# message_of_test = "nested deeper"
# failed = "all"
# ///
def double(value):
    value = []
    for _ in range(300):
        value = [value]
    return value
