"""Tools that are not about language models: so far, the queues between processes."""

from .mp import (
    ZmqAsyncPullQueue,
    ZmqAsyncPushQueue,
    ZmqPubQueue,
    ZmqPullQueue,
    ZmqPushQueue,
    ZmqSubQueue,
)

__all__ = [
    "ZmqAsyncPullQueue",
    "ZmqAsyncPushQueue",
    "ZmqPubQueue",
    "ZmqPullQueue",
    "ZmqPushQueue",
    "ZmqSubQueue",
]
