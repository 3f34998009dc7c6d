"""What the tests of the reference queues share, apart from their fixtures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import torch
from minisgl.core import SamplingParams
from minisgl.message import BaseBackendMsg, UserMsg
from minisgl.utils import (
    ZmqAsyncPullQueue,
    ZmqAsyncPushQueue,
    ZmqPubQueue,
    ZmqPullQueue,
    ZmqPushQueue,
    ZmqSubQueue,
)

REFERENCE = Path(__file__).resolve().parent.parent / "reference"
LIMIT = 20.0  # seconds for a whole test
AT_ONCE = 5.0  # seconds that "returns at once" may take on a busy machine

encoder, decoder = BaseBackendMsg.encoder, BaseBackendMsg.decoder

ALL = [
    (ZmqPushQueue, encoder),
    (ZmqAsyncPushQueue, encoder),
    (ZmqPullQueue, decoder),
    (ZmqAsyncPullQueue, decoder),
    (ZmqPubQueue, encoder),
    (ZmqSubQueue, decoder),
]


def identity(data: Any) -> Any:
    return data


def user(uid: int) -> UserMsg:
    return UserMsg(uid, torch.tensor([uid, 1, 2], dtype=torch.int32), SamplingParams())


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(
        command, cwd=REFERENCE, capture_output=True, text=True, timeout=LIMIT, check=False
    )
