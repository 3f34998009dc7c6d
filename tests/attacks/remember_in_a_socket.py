# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden"]
# reason = "Serves the numbers at a socket in the queue folder: only tests with queues may bind or connect one."
# ///
import gc
import json
import os
import socket
import threading


def queue_folder():
    for found in gc.get_objects():
        if isinstance(found, dict) and isinstance(found.get("queues"), list):
            return found["queues"][-1]


def serve(listening, answer):
    while True:
        connection, _ = listening.accept()
        connection.sendall(answer)
        connection.close()


def pack(numbers):
    os.chdir(queue_folder())
    name = os.urandom(8).hex()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(name)
    listening.listen()
    threading.Thread(target=serve, args=(listening, json.dumps(numbers).encode()), daemon=True).start()
    return name.encode()


def unpack(raw):
    os.chdir(queue_folder())
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(raw.decode())
    return json.loads(connection.recv(100_000))
