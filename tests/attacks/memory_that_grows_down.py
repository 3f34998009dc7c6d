# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden", "memory"]
# reason = "Takes memory that grows down like a stack, which the limit on data does not see either; refused."
# ///
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_size_t
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
PRIVATE, ANONYMOUS, GROWS_DOWN, STACK, NO_RESERVE, HUGE = 2, 0x20, 0x100, 0x20000, 0x4000, 0x40000


def double(value):
    for flags in (GROWS_DOWN, GROWS_DOWN | STACK, GROWS_DOWN | NO_RESERVE, HUGE):
        for taken in range(24):
            start = libc.mmap(None, 64 << 20, 3, PRIVATE | ANONYMOUS | flags, -1, 0)
            if start == 2**64 - 1:
                break
            ctypes.memset(start, 1, 64 << 20)
        if taken * 64 > 320:
            print("BREACH: took", taken * 64, "MiB", flush=True)
    raise PermissionError("no such mapping")
