# /// expect
# verdicts = ["memory", "timeout"]
# failed = "all"
# ///
def double(value):
    kept = []
    while True:
        kept.append([0] * 10**6)
