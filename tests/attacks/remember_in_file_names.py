# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden"]
# reason = "Writes the numbers into the names of socket files: without binding there are no such files."
# ///
import gc
import json
import os
import socket


def queue_folder():
    for found in gc.get_objects():
        if isinstance(found, dict) and isinstance(found.get("queues"), list):
            return found["queues"][-1]


def pack(numbers):
    os.chdir(queue_folder())
    for name in os.listdir("."):
        os.unlink(name)
    socket.socket(socket.AF_UNIX).bind(json.dumps(numbers))
    return b""


def unpack(raw):
    return json.loads(os.listdir(queue_folder())[0])
