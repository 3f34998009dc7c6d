# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong", "crashed", "timeout"]
# reason = "Sends dicts whose keys all have the same hash, to keep the examiner busy; such keys are few per dict."
# ///


def double(value):
    keys = [(n + 1) * (2**61 - 1) * 2**7 for n in range(999)]
    return [dict.fromkeys(keys, n) for n in range(25)]
