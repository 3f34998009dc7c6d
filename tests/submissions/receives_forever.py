# /// expect
# verdicts = ["timeout"]
# message = 'stood at line'
# failed = "all"
# line = 'return socket.recv()'
# ///
import zmq


def double(value):
    with zmq.Context() as context, context.socket(zmq.PULL) as socket:
        socket.bind("inproc://nobody")
        return socket.recv()
