# Pairs of programs: the first of each leaves things behind, the second must not see them.

# %% leaves
import asyncio
import builtins
import logging
import os
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

import zmq

Path("helper.py").write_text("value = 1\n")
Path("/tmp/left").write_text("x")
import helper

helper.value = 2
os.environ["LEFT"] = "1"
del os.environ["HOME"]
os.chdir("/")
sys.path.insert(0, "/left")
sys.setrecursionlimit(400)
sys.excepthook = print
builtins.left = 1
warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 60)
logging.basicConfig(level=logging.DEBUG)
time.sleep = print
zmq.Context.instance().socket(zmq.PULL).bind("tcp://127.0.0.1:5777")
kept = zmq.Context()
push = kept.socket(zmq.PUSH)
push.connect("ipc:///tmp/nobody")
push.send(b"for ever unsent")
asyncio.set_event_loop(asyncio.new_event_loop())
threading.excepthook = print
threading.Thread(target=threading.Event().wait, daemon=True, name="left").start()
threading.current_thread().name = "renamed"
print("left", Path("/tmp/left").exists())

# %% finds
import asyncio
import builtins
import logging
import os
import signal
import sys
import threading
import time
import warnings
from pathlib import Path

import zmq

print("helper" in sys.modules, Path("helper.py").exists(), Path("/tmp/left").exists())
print(os.environ.get("LEFT"), "HOME" in os.environ, Path.cwd() == Path(__file__).parent)
print("/left" in sys.path, sys.getrecursionlimit() > 900, sys.excepthook is print)
print(hasattr(builtins, "left"), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print(signal.getitimer(signal.ITIMER_REAL), logging.root.handlers, logging.root.level)
print([w[0] for w in warnings.filters[:1]] != ["ignore"] or warnings.filters[0][3] != 0)
print(time.sleep is print, threading.excepthook is print)
print([t.name for t in threading.enumerate()])
pull = zmq.Context.instance().socket(zmq.PULL)
pull.bind("tcp://127.0.0.1:5777")
pull.bind("ipc:///tmp/nobody")
print(pull.poll(20))
print(asyncio.run(asyncio.sleep(0, "loop")))
