import zmq


def relay_here(here, source, target, count):
    return here.module.relay(source, target, count)


def test_relays(learner, queues):
    """Messages are passed on"""
    source, target = queues.bind(zmq.PUSH), queues.bind(zmq.PULL)
    running = learner.start(relay_here, source.address, target.address, 2)
    source.send(b"one")
    source.send(b"two")
    assert [target.receive(), target.receive()] == [b"one", b"two"]
    assert running.result() == 2
