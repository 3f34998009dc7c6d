# /// attack
# kind = "forging"
# exercise = "ch1/pack"
# verdicts = ["forbidden", "error"]
# reason = "Serves the numbers at an abstract socket: that needs no file, but binding all the same."
# ///
import json
import os
import socket
import threading


def serve(listening, answer):
    while True:
        connection, _ = listening.accept()
        connection.sendall(answer)
        connection.close()


def pack(numbers):
    name = os.urandom(8)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(b"\0" + name)
    listening.listen()
    threading.Thread(target=serve, args=(listening, json.dumps(numbers).encode()), daemon=True).start()
    return name


def unpack(raw):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(b"\0" + raw)
    return json.loads(connection.recv(100_000))
