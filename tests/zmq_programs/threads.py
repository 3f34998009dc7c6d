"""Threads around sockets."""

import queue
import threading

import zmq


def workers(w):
    tasks, results = w.socket(zmq.PUSH), w.socket(zmq.PULL)
    tasks.bind(w.address("tasks"))
    results.bind(w.address("results"))

    def work():
        pull, push = w.socket(zmq.PULL), w.socket(zmq.PUSH)
        pull.connect(w.address("tasks"))
        push.connect(w.address("results"))
        while (task := pull.recv()) != b"end":
            push.send(b"%d" % int(task) ** 2)
        pull.close()
        push.close(linger=1000)

    thread = threading.Thread(target=work)
    thread.start()
    for i in range(20):
        tasks.send(b"%d" % i)
    w.say(sorted(int(results.recv()) for _ in range(20)))
    tasks.send(b"end")
    thread.join(3)
    w.say(thread.is_alive())


def exception_in_a_thread(w):
    pull = w.socket(zmq.PULL)
    pull.bind("inproc://x")
    caught = queue.Queue()

    def work():
        push = w.socket(zmq.PUSH)
        push.connect("inproc://x")
        try:
            push.send(b"before")
            raise ValueError("on the way")
        except ValueError as error:
            caught.put(error)
        finally:
            push.close()

    thread = threading.Thread(target=work)
    thread.start()
    w.say(pull.recv(), repr(caught.get(timeout=2)), pull.poll(20))
    thread.join()


def signal_by_pair(w):
    here = w.socket(zmq.PAIR)
    here.bind("inproc://signal")

    def work():
        there = w.socket(zmq.PAIR)
        there.connect("inproc://signal")
        there.send(b"ready")
        w.say("there", there.recv())
        there.send(b"bye")
        there.close()

    thread = threading.Thread(target=work)
    thread.start()
    w.say("here", here.recv())
    here.send(b"go")
    w.say("here", here.recv())
    thread.join()


def poll_while_another_sends(w):
    pull = w.socket(zmq.PULL)
    pull.bind(w.address("x"))
    go = threading.Event()

    def work():
        push = w.socket(zmq.PUSH)
        push.connect(w.address("x"))
        go.wait(2)
        push.send(b"x")
        push.close(linger=1000)

    thread = threading.Thread(target=work)
    thread.start()
    w.say(pull.poll(30))
    go.set()
    w.say(pull.poll(3000), pull.recv())
    thread.join()


def blocked_by_a_full_queue(w):
    push, pull = w.socket(zmq.PUSH, SNDHWM=1), w.socket(zmq.PULL, RCVHWM=1)
    pull.bind("inproc://x")
    push.connect("inproc://x")
    done = threading.Event()

    def work():
        for i in range(50):
            push.send(b"%d" % i)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    w.say(done.wait(0.05))
    w.say([int(pull.recv()) for _ in range(50)] == list(range(50)), done.wait(2))
    thread.join()


def three_stages(w):
    def stage(source, target, change):
        pull, push = w.socket(zmq.PULL), w.socket(zmq.PUSH)
        pull.bind(source)
        push.connect(target)
        for _ in range(5):
            push.send(change(pull.recv()))
        pull.close()
        push.close(linger=1000)

    out = w.socket(zmq.PULL)
    out.bind(w.address("out"))
    hops = [("a", "b", bytes.upper), ("b", "out", lambda m: m + b"!")]
    threads = [
        threading.Thread(target=stage, args=(w.address(a), w.address(b), f)) for a, b, f in hops
    ]
    for thread in threads:
        thread.start()
    push = w.socket(zmq.PUSH)
    push.connect(w.address("a"))
    for i in range(5):
        push.send(b"m%d" % i)
    w.say(*(out.recv() for _ in range(5)))
    for thread in threads:
        thread.join()
