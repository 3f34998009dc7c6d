# /// attack
# kind = "stealing"
# exercise = "ch1/relay"
# verdicts = ["timeout", "wrong", "passed"]
# reason = "Drains the queue with spare PULL sockets and answers with what it likes; it only robs its own test."
# ///
import zmq


def relay(source, target, count):
    context = zmq.Context()
    spare = [context.socket(zmq.PULL) for _ in range(5)]
    for one in spare:
        one.connect(source)
    push = context.socket(zmq.PUSH)
    push.connect(target)
    for number in range(count):
        push.send(b"stolen")
    return count
