# Programs around threads. Each cell is one; it prints the same lines on CPython and in the page.

# %% join_waits
import threading

turns = [threading.Event() for _ in range(4)]


def work(n):
    turns[n - 1].wait()
    print("done", n)
    turns[n].set()


threads = [threading.Thread(target=work, args=(n,)) for n in (3, 1, 2)]
for thread in threads:
    thread.start()
turns[0].set()
for thread in threads:
    thread.join()
print(threading.active_count(), threads[0].is_alive(), threads[0].name, threads[0].daemon)

# %% join_has_a_limit
import threading

leave = threading.Event()
thread = threading.Thread(target=leave.wait)
thread.start()
thread.join(0.02)
print(thread.is_alive())
leave.set()
thread.join()
print(thread.is_alive())

# %% queue_hands_over
import queue
import threading

tasks = queue.Queue(2)


def produce():
    for i in range(8):
        tasks.put(i)
    tasks.put(None)


threading.Thread(target=produce).start()
print(list(iter(tasks.get, None)))
try:
    tasks.get(timeout=0.02)
except queue.Empty:
    print("Empty")
full = queue.Queue(1)
full.put(1)
try:
    full.put(2, timeout=0.02)
except queue.Full:
    print("Full")
print(queue.SimpleQueue().qsize(), tasks.unfinished_tasks)

# %% queues_of_other_orders
import queue
import threading

for kind in (queue.LifoQueue, queue.PriorityQueue, queue.SimpleQueue):
    q = kind()
    for i in (2, 3, 1):
        q.put(i)
    print(kind.__name__.strip("_").replace("Py", ""), [q.get() for _ in range(3)])
    threading.Timer(0.01, q.put, args=("late",)).start()
    print(q.get(timeout=5))

# %% task_done_and_join
import queue
import threading

q = queue.Queue()
seen = []


def work():
    while True:
        seen.append(q.get())
        q.task_done()


for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
for i in range(10):
    q.put(i)
q.join()
print(sorted(seen))

# %% condition_and_predicate
import threading

condition = threading.Condition()
state, heard = [], []


def wait(i):
    with condition:
        heard.append((i, condition.wait_for(lambda: state, timeout=5)))


threads = [threading.Thread(target=wait, args=(i,)) for i in range(3)]
for thread in threads:
    thread.start()
with condition:
    print(condition.wait(0.01))
    state.append("go")
    condition.notify_all()
for thread in threads:
    thread.join()
print(sorted(heard))
try:
    condition.notify()
except RuntimeError as error:
    print(error)

# %% locks
import threading

lock, again = threading.Lock(), threading.RLock()
with lock:
    print(lock.locked(), lock.acquire(blocking=False), lock.acquire(timeout=0.01))
with again, again:
    print("twice")
for action in (lock.release, again.release, lambda: lock.acquire(False, 1)):
    try:
        action()
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)


def take():
    print("other", again.acquire(timeout=0.01))


with again:
    thread = threading.Thread(target=take)
    thread.start()
    thread.join()

# %% a_lock_goes_to_who_waits
import threading
import time

lock = threading.Lock()
order = []


def take(n):
    with lock:
        order.append(n)
        time.sleep(0.001)


with lock:
    threads = [threading.Thread(target=take, args=(n,)) for n in range(5)]
    for thread in threads:
        thread.start()
for thread in threads:
    thread.join()
print(sorted(order))

# %% semaphore_and_barrier
import threading

slots, at_once, most = threading.BoundedSemaphore(2), 0, 0
pair, barrier = threading.Barrier(2), threading.Barrier(4)
places = []


def work():
    global at_once, most
    with slots:
        at_once += 1
        most = max(most, at_once)
        pair.wait(5)
        at_once -= 1
    places.append(barrier.wait(5))


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(most, sorted(places))
try:
    slots.release()
except ValueError as error:
    print(error)
try:
    barrier.wait(0.01)
except threading.BrokenBarrierError:
    print("broken", barrier.broken)

# %% each_thread_has_its_own
import contextvars
import sys
import threading
import time

local, variable = threading.local(), contextvars.ContextVar("v", default="unset")
local.x = "main"
variable.set("main")
seen = {}


def work(n):
    before = variable.get(), hasattr(local, "x")
    local.x = n
    variable.set(n)
    try:
        raise ValueError(n)
    except ValueError:
        for _ in range(3):
            time.sleep(0.002)
            found = local.x, variable.get(), str(sys.exc_info()[1]), threading.current_thread().name
            seen.setdefault(n, set()).add((before, found))


