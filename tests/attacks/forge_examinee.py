# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong", "crashed", "error"]
# reason = "Replaces every operation of the examinee by one that says yes; saying yes is no value."
# ///
from judge.examinee import serve

for name in list(serve.OPERATIONS):
    if name != "load":
        serve.OPERATIONS[name] = lambda *_: True


def double(value):
    return value
