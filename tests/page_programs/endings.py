# Programs about how a program ends. Each cell is one; the exit code is compared, too.

# %% threads_are_joined
import threading
import time

threading.Thread(target=lambda: (time.sleep(0.02), print("last"))).start()
print("main is over")

# %% daemons_are_not
import threading
import time

threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
threading.Thread(target=threading.Event().wait, daemon=True).start()
print("main is over")

# %% uncaught
def inner():
    raise ValueError("no")


try:
    inner()
except ValueError as error:
    raise RuntimeError("because") from error

# %% syntax_error
x = = 1

# %% exit_code
import sys

try:
    sys.exit(3)
finally:
    print("finally")

# %% exit_with_words
import sys

sys.exit("words")

# %% at_exit
import atexit
import threading

atexit.register(print, "second")
atexit.register(lambda: print("first", threading.active_count()))
gone = atexit.register(lambda: print("never"))
atexit.unregister(gone)
print("main is over")

# %% leave_at_once
import atexit
import os
import sys
import threading

atexit.register(print, "never")
threading.Thread(target=threading.Event().wait).start()
print("before", flush=True)
os._exit(4)

# %% leave_from_a_thread
import os
import threading
import time

threading.Thread(target=lambda: (time.sleep(0.01), os._exit(6))).start()
print("before", flush=True)
time.sleep(60)

# %% own_hook
import sys

sys.excepthook = lambda kind, error, trace: print("hook", kind.__name__, error)
1 / 0

# %% pool_is_drained
import time
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
for i in range(3):
    pool.submit(lambda i=i: (time.sleep(0.005), print(i)))
print("main is over")

# %% unsent_and_unclosed
import zmq

context = zmq.Context()
push = context.socket(zmq.PUSH)
push.linger = 0
push.connect("inproc://nobody")
print("leaves it open")

# %% no_input
try:
    input()
except EOFError:
    print("EOFError")

# %% main_module
import sys

import __main__

print(__name__, __main__ is sys.modules["__main__"], len(sys.argv), __doc__)

# %% both_streams
import sys

print("out", flush=True)
print("err", file=sys.stderr, flush=True)
sys.stdout.buffer.write("bytes é\n".encode())
sys.stdout.flush()
print(sys.stdout.encoding.lower(), sys.stdout.isatty())

# %% error_texts
import zmq

context = zmq.Context()
a, b, router = (context.socket(kind) for kind in (zmq.PULL, zmq.PUSH, zmq.ROUTER))
router.router_mandatory = 1
a.bind("inproc://x")


def closed():
    b.close()
    b.send(b"x")


for action in (
    lambda: context.socket(zmq.REP).bind("inproc://x"),
    lambda: a.recv(zmq.NOBLOCK),
    lambda: a.bind("nothing"),
    lambda: a.bind("foo://x"),
    lambda: a.send(b"x"),
    lambda: a.bind("tcp://10.255.255.1:5999"),
    lambda: a.disconnect("inproc://nobody"),
    lambda: context.socket(zmq.REQ).recv(zmq.NOBLOCK),
    lambda: router.send_multipart([b"nobody", b"x"]),
    closed,
):
    try:
        action()
    except zmq.ZMQError as error:
        print(type(error).__name__, error)
context.destroy(0)
