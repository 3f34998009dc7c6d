# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["memory"]
# reason = "Takes memory in blocks without end; the limit is 256 MiB beyond what it starts with."
# ///


def double(value):
    held = []
    for _ in range(24):
        held.append(bytearray(b"\1" * (64 << 20)))
    print("BREACH: took 1.5 GiB")
    return held
