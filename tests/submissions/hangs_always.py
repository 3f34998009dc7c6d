# /// expect
# verdicts = ["timeout"]
# message = 'stood at line'
# failed = "all"
# ///
def double(value):
    while True:
        pass
