"""Limits in bytes, names that nobody else has, and what may be removed before a queue binds."""

import errno
import math
import os
import re
import sys

import pytest
import zmq

from judge.kit import assert_same, check

LIMITS = {"linux": 107, "darwin": 103, "freebsd14": 103, "openbsd7": 103}
LONGEST_NAME = 39  # bytes; with the slash before it, an address adds 40 to its folder
# 64 random bits, written as densely as a name can, show about 50 in 32 names; 48 bits show about 45.
STARTS, LEAST_BITS = 32, 44


# --- beside the learner's code --------------------------------------------------------------------


def open_pull(here, address):
    import zmq

    here.context = zmq.Context()
    here.pull = here.context.socket(zmq.PULL)
    here.pull.bind(address)


def close_pull(here):
    """Close it and be sure that nobody listens any more; the file stays."""
    here.pull.close()
    here.context.term()


def receive(here):
    return here.pull.recv()


def leave_file(here, address):
    """A socket's file, and nobody there: what a killed process leaves."""
    import socket

    left = socket.socket(socket.AF_UNIX)
    left.bind(address.removeprefix("ipc://"))
    left.listen()
    left.close()


def bind_plainly(here, address):
    """Bind without ZMQ, which does not work where a file is."""
    import socket

    here.plain = socket.socket(socket.AF_UNIX)
    here.plain.bind(address.removeprefix("ipc://"))


def bind_datagrams(here, address):
    import socket

    here.datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    here.datagrams.bind(address.removeprefix("ipc://"))


def listen_without_accepting(here, address):
    """A listener that takes nobody in, with as many callers as may wait."""
    import socket

    path = address.removeprefix("ipc://")
    here.busy = socket.socket(socket.AF_UNIX)
    here.busy.bind(path)
    here.busy.listen(0)
    here.callers = []
    while True:
        caller = socket.socket(socket.AF_UNIX)
        here.callers.append(caller)
        caller.setblocking(False)
        try:
            caller.connect(path)
        except BlockingIOError:
            return


def prepare(here, address):
    """What the learner's code does: "nothing", or the number of the OSError that it raises."""
    try:
        here.module.prepare_to_bind(address)
    except OSError as error:
        return error.errno
    return "nothing"


def prepare_and_ask_no_more(here, address):
    """Prepare, and do not mind what is raised."""
    try:
        here.module.prepare_to_bind(address)
    except Exception:
        return


def seconds_to_prepare(here, address, tries):
    """How long the learner's code takes in the quickest of so many tries."""
    import contextlib
    import time

    seconds = []
    for _ in range(tries):
        started = time.perf_counter()
        with contextlib.suppress(OSError):
            here.module.prepare_to_bind(address)
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def prepare_relative(here, folder, name):
    """Prepare an address without a folder, from inside of `folder`."""
    import os

    before = os.getcwd()
    os.chdir(folder)
    try:
        here.module.prepare_to_bind(f"ipc://{name}")
    finally:
        os.chdir(before)


def prepare_file(here, folder):
    """Prepare the path of a plain file: the classes of what is raised, and whether it has stayed."""
    import os
    import tempfile

    try:
        handle, path = tempfile.mkstemp(prefix="notes-", dir=os.environ.get("TMPDIR"))
        os.close(handle)
    except PermissionError:  # behind some walls none may be made; a folder is no socket either
        path = folder
    raised = []
    try:
        here.module.prepare_to_bind(f"ipc://{path}")
    except Exception as error:
        raised = [cls.__name__ for cls in type(error).__mro__]
    stayed = os.path.exists(path)
    if os.path.isfile(path):
        os.unlink(path)
    return [raised, stayed]


def start_services(here, starts, count, at_once):
    """New addresses of so many services: each loads the module anew, as a process does that starts.

    All have the process number 1, as in containers. If they start `at_once`, their clocks stand
    still, and all have the same seed.
    """
    import datetime
    import os
    import random
    import time
    import types
    import uuid
    from unittest import mock

    class StoppedTime(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2025, 1, 1, tzinfo=tz)

        utcnow = today = now

    patches = [mock.patch.object(os, "getpid", lambda: 1)]
    if at_once:
        for clock in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
            moment = getattr(time, f"{clock}_ns")()
            patches += [
                mock.patch.object(time, clock, lambda moment=moment: moment / 1e9),
                mock.patch.object(time, f"{clock}_ns", lambda moment=moment: moment),
            ]
        # uuid1 has its moment from the system, and never gives one twice in a process.
        patches += [
            mock.patch.object(datetime, "datetime", StoppedTime),
            mock.patch.object(uuid, "_generate_time_safe", None, create=True),
            mock.patch.object(uuid, "_UuidCreate", None, create=True),
        ]

    spec = here.module.__spec__
    code = spec.loader.get_code(spec.name)
    found = []
    for patch in patches:
        patch.start()
    try:
        for _ in range(starts):
            if at_once:
                random.seed(0)
                uuid._last_timestamp = None
            service = types.ModuleType(spec.name)
            exec(code, service.__dict__)
            found.append(service.new_addresses("/tmp", count))
    finally:
        for patch in reversed(patches):
            patch.stop()
    return found


