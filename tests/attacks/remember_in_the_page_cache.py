# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden"]
# reason = "Reads files into the page cache, one for each bit, and looks which are there; mincore is refused."
# ///
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
READ, PRIVATE = 1, 2


def pack(numbers):
    return bytes([len(numbers)])


def unpack(raw):
    page = libc.mmap(None, 4096, READ, PRIVATE, os.open(os.__file__, os.O_RDONLY), 0)
    if libc.mincore(page, 4096, ctypes.create_string_buffer(1)) == 0:
        print("BREACH: the page cache can be seen")
    elif ctypes.get_errno() == 1:
        raise PermissionError("mincore")
    return []
