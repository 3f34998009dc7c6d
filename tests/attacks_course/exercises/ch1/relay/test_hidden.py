import zmq

# The marker: PLANTED-MARKER


def relay_here(here, source, target, count):
    return here.module.relay(source, target, count)


def test_relays_many(learner, queues, rng):
    """Many messages are passed on"""
    source, target = queues.bind(zmq.PUSH), queues.bind(zmq.PULL)
    running = learner.start(relay_here, source.address, target.address, 5)
    messages = [rng.randbytes(20) for _ in range(5)]
    for message in messages:
        source.send(message)
    assert [target.receive() for _ in messages] == messages
    assert running.result() == 5