def new_with_seed(here, folder, count, seed):
    """New addresses of an engine that seeds everything, so that its answers can be repeated."""
    import random

    import numpy
    import torch

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    return here.module.new_addresses(folder, count)


# --- the tests' own side --------------------------------------------------------------------------


def folder_of(queues):
    """A folder in which the learner's code may bind."""
    return os.path.dirname(queues.address().removeprefix("ipc://"))


def path_of_length(start, length):
    return start + "q" * (length - len(start.encode()))


def check_addresses(addresses, folder, count):
    check(
        type(addresses) is list and [type(address) for address in addresses] == [str] * count,
        en="`new_addresses` should return a list of as many texts as were asked for.",
        zh="`new_addresses` 应当返回一个字符串列表，要几个就有几个。",
    )
    start = f"ipc://{folder}/"
    check(
        all(address.startswith(start) for address in addresses),
        en="An address of `new_addresses` does not lie in the folder that was given.",
        zh="`new_addresses` 给出的地址不在指定的目录里。",
    )
    names = [address.removeprefix(start) for address in addresses]
    check(
        all(re.fullmatch(r"[A-Za-z0-9._=-]+", name) for name in names),
        en="The name of a new address has characters that are not allowed.",
        zh="新地址的名字里有不允许的字符。",
    )
    check(
        all(len(name) <= LONGEST_NAME for name in names),
        en="What `new_addresses` adds to the folder is too long.",
        zh="`new_addresses` 在目录后面加的内容太长。",
    )
    check(
        len(set(names)) == count,
        en="Two addresses of one service are the same.",
        zh="同一个服务得到了两个相同的地址。",
    )


def check_nothing_shared(*services):
    """No two services have an address in common."""
    addresses = [address for each in services for address in each]
    check(
        len(set(addresses)) == len(addresses),
        en="Two services have got the same address.",
        zh="两个服务得到了相同的地址。",
    )


def random_bits(names):
    """How many random bits `names` show at most: at each place, the letters that occur there."""
    places = range(max(map(len, names)))
    return sum(math.log2(len({name[place : place + 1] for name in names})) for place in places)


def check_prepared(found, queues, address):
    check(
        found == "nothing",
        en="Nobody is bound at this address, but `prepare_to_bind` refuses it.",
        zh="没有人绑定这个地址，`prepare_to_bind` 却拒绝了它。",
    )
    check(
        not queues.exists(address),
        en="There is a file at the address after `prepare_to_bind`.",
        zh="`prepare_to_bind` 之后，这个地址上还有文件。",
    )


def check_file_stays(queues, address):
    check(
        queues.exists(address),
        en="The file of a socket that is in use has been removed.",
        zh="正在使用的套接字，文件被删掉了。",
    )


def check_refused(found, queues, address):
    check_file_stays(queues, address)
    check(
        found != "nothing",
        en="Somebody is bound at this address, but `prepare_to_bind` raises nothing.",
        zh="有人绑定着这个地址，`prepare_to_bind` 却没有抛出异常。",
    )
    check(
        found == errno.EADDRINUSE,
        en="Somebody is bound at this address, and `prepare_to_bind` raises an OSError. But its "
        "`errno` is not `errno.EADDRINUSE`.",
        zh="有人绑定着这个地址，`prepare_to_bind` 也抛出了 OSError，可是它的 `errno` 不是 "
        "`errno.EADDRINUSE`。",
    )


@pytest.mark.parametrize("platform", LIMITS)
def test_limit_of_each_platform(learner, platform):
    """Each platform has its limit: up to it accepted, beyond it refused"""
    for length in (LIMITS[platform] - 1, LIMITS[platform]):
        path = path_of_length("/tmp/", length)
        assert_same(learner.ipc_path(f"ipc://{path}", platform), path)
    for length in (LIMITS[platform] + 1, 125):
        with learner.raises(ValueError):
            learner.ipc_path("ipc://" + path_of_length("/tmp/", length), platform)


def test_bytes_are_counted(learner):
    """Bytes count, not characters"""
    longest = path_of_length("/tmp/" + "消息" * 16, 103)
    assert_same(learner.ipc_path(f"ipc://{longest}", "darwin"), longest)
    with learner.raises(ValueError):
        learner.ipc_path(f"ipc://{longest}q", "darwin")
    with learner.raises(ValueError):
        learner.ipc_path("ipc:///tmp/" + "é" * 52, "linux")


