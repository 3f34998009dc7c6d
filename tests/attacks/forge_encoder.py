# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["wrong", "crashed"]
# reason = "Replaces the encoder that writes its replies; whatever it writes is still only its own value."
# ///
import judge.wire
import judge.wire.encoder
from judge.examinee import serve

encode = judge.wire.Encoder.encode


class Encoder(judge.wire.Encoder):
    def encode(self, value):
        if isinstance(value, dict) and "value" in value:
            value = {"id": value["id"], "value": True}
        return encode(self, value)


judge.wire.Encoder = serve.wire.Encoder = judge.wire.encoder.Encoder = Encoder


def double(value):
    return value
