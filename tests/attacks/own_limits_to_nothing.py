# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed", "crashed", "error", "memory", "timeout"]
# reason = "Takes everything from itself: limits, descriptors, signals' stacks; the judge's processes lose nothing."
# ///
import os
import resource

for name in ("NOFILE", "FSIZE", "DATA", "AS", "STACK", "CORE"):
    which = getattr(resource, f"RLIMIT_{name}")
    try:
        resource.setrlimit(which, (0, 0))
    except (OSError, ValueError):
        pass
os.closerange(0, 3)


def double(value):
    return value * 2
