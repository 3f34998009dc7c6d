# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden"]
# reason = "Parks threads at words of a library that both have mapped; whom the receiver wakes are the bits. Waking is refused."
# ///
import ctypes
import os
import threading
import time

FUTEX = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
WAIT, WAKE, EVERYBODY, READ, PRIVATE, PAGE = 0, 1, 2**31 - 1, 1, 2, 4096
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_size_t
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
page = libc.mmap(None, PAGE, READ, PRIVATE, os.open(os.__file__, os.O_RDONLY), 0)
threading.stack_size(65536)


def futex(word, operation, value):
    address = ctypes.c_void_p(page + 4 * word)
    return libc.syscall(ctypes.c_long(FUTEX), address, ctypes.c_long(operation), ctypes.c_long(value), None)


def park(word):
    futex(word, WAIT, ctypes.c_uint32.from_address(page + 4 * word).value)


def pack(numbers):
    bits = "".join(f"{number:031b}" for number in numbers)
    for word, bit in enumerate(bits):
        if bit == "1":
            threading.Thread(target=park, args=(word,), daemon=True).start()
    time.sleep(0.03)
    return bytes([len(numbers)])


def unpack(raw):
    woken = [futex(word, WAKE, EVERYBODY) for word in range(31 * raw[0])]
    if -1 in woken:
        raise PermissionError("futex")
    bits = "".join(str(count) for count in woken)
    return [int(bits[n : n + 31], 2) for n in range(0, len(bits), 31)]
