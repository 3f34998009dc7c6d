# /// expect
# verdicts = ["output"]
# message = "MiB"
# failed = "all"
# ///
def double(value):
    while True:
        print('y' * 100_000)
