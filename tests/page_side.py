"""Grades as a page does, in a process of its own: JSON lines in, JSON lines out.

    python page_side.py real|standins

A request has `bundle`, `source`, `seed`, and maybe one of two: `stop_after`, the number of results after
which the run is interrupted, as by Stop, or `stop_between`, the same at a moment when no test runs. The
answer has the `verdict`, the `results` as they came, and `left`: what of the run was still in the
interpreter. With `wire` instead of a bundle it says how the wire writes tensors of every kind. With
`standins`, torch and libzmq are the page's.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any


@contextlib.contextmanager
def alarm(deadline: float) -> Iterator[None]:
    """A guard made of signals; again and again, for code that swallows the first."""

    def ring(*_: object) -> None:
        raise OutOfTime

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, deadline - time.monotonic()), 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def state() -> dict[str, list[Any]]:
    """What a run might leave behind."""
    modules = [m for m in sys.modules if m.partition(".")[0] in ("minisgl", "test_examples")]
    return {
        "modules": sorted(modules),
        "finders": [repr(type(finder)) for finder in sys.meta_path],
        "environment": sorted(f"{name}={value}" for name, value in os.environ.items()),
        "streams": [id(sys.stdout), id(sys.stderr)],
        "writes_bytecode": [sys.dont_write_bytecode],
        "errors": [name for name in ("last_value", "last_exc") if hasattr(sys, name)],
        "folders": sorted(n for n in os.listdir("/tmp") if n.startswith("tests-page-")),
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    results: list[dict[str, Any]] = []

    def on_result(result: Any) -> None:
        results.append(asdict(result))
        if len(results) == request.get("stop_between"):
            raise KeyboardInterrupt
        if len(results) == request.get("stop_after"):
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.setitimer(signal.ITIMER_REAL, 0.2)

    before = state()
    guard = unguarded if "stop_after" in request else alarm
    verdict = grade(
        request["bundle"], request["source"], seed=request["seed"], on_result=on_result, guard=guard
    )
    after = state()
    left = {name: sorted(set(before[name]) ^ set(after[name])) for name in before}
    left = {name: changes for name, changes in left.items() if changes}
    return {"verdict": asdict(verdict), "results": results, "left": left}


def wire_frames() -> dict[str, str]:
    """By kind of tensor: the frame, and after a round trip the frame again with what was kept."""
    names = [n for n in DTYPES if n in STANDIN_DTYPES]
    frames = {}
    for name in names:
        dtype = DTYPES[name]
        flat = torch.tensor([0, 1, 1, 0, 1, 1]).to(dtype)
        kinds = {
            "1-d": flat, "2-d": flat.reshape(2, 3), "transposed": flat.reshape(2, 3).t(),
            "every other": flat[::2], "0-d": flat[1], "empty": flat[:0],
            "expanded": flat[:1].expand(3), "no columns": flat.reshape(2, 3)[:, :0],
        }  # fmt: skip
        if dtype.is_floating_point:
            kinds["gradient"] = torch.tensor([0.5, 1.0]).to(dtype).requires_grad_()
        for kind, tensor in kinds.items():
            frame = Encoder(keep_layout=True).encode([tensor])
            reader = FrameReader()
            reader.feed(frame)
            (back,) = Decoder(lambda *_: None, trusted=True).decode(*reader.next_frame())
            again = Encoder(keep_layout=True).encode([back])
            kept = [list(back.stride()) if back.numel() else [], back.requires_grad, str(back)]
            frames[f"{name} {kind}"] = json.dumps([frame.hex(), again.hex(), kept])
    return frames


STANDIN_DTYPES = [
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16",
    "bfloat16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip

if __name__ == "__main__":
    sys.modules["msgspec"] = None  # type: ignore[assignment]  # a page has none
    import torch

    from judge.examiner.one_interpreter import OutOfTime, unguarded
    from judge.examiner.page import grade
    from judge.wire import DTYPES, Decoder, Encoder, FrameReader

    assert ("page" in torch.__version__) == (sys.argv[1] == "standins")
    if sys.platform == "linux":
        # Root may remove any socket; a judge's examinee has no such power either.
        import ctypes

        ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), bytes(24))
    answers = os.fdopen(os.dup(1), "w")  # what the tests print goes elsewhere
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        result = {"frames": wire_frames()} if "wire" in request else answer(request)
        print(json.dumps(result), file=answers, flush=True)
    os._exit(0)  # a thread may wait in a socket for ever
