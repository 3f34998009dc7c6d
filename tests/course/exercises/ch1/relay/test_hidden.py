import zmq


def relay_here(here, source, target, count):
    return here.module.relay(source, target, count)


def publish_here(here, address, message):
    here.module.publish(address, message)


def test_publishes(learner, queues):
    """A subscriber gets the message"""
    address = queues.address()
    running = learner.start(publish_here, address, b"news")
    subscriber = queues.connect(zmq.SUB, address)
    assert subscriber.receive() == b"news"
    running.result()


def test_counts(learner, queues):
    """No message: zero is returned"""
    source, target = queues.bind(zmq.PUSH), queues.bind(zmq.PULL)
    assert learner.run(relay_here, source.address, target.address, 0) == 0
