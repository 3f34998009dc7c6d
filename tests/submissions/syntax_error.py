# /// expect
# verdicts = ["error"]
# message = 'Syntax error in line \d+.*\n.*\^'
# line = 'return value *'
# tests = 0
# ///
def double(value):
    return value *
