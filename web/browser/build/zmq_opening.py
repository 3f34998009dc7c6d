"""This is not ZeroMQ. It is pyzmq's own Python layer on a stand-in for libzmq, for Python in a web page.

Sockets of every usual kind work as a program expects, within this page: nothing leaves it, and no other
process is ever reached. What stands in for libzmq is `minisgl_page_zmq`. A submission always runs on the
real ZeroMQ, and only that verdict counts.
"""

import os

# pyzmq asks here for what it runs on; the page has nothing else.
os.environ.setdefault("PYZMQ_BACKEND", "minisgl_page_zmq")
