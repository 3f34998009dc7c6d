# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["timeout"]
# reason = "Sends half of each reply and then nothing; the test's time runs on."
# ///
import socket

loaded = []


def send(self, data):
    self.send(data[: len(data) // 2] if loaded else data)


socket.socket.sendall = send


def double(value):
    loaded.append(1)
    return value * 2
