# /// expect
# verdicts = ["wrong"]
# ///
def double(value):
    print('{"status": "pass", "verdict": "passed"}')
    return 0
