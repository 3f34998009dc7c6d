# /// wrong
# fails = ["test_relays", "test_counts"]
# en = "The count is not returned."
# zh = "没有返回条数。"
# ///
import zmq


def relay(source, target, count):
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.connect(source)
    push.connect(target)
    for _ in range(count):
        push.send(pull.recv())
    pull.close()
    push.close()
    context.term()


def publish(address, message):
    with zmq.Context() as context, context.socket(zmq.XPUB) as socket:
        socket.bind(address)
        socket.recv()
        socket.send(message)
