"""A stand-in for libzmq, in memory and in pure Python. It is not ZeroMQ.

pyzmq's own Python layer runs on it unchanged when `PYZMQ_BACKEND=minisgl_page_zmq` is set before
`import zmq`. It exists because a web page has neither libzmq nor sockets. Nothing leaves the
interpreter: `inproc://`, `ipc://` and `tcp://` on this machine join sockets of one interpreter,
and no other process is ever reached. It keeps libzmq's rules as a program sees them (blocking,
limits, routing, subscriptions, errors) and none of its wire format, speed or security.
"""

from .contexts import Context
from .errors import curve_keypair, curve_public, has, strerror, zmq_errno, zmq_version_info
from .frames import Frame
from .places import IPC_PATH_MAX_LEN
from .polling import zmq_poll
from .proxies import proxy, proxy_steerable
from .sockets import Socket

Message = Frame
PYZMQ_DRAFT_API = False
monitored_queue = None  # pyzmq then runs its own, on this backend's sockets

__all__ = [
    "IPC_PATH_MAX_LEN",
    "PYZMQ_DRAFT_API",
    "Context",
    "Frame",
    "Message",
    "Socket",
    "curve_keypair",
    "curve_public",
    "has",
    "monitored_queue",
    "proxy",
    "proxy_steerable",
    "strerror",
    "zmq_errno",
    "zmq_poll",
    "zmq_version_info",
]
