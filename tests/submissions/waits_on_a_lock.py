# /// expect
# verdicts = ["timeout"]
# message = 'stood at line'
# failed = "all"
# line = 'lock.acquire()'
# ///
import threading


def double(value):
    threading.Lock().acquire()
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
