# Programs around asyncio. Each cell is one; it prints the same lines on CPython and in the page.

# %% gather_and_sleep
import asyncio


async def step(n):
    await asyncio.sleep(0.01 * n)
    print("step", n)
    return n


async def main():
    print(await asyncio.gather(*map(step, (3, 1, 2))))


asyncio.run(main())

# %% timeouts
import asyncio


async def main():
    for wait in (asyncio.wait_for(asyncio.sleep(60), 0.01), forever()):
        try:
            await wait
        except asyncio.TimeoutError:
            print("timed out")
    print(await asyncio.wait_for(asyncio.sleep(0, "in time"), 5))


async def forever():
    async with asyncio.timeout(0.01):
        await asyncio.Event().wait()


asyncio.run(main())

# %% cancellation
import asyncio


async def patient():
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("tidies up")
        raise


async def stubborn():
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return "stays"


async def main():
    tasks = [asyncio.create_task(c) for c in (patient(), stubborn())]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    print(await asyncio.gather(*tasks, return_exceptions=True), [t.cancelled() for t in tasks])
    left = asyncio.create_task(patient())
    await asyncio.sleep(0)
    print("leaves", left.done())


asyncio.run(main())

# %% task_group
import asyncio


async def fail():
    await asyncio.sleep(0.001)
    raise ValueError("in the group")


async def main():
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fail())
            group.create_task(asyncio.sleep(60))
    except* ValueError as errors:
        print(errors.exceptions)


asyncio.run(main())

# %% threads_and_the_loop
import asyncio
import threading
import time


async def main():
    loop = asyncio.get_running_loop()
    print(await loop.run_in_executor(None, lambda: (time.sleep(0.005), "executor")[1]))
    print(await asyncio.to_thread(lambda: threading.current_thread() is threading.main_thread()))
    future = loop.create_future()
    threading.Timer(0.01, loop.call_soon_threadsafe, args=(future.set_result, "woken")).start()
    print(await future)
    ask = asyncio.run_coroutine_threadsafe
    answer = await asyncio.to_thread(lambda: ask(asyncio.sleep(0, "asked"), loop).result(5))
    print(answer)


asyncio.run(main())

# %% a_loop_in_each_thread
import asyncio
import threading

results = []


async def main(n):
    await asyncio.sleep(0.002)
    results.append((n, await asyncio.wait_for(asyncio.sleep(0.001, n * n), 5)))


threads = [threading.Thread(target=lambda n=n: asyncio.run(main(n))) for n in range(3)]
for thread in threads:
    thread.start()
asyncio.run(main(9))
for thread in threads:
    thread.join()
print(sorted(results))

# %% the_loop_is_private
import asyncio
import threading


async def main():
    def look():
        try:
            asyncio.get_running_loop()
        except RuntimeError as error:
            print(error)

    thread = threading.Thread(target=look)
    thread.start()
    await asyncio.to_thread(thread.join)
    print(asyncio.get_running_loop().is_running())


asyncio.run(main())
try:
    asyncio.get_running_loop()
except RuntimeError as error:
    print(error)

# %% queues_locks_events
import asyncio


async def main():
    queue, lock, event = asyncio.Queue(1), asyncio.Lock(), asyncio.Event()

    async def produce():
        for i in range(4):
            await queue.put(i)
        await queue.put(None)

    async def consume():
        await event.wait()
        got = []
        while (item := await queue.get()) is not None:
            async with lock:
                got.append(item)
        return got

    tasks = [asyncio.create_task(consume()), asyncio.create_task(produce())]
    event.set()
    print(await asyncio.gather(*tasks))


asyncio.run(main())

# %% a_heartbeat_beside_zmq
import asyncio

import zmq
import zmq.asyncio


async def main():
    context = zmq.asyncio.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.bind("inproc://x")
    push.connect("inproc://x")
    beats = []

    async def beat():
        while True:
            beats.append(1)
            await asyncio.sleep(0.001)

    task = asyncio.create_task(beat())
    receiving = asyncio.ensure_future(pull.recv())
    while len(beats) < 4:
        await asyncio.sleep(0.001)
    print(receiving.done())
    await push.send(b"x")
    print(await receiving)
    task.cancel()
    context.destroy(0)


asyncio.run(main())

# %% a_busy_loop_lets_threads_run
import asyncio
import threading
import time

flag = []
threading.Thread(target=lambda: (time.sleep(0.02), flag.append(1))).start()


async def main():
    while not flag:
        await asyncio.sleep(0)
    print("seen")


asyncio.run(main())

# %% exception_ends_the_run
import asyncio


async def main():
    await asyncio.sleep(0.001)
    raise LookupError("out of main")


asyncio.run(main())

# %% generators
import asyncio


async def count():
    try:
        for i in range(10):
            await asyncio.sleep(0)
            yield i
    finally:
        print("closed")


async def main():
    async for i in count():
        print(i)
        if i == 2:
            break
    print([i async for i in count() if i % 4 == 0])


asyncio.run(main())
