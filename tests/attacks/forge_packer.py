# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed", "timeout", "error", "wrong"]
# reason = "Replaces msgpack's functions and those already taken from it; then its replies are no frames."
# ///
import msgpack
import msgpack._cmsgpack

import judge.wire.encoder

empty = lambda *_, **__: b""  # noqa: E731
msgpack.packb = msgpack.unpackb = judge.wire.encoder.packb = empty


def double(value):
    return value * 2
