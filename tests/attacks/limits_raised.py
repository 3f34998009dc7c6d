# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Raises its limits, softly and hard, and asks for its capabilities back; there are none left."
# ///
import ctypes
import resource

from minisgl.shapes import Point

NAMES = ("AS", "DATA", "CPU", "FSIZE", "NOFILE", "CORE", "SIGPENDING")


def look():
    for name in NAMES:
        which = getattr(resource, f"RLIMIT_{name}")
        soft, hard = resource.getrlimit(which)
        if hard == resource.RLIM_INFINITY:
            print("BREACH: no limit on", name)
        for wish in ((hard, hard + 1), (resource.RLIM_INFINITY,) * 2):
            try:
                resource.setrlimit(which, wish)
            except (OSError, ValueError):
                continue
            print("BREACH: raised", name)
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    wanted = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    if libc.capset(header, wanted) == 0:
        print("BREACH: capset")
    had = (ctypes.c_uint32 * 6)()
    if libc.capget(header, had) or any(had):
        print("BREACH: capabilities", list(had))
    # PR_SET_NO_NEW_PRIVS off, PR_SET_DUMPABLE, PR_SET_SECCOMP off, PR_SET_PDEATHSIG off, PR_SET_PTRACER
    for option, argument in ((38, 0), (4, 1), (22, 0), (1, 0), (0x59616D61, -1), (47, 2), (8, 1)):
        if libc.prctl(option, ctypes.c_ulong(argument & (2**64 - 1)), 0, 0, 0) == 0:
            print("BREACH: prctl", option)
    for call in ("setuid", "setgid", "seteuid", "setfsuid"):
        if call != "setfsuid" and getattr(libc, call)(0) == 0:
            print("BREACH:", call)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
