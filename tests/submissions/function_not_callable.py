# /// expect
# verdicts = ["error"]
# message = "callable; it is of type int"
# tests = 0
# ///
double = 7
