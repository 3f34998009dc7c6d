# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["forbidden", "error", "memory"]
# reason = "Takes memory as nameless files, as System V segments and as a device; refused, or not to be opened."
# ///
import ctypes
import mmap
import os


def double(value):
    try:
        held = [os.open("/dev/zero", os.O_RDONLY) for _ in range(3)]
        print("BREACH: opened the device of zeros", held)
    except OSError:
        pass
    for path in ("/dev/shm/x", "/dev/mem", "/dev/zram0", "/dev/full"):
        try:
            mmap.mmap(os.open(path, os.O_RDWR | os.O_CREAT), 4096)
            print("BREACH: mapped", path)
        except (OSError, ValueError):
            pass
    files = [os.memfd_create(f"file {n}") for n in range(24)]
    for file in files:
        os.write(file, b"\1" * (64 << 20))
    print("BREACH: took 1.5 GiB")
    ctypes.CDLL(None).shmget(1, 1 << 30, 0o1600)