threads = [threading.Thread(target=work, args=(f"t{i}",), name=f"n{i}") for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(local.x, variable.get(), sorted(seen.items()))

# %% a_busy_thread_lets_others_run
import threading
import time

flag = []


def set_flag():
    time.sleep(0.02)
    flag.append(1)


threading.Thread(target=set_flag).start()
while not flag:
    pass
print("seen")

# %% two_busy_threads
import threading

turns = []


def work(n, other):
    while turns.count(n) < 3:
        if not turns or turns[-1] != n:
            turns.append(n)


threads = [threading.Thread(target=work, args=(n, 1 - n)) for n in (0, 1)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(20)
print(len(turns) >= 5, abs(turns.count(0) - turns.count(1)) <= 1)

# %% exception_in_a_thread
import threading


def fail():
    {}["missing"]


thread = threading.Thread(target=fail, name="broken")
thread.start()
thread.join()
print("goes on", thread.is_alive())

# %% own_excepthook
import threading

threading.excepthook = lambda args: print(args.exc_type.__name__, args.exc_value, args.thread.name)
thread = threading.Thread(target=lambda: 1 // 0, name="t")
thread.start()
thread.join()

# %% exit_of_a_thread
import sys
import threading

thread = threading.Thread(target=lambda: sys.exit(5))
thread.start()
thread.join()
print("still here")

# %% pool
import threading
import time
from concurrent.futures import ThreadPoolExecutor, TimeoutError, as_completed, wait


def square(n):
    time.sleep(0.005 * (3 - n))
    return n * n


with ThreadPoolExecutor(3, thread_name_prefix="p") as pool:
    print(list(pool.map(square, range(3))))
    print(sorted(f.result() for f in as_completed([pool.submit(square, n) for n in range(3)])))
    failing = pool.submit(lambda: 1 // 0)
    print(type(failing.exception()).__name__, len(wait([failing]).done))
    name = pool.submit(lambda: threading.current_thread().name).result()
    print(name.startswith("p_"))
    leave = threading.Event()
    slow = pool.submit(leave.wait)
    try:
        slow.result(timeout=0.01)
    except TimeoutError:
        print("timed out")
    leave.set()
print(slow.result())

# %% timer
import threading

fired = threading.Event()
never = threading.Timer(60, print, args=("never",))
never.start()
threading.Timer(0.01, fired.set).start()
print(fired.wait(5))
never.cancel()

# %% names_start_again
import threading

names = [threading.Thread(target=print).name for _ in range(2)]
print(names, threading.main_thread().name, threading.current_thread() is threading.main_thread())

# %% two_threads_import_one_module
import sys
import threading
from pathlib import Path

Path("slow_module.py").write_text("import time\ntime.sleep(0.02)\nvalue = 7\n")
sys.path.insert(0, ".")
found = []


def load():
    import slow_module

    found.append(slow_module.value)


threads = [threading.Thread(target=load) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(found)

# %% waiting_inside_callbacks
import functools
import json
import re
import time


def slowly(x):
    time.sleep(0.001)
    return x


print(sorted([1, 3, 2], key=lambda x: slowly(-x)), list(map(slowly, "ab")))
print(functools.reduce(lambda a, b: slowly(a + b), [1, 2, 3]), re.sub("a", lambda m: slowly("b"), "aa"))
print(json.dumps({"a": object()}, default=lambda o: slowly("x")))


class Slow:
    def __eq__(self, other):
        return slowly(True)

    def __hash__(self):
        return slowly(1)


print(len({Slow(), Slow()}))

# %% recursion
import threading
import time


def depth(n):
    if n == 0:
        time.sleep(0.001)
        return 0
    return 1 + depth(n - 1)


def endless():
    return endless()


found = []


def work():
    found.append(depth(400))
    try:
        endless()
    except RecursionError:
        found.append("RecursionError")


threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(map(str, found)))

# %% sleep_takes_its_time
import time

for seconds in (0, 0.001, 0.03):
    started = time.monotonic()
    time.sleep(seconds)
    print(seconds, time.monotonic() - started >= seconds * 0.99)
try:
    time.sleep(-1)
except ValueError as error:
    print(error)

# %% alarm
import signal
import time

signal.signal(signal.SIGALRM, lambda number, frame: print("rang", number == signal.SIGALRM))
signal.setitimer(signal.ITIMER_REAL, 0.02)
started = time.monotonic()
time.sleep(0.1)
print(time.monotonic() - started >= 0.099)


def give_up(number, frame):
    raise TimeoutError("too long")


signal.signal(signal.SIGALRM, give_up)
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    time.sleep(60)
except TimeoutError as error:
    print(error)
