# /// attack
# kind = "stealing"
# exercise = "ch1/relay"
# verdicts = ["passed"]
# reason = "Removes, renames and binds over the examiner's addresses; in that folder it can only connect."
# ///
import os
import socket

import zmq


def attempt(what, action, *arguments):
    try:
        action(*arguments)
    except OSError:
        return
    print("BREACH:", what, arguments)


def steal(address):
    path = address.removeprefix("ipc://")
    attempt("bound", socket.socket(socket.AF_UNIX).bind, path)
    attempt("removed", os.unlink, path)
    attempt("renamed", os.rename, path, path + "x")
    attempt("bound beside", socket.socket(socket.AF_UNIX).bind, path + "x")
    attempt("bound the next", socket.socket(socket.AF_UNIX).bind, path[:-1] + "7")
    attempt("mode", os.chmod, path, 0)
    attempt("opened", os.open, path, os.O_RDWR)
    context = zmq.Context()
    thief = context.socket(zmq.PULL)
    thief.linger = 0
    try:
        thief.bind(address)
        print("BREACH: bound by zmq")
    except zmq.ZMQError:
        pass
    thief.close()


def relay(source, target, count):
    steal(source)
    steal(target)
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.connect(source)
    push.connect(target)
    for _ in range(count):
        push.send(pull.recv())
    pull.close()
    push.close()
    context.term()
    return count
