# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Returns values that take long to show and to compare, so that the test seems to hang; only small ones are."
# ///


def double(value):
    if isinstance(value, str):
        return "".join(f"two line{n % 10}\n" for n in range(700_000))
    if value == 4:
        deep = "a " * 4_000_000
        for _ in range(80):
            deep = [deep]
        return deep
    return "a " * 4_000_000
