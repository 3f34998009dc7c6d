# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["memory", "crashed"]
# reason = "Maps memory without rights and makes it writable afterwards; it counts from then on."
# ///
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_size_t
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]


def double(value):
    for _ in range(24):
        start = libc.mmap(None, 64 << 20, 0, 0x4022, -1, 0)
        if start == 2**64 - 1 or libc.mprotect(start, 64 << 20, 3):
            raise MemoryError
        ctypes.memset(start, 1, 64 << 20)
    print("BREACH: took 1.5 GiB", flush=True)