def test_refusal_names_both_numbers(learner, rng):
    """The text of the refusal names the length and the limit"""
    for platform, limit in LIMITS.items():
        length = rng.randint(limit + 1, 900)
        both = rf"(?s)\A(?=.*(?<!\d){length}(?!\d))(?=.*(?<!\d){limit}(?!\d))"
        with learner.raises(ValueError, match=both):
            learner.ipc_path("ipc://" + path_of_length("/消息/", length), platform)


def test_own_platform_is_meant(learner, queues, rng):
    """The longest path of this system is accepted, and a queue can be bound there"""
    limit = LIMITS.get(sys.platform, 103)
    path = path_of_length(folder_of(queues) + f"/{rng.randrange(1000)}", limit)
    assert_same(learner.ipc_path(f"ipc://{path}"), path)
    check_prepared(learner.run(prepare, f"ipc://{path}"), queues, f"ipc://{path}")
    learner.run(open_pull, f"ipc://{path}")
    queues.connect(zmq.PUSH, f"ipc://{path}").send(b"far away")
    assert_same(learner.run(receive), b"far away")
    for name in ("ipc_path", "prepare_to_bind"):
        with learner.raises(ValueError):
            learner.call(name, f"ipc://{path}q")


def test_other_addresses_are_refused(learner):
    """What is no ipc address is refused"""
    others = ["tcp://127.0.0.1:5555", "inproc://q", "/tmp/q", "ipc:/tmp/q", "tcp://ipc://q", ""]
    for address in (*others, "ipc://"):
        with learner.raises(ValueError):
            learner.ipc_path(address)
    for address in ("tcp://127.0.0.1:5555", "ipc://"):
        with learner.raises(ValueError):
            learner.prepare_to_bind(address)


def check_path(learner, path):
    assert_same(
        learner.ipc_path(f"ipc://{path}"),
        path,
        en="The path does not come back as it stands in the address.",
        zh="返回的路径，和地址里写的不一样。",
    )


def test_path_comes_whole(learner):
    """The path comes back whole, whatever letters it begins with"""
    for path in ("pics/q", "/ipc/q", "p", "/tmp/ipc://q", "//tmp/q", "/tmp/a b:c"):
        check_path(learner, path)


def test_no_character_is_special(learner):
    """The path is that of a file: no character in it has a special meaning"""
    for path in ("/tmp/q?1", "/tmp/#2/q", "/tmp/100%25;q"):
        check_path(learner, path)


def test_many_in_a_long_folder(learner):
    """A hundred addresses fit in a folder of 63 bytes on macOS, of 67 on Linux"""
    for platform, length in (("darwin", 63), ("linux", 67)):
        folder = path_of_length("/tmp/目录/", length)
        check_addresses(learner.new_addresses(folder, 100, platform), folder, 100)


def test_too_long_a_folder(learner):
    """A folder that leaves no room is refused"""
    for platform, limit in LIMITS.items():
        for length in (limit - 1, limit, 150):
            with learner.raises(ValueError):
                learner.new_addresses(path_of_length("/tmp/目录/", length), 1, platform)


def test_two_containers(sender, receiver):
    """Two services with the same process number have nothing in common, however often they start"""
    starts = [
        addresses
        for service in (sender, receiver)
        for addresses in service.run(start_services, 20, 3, False)
    ]
    for addresses in starts:
        check_addresses(addresses, "/tmp", 3)
    check_nothing_shared(*starts)


def test_start_in_the_same_moment(learner):
    """Services that start in the same moment have nothing in common"""
    starts = learner.run(start_services, 8, 3, True)
    for addresses in starts:
        check_addresses(addresses, "/tmp", 3)
    check_nothing_shared(*starts)


def test_random_bits(learner):
    """The names have enough random bits from the system"""
    starts = learner.run(start_services, STARTS, 1, True)
    for addresses in starts:
        check_addresses(addresses, "/tmp", 1)
    check(
        random_bits([os.path.basename(address) for (address,) in starts]) >= LEAST_BITS,
        en="Names that were made in different starts differ too little: they have fewer random bits "
        "than the statement asks for.",
        zh="不同几次启动得到的名字，差别太小：里面的随机位，比题目要求的少。",
    )


def test_seeded_engine(learner, rng):
    """Two services with the same random seed have nothing in common"""
    seed = rng.randrange(2**32)
    addresses = [learner.run(new_with_seed, "/tmp", 3, seed) for _ in range(2)]
    for each in addresses:
        check_addresses(each, "/tmp", 3)
    check_nothing_shared(*addresses)


