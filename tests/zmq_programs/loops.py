"""zmq.asyncio: event loops, cancellation and timeouts."""

import asyncio

import zmq
import zmq.asyncio


def _run(w, main):
    async def with_sockets():
        context = zmq.asyncio.Context()
        try:
            await main(context)
        finally:
            context.destroy(linger=0)

    asyncio.run(asyncio.wait_for(with_sockets(), 5))


def queue_of_tasks(w):
    async def main(context):
        pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
        pull.bind(w.address("x"))
        push.connect(w.address("x"))

        async def produce():
            for i in range(5):
                await push.send(b"%d" % i)
                await asyncio.sleep(0.001)

        async def consume():
            return [await pull.recv() for _ in range(5)]

        w.say((await asyncio.gather(produce(), consume()))[1])

    _run(w, main)


def receive_times_out(w):
    async def main(context):
        pull = context.socket(zmq.PULL)
        pull.bind("inproc://x")
        try:
            await asyncio.wait_for(pull.recv(), 0.03)
        except asyncio.TimeoutError:
            w.say("timed out")
        push = context.socket(zmq.PUSH)
        push.connect("inproc://x")
        await push.send(b"for the next one")
        w.say(await asyncio.wait_for(pull.recv(), 2))

    _run(w, main)


def cancelled(w):
    async def main(context):
        pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
        pull.bind("inproc://x")
        push.connect("inproc://x")
        task = asyncio.ensure_future(pull.recv())
        await asyncio.sleep(0)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            w.say("cancelled")
        await push.send(b"kept")
        w.say(await pull.recv())

    _run(w, main)


def send_waits(w):
    async def main(context):
        push = context.socket(zmq.PUSH)
        push.bind(w.address("x"))
        task = asyncio.ensure_future(push.send(b"at last"))
        await asyncio.sleep(0.02)
        w.say(task.done())
        pull = context.socket(zmq.PULL)
        pull.connect(w.address("x"))
        w.say(await pull.recv())
        await task

    _run(w, main)


def poll_and_others_run(w):
    async def main(context):
        pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
        pull.bind("inproc://x")
        push.connect("inproc://x")
        ticks = []

        async def tick():
            while not ticks or ticks[-1] < 3:
                ticks.append(len(ticks))
                await asyncio.sleep(0)
            await push.send_multipart([b"a", b"b"])

        task = asyncio.ensure_future(tick())
        w.say(await pull.poll(2000), ticks)
        w.say(await pull.recv_multipart())
        await task
        w.say(await pull.poll(10))

    _run(w, main)


def request_reply(w):
    async def main(context):
        rep, req = context.socket(zmq.REP), context.socket(zmq.REQ)
        rep.bind(w.address("x"))
        req.connect(w.address("x"))

        async def serve():
            for _ in range(3):
                await rep.send((await rep.recv())[::-1])

        server = asyncio.ensure_future(serve())
        for word in (b"abc", b"", b"xy"):
            await req.send(word)
            w.say(await req.recv())
        await server

    _run(w, main)


def exception_in_a_task(w):
    async def main(context):
        pull = context.socket(zmq.PULL)
        pull.bind("inproc://x")

        async def fail():
            await asyncio.sleep(0.001)
            raise ValueError("in the task")

        results = await asyncio.gather(
            fail(), asyncio.wait_for(pull.recv(), 0.05), return_exceptions=True
        )
        w.say([type(result).__name__ for result in results])

    _run(w, main)


def publisher_and_subscribers(w):
    async def main(context):
        pub = context.socket(zmq.XPUB)
        pub.set(zmq.XPUB_VERBOSE, 1)
        pub.bind(w.address("x"))

        async def subscribe():
            sub = context.socket(zmq.SUB)
            sub.subscribe(b"")
            sub.connect(w.address("x"))
            return [await sub.recv() for _ in range(2)]

        tasks = [asyncio.ensure_future(subscribe()) for _ in range(3)]
        for _ in tasks:
            w.say(await pub.recv())
        for i in range(2):
            await pub.send(b"%d" % i)
        w.say(await asyncio.gather(*tasks))

    _run(w, main)
