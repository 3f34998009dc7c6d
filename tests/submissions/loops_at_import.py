# /// expect
# verdicts = ["timeout"]
# message = 'stood at line'
# tests = 0
# ///
while True:
    pass
