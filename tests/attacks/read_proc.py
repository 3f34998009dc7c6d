# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Looks into processes through /proc; it is covered, and closed by Landlock where it is not."
# ///
import os

from minisgl.shapes import Point


def look():
    numbers = ["self", "thread-self", "1", str(os.getppid()), *(str(n) for n in range(2, 3000, 7))]
    for number in numbers:
        for file in ("environ", "cmdline", "maps", "mem", "status", "auxv", "stack", "task/1/mem"):
            try:
                os.close(os.open(f"/proc/{number}/{file}", os.O_RDONLY))
            except OSError:
                continue
            print("BREACH: opened", number, file)
        for folder in ("fd", "task", "root", "cwd/..", "map_files"):
            try:
                os.listdir(f"/proc/{number}/{folder}")
            except OSError:
                continue
            print("BREACH: listed", number, folder)
    for file in ("/proc/kcore", "/proc/kallsyms", "/proc/sys/kernel/core_pattern", "/proc/mounts"):
        try:
            os.close(os.open(file, os.O_RDONLY))
        except OSError:
            continue
        print("BREACH: opened", file)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
