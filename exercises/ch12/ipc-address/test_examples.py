"""Addresses that two services use at once, and the file that a killed one has left."""

import errno
import os

import zmq

from judge.kit import assert_same, check

# These run beside your code. `here` keeps what they make until the test ends.


def new_addresses(here, folder, count, process):
    """New addresses of a process with that number: in one machine no two have the same."""
    import os

    real = os.getpid
    os.getpid = lambda: process
    try:
        return here.module.new_addresses(folder, count)
    finally:
        os.getpid = real


def open_pull(here, address):
    import zmq

    here.pull = zmq.Context.instance().socket(zmq.PULL)
    here.pull.bind(address)


def receive(here):
    return here.pull.recv()


def leave_file(here, address):
    """Bind and close. The file of the socket stays, as after the end of a killed process."""
    import zmq

    context = zmq.Context()
    socket = context.socket(zmq.PULL)
    socket.bind(address)
    socket.close()
    context.term()


def prepare(here, address):
    """What your code does: "nothing", or the number of the OSError that it raises."""
    try:
        here.module.prepare_to_bind(address)
    except OSError as error:
        return error.errno
    return "nothing"


def folder_of(queues):
    """A folder in which your code may bind."""
    return os.path.dirname(queues.address().removeprefix("ipc://"))


def check_addresses(addresses, folder, count):
    check(
        type(addresses) is list and [type(address) for address in addresses] == [str] * count,
        en="`new_addresses` should return a list of as many texts as were asked for.",
        zh="`new_addresses` 应当返回一个字符串列表，要几个就有几个。",
    )
    check(
        all(os.path.dirname(address) == f"ipc://{folder}" for address in addresses),
        en="An address of `new_addresses` does not lie in the folder that was given.",
        zh="`new_addresses` 给出的地址不在指定的目录里。",
    )
    check(
        all(len(os.path.basename(address)) <= 39 for address in addresses),
        en="What `new_addresses` adds to the folder is too long.",
        zh="`new_addresses` 在目录后面加的内容太长。",
    )
    check(
        len(set(addresses)) == count,
        en="Two addresses of one service are the same.",
        zh="同一个服务得到了两个相同的地址。",
    )


def test_limits(learner):
    """The longest path is accepted, one byte more is refused"""
    for platform, limit in (("linux", 107), ("darwin", 103)):
        path = "/tmp/" + "q" * (limit - 5)
        assert_same(learner.ipc_path(f"ipc://{path}", platform), path)
        with learner.raises(ValueError):
            learner.ipc_path(f"ipc://{path}q", platform)


def test_new_addresses(learner):
    """New addresses are short, and no two are the same"""
    first, second = learner.new_addresses("/tmp", 3), learner.new_addresses("/tmp", 4)
    check_addresses(first, "/tmp", 3)
    check_addresses(second, "/tmp", 4)
    check(
        not set(first) & set(second),
        en="The second call of `new_addresses` gives an address of the first one again.",
        zh="第二次调用 `new_addresses`，又给出了第一次的地址。",
    )


def test_two_services(sender, receiver, queues, rng):
    """Two services in one folder each get their own messages"""
    folder = folder_of(queues)
    messages = [rng.randbytes(8), rng.randbytes(8)]
    services = [sender, receiver]
    addresses = [
        sender.run(new_addresses, folder, 2, 71),
        receiver.run(new_addresses, folder, 2, 72),
    ]
    for service, mine in zip(services, addresses, strict=True):
        check_addresses(mine, folder, 2)
        service.run(open_pull, mine[0])
    for mine, message in zip(addresses, messages, strict=True):
        queues.connect(zmq.PUSH, mine[0]).send(message)
    assert_same([service.run(receive) for service in services], messages)


def test_left_file_is_removed(learner, queues):
    """The file of a queue that is gone is removed"""
    address = queues.address()
    learner.run(leave_file, address)
    check(
        learner.run(prepare, address) == "nothing",
        en="Nobody is bound at this address any more, but `prepare_to_bind` refuses it.",
        zh="已经没有人绑定这个地址了，`prepare_to_bind` 却拒绝了它。",
    )
    check(
        not queues.exists(address),
        en="The file that was left behind is still there.",
        zh="遗留下来的文件还在。",
    )


def test_bound_queue_stays(sender, receiver, queues, rng):
    """A second service cannot take the address of the first"""
    message = rng.randbytes(8)
    address = queues.address()
    sender.run(open_pull, address)
    found = receiver.run(prepare, address)
    check(
        found != "nothing",
        en="Another process is bound at this address, but `prepare_to_bind` raises nothing.",
        zh="另一个进程绑定着这个地址，`prepare_to_bind` 却没有抛出异常。",
    )
    assert_same(
        found,
        errno.EADDRINUSE,
        en="Another process is bound at this address. The `errno` of the OSError should be "
        "`errno.EADDRINUSE`.",
        zh="另一个进程绑定着这个地址。OSError 的 `errno` 应当是 `errno.EADDRINUSE`。",
    )
    check(
        queues.exists(address),
        en="The file of a queue that is in use has been removed.",
        zh="正在使用的队列，文件被删掉了。",
    )
    queues.connect(zmq.PUSH, address).send(message)
    assert_same(sender.run(receive), message)
