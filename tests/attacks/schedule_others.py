# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Makes itself urgent and others idle: priorities, policies, processors and limits of others are out of reach."
# ///
import os
import resource

from minisgl.shapes import Point


def attempt(what, action, *arguments):
    try:
        action(*arguments)
    except (OSError, ValueError):
        return
    print("BREACH:", what, arguments)


def look():
    for target in {os.getppid(), 1, os.getpid() - 1} - {0, os.getpid()}:
        attempt("idle", os.sched_setscheduler, target, os.SCHED_IDLE, os.sched_param(0))
        attempt("nice", os.setpriority, os.PRIO_PROCESS, target, 19)
        attempt("one processor", os.sched_setaffinity, target, {0})
        attempt("limits", resource.prlimit, target, resource.RLIMIT_NOFILE, (1, 1))
        attempt("reading limits", resource.prlimit, target, resource.RLIMIT_NOFILE)
    for policy in (os.SCHED_FIFO, os.SCHED_RR, os.SCHED_BATCH, os.SCHED_IDLE):
        attempt("policy", os.sched_setscheduler, 0, policy, os.sched_param(1))
    attempt("nice", os.setpriority, os.PRIO_PROCESS, 0, -20)
    attempt("nice", os.setpriority, os.PRIO_USER, 0, 19)
    attempt("nice", os.nice, 1)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