def test_nothing_is_created(learner, queues):
    """New addresses and free ones leave the folder as it was"""
    address = queues.address()
    folder = folder_of(queues)
    before = sorted(os.listdir(folder))
    learner.new_addresses(folder, 5)
    check_prepared(learner.run(prepare, address), queues, address)
    assert_same(
        sorted(os.listdir(folder)),
        before,
        en="There are other files in the folder than before.",
        zh="目录里的文件和之前不一样了。",
    )


def test_killed_service(learner, queues):
    """The file of a killed process is removed, and only this one"""
    address, neighbour = queues.address(), queues.address()
    learner.run(leave_file, address)
    learner.run(leave_file, neighbour)
    check_prepared(learner.run(prepare, address), queues, address)
    learner.run(bind_plainly, address)
    check(
        queues.exists(neighbour),
        en="The file of another address has been removed as well.",
        zh="另一个地址的文件也被删掉了。",
    )


def test_start_after_a_kill(learner, queues, rng):
    """After a kill the next start works: the queue binds and gets its messages"""
    message = rng.randbytes(8)
    address = queues.address()
    learner.run(leave_file, address)
    learner.prepare_to_bind(address)
    learner.run(open_pull, address)
    queues.connect(zmq.PUSH, address).send(message)
    assert_same(learner.run(receive), message)


def test_one_service_after_the_other(sender, receiver, queues):
    """The second service gets the address when the first has gone, not before"""
    address = queues.address()
    for service in (sender, receiver):
        check_prepared(service.run(prepare, address), queues, address)
        service.run(open_pull, address)
        check_refused(receiver.run(prepare, address), queues, address)
        queues.connect(zmq.PUSH, address).send(b"still there")
        assert_same(service.run(receive), b"still there")
        service.run(close_pull)


def test_failing_is_not_refusal(learner, queues):
    """Who is busy, or a socket of another kind, is there"""
    address = queues.address()
    learner.run(bind_datagrams, address)
    check_refused(learner.run(prepare, address), queues, address)
    if sys.platform == "linux":  # elsewhere a busy listener refuses, as if nobody were there
        address = queues.address()
        learner.run(listen_without_accepting, address)
        check_refused(learner.run(prepare, address), queues, address)


def test_nobody_is_waited_for(learner, queues):
    """Whether somebody is there turns out at once, even if nobody answers"""
    address = queues.address()
    if sys.platform == "linux":  # elsewhere a busy listener refuses at once
        learner.run(listen_without_accepting, address)
    else:
        learner.run(bind_datagrams, address)
    # A right solution needs far less than a millisecond, and one quick try is enough.
    check(
        learner.run(seconds_to_prepare, address, 8) < 0.02,
        en="`prepare_to_bind` waits for somebody who does not answer.",
        zh="对方不回答，`prepare_to_bind` 却还在等。",
    )


def test_living_queue_keeps_its_file(sender, receiver, queues, rng):
    """The file of a queue that is in use stays, and its messages come"""
    message, address = rng.randbytes(8), queues.address()
    sender.run(open_pull, address)
    receiver.run(prepare_and_ask_no_more, address)
    check_file_stays(queues, address)
    queues.connect(zmq.PUSH, address).send(message)
    assert_same(sender.run(receive), message)


def test_file_is_kept(learner, queues):
    """A file that is no socket is refused and kept"""
    raised, stayed = learner.run(prepare_file, folder_of(queues))
    check(
        stayed,
        en="A file that is no socket has been removed. Whose was it?",
        zh="一个不是套接字的文件被删掉了。那是谁的文件？",
    )
    check(
        "FileExistsError" in raised,
        en="At this path there is a file that is no socket. That should be a FileExistsError.",
        zh="这个路径上的文件不是套接字，应当抛出 FileExistsError。",
    )


def test_folder_as_path(learner, queues):
    """A path that is a folder is refused"""
    with learner.raises(FileExistsError):
        learner.prepare_to_bind(f"ipc://{folder_of(queues)}")


def test_missing_folder(learner, queues):
    """A missing folder is named"""
    missing = f"{folder_of(queues)}/nowhere"
    with learner.raises(FileNotFoundError, match=re.escape(missing)):
        learner.prepare_to_bind(f"ipc://{missing}/q")


def test_path_without_a_folder(learner, queues):
    """A path without a folder means the current one"""
    address = queues.address()
    folder, name = os.path.split(address.removeprefix("ipc://"))
    learner.run(prepare_relative, folder, name)
    learner.run(leave_file, address)
    learner.run(prepare_relative, folder, name)
    check(
        not queues.exists(address),
        en="The file that was left behind is still there.",
        zh="遗留下来的文件还在。",
    )
