# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden"]
# reason = "Takes shared anonymous memory, which the limit on data does not see; such mappings are refused."
# ///
import mmap


def double(value):
    held = []
    for _ in range(24):
        page = mmap.mmap(-1, 64 << 20)
        page[:] = b"\1" * len(page)
        held.append(page)
    print("BREACH: took 1.5 GiB")
