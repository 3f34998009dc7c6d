"""`Server`: the site on a port, from its first moment to an end that leaves nothing behind.

Waitress answers in threads; the program's main thread only waits, so that Ctrl-C finds it at a point
where nothing is half done.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import socket
import threading
from typing import IO

from waitress import create_server, wasyncore

from web.site.app import create_app
from web.site.security import MAX_BODY_BYTES
from web.site.settings import Settings, make_data_folder
from web.site.site import EXTENSION, Site

END_SECONDS = 5.0
# Larger bodies are cut off before the site sees them; up to here it can say what is wrong.
MAX_RECEIVED_BYTES = 2 * MAX_BODY_BYTES
# A reader who does not read must not hold a thread: what is unsent overflows into a file instead.
UNSENT_BYTES = 1 << 30


class AlreadyServed(Exception):
    """Another server works with the same data folder."""


class CannotListen(OSError):
    """The port is taken, or the address is none of this machine's."""


class Server:
    """One site on its port. `start` it, or use it with `with`; then `close` it in any case.

    `address` is where it is, without a final slash; `isolation` what verdicts say of the walls.

    Making it raises `CannotListen`, `AlreadyServed`, `OSError` if the data folder cannot be used, and
    `CatalogError` if the exercises are not sound.
    """

    def __init__(self, settings: Settings) -> None:
        # First the port: whether it is free is known at once.
        with contextlib.ExitStack() as opened:
            self._socket = opened.enter_context(_listen(settings.host, settings.port))
            self._lock = opened.enter_context(_lock(settings))
            app = create_app(settings)
            opened.pop_all()
        self.site: Site = app.extensions[EXTENSION]
        self.address = _address(self._socket, settings)
        self.isolation = ""
        self._map: dict[int, object] = {}
        self._waitress = create_server(
            app,
            map=self._map,
            sockets=[self._socket],
            threads=settings.threads,
            # With it, waitress notices that a stream's reader has gone.
            channel_request_lookahead=1,
            connection_limit=500,
            outbuf_high_watermark=UNSENT_BYTES,
            max_request_body_size=MAX_RECEIVED_BYTES,
            ident=None,
            url_scheme="https" if settings.https else "http",
        )
        self._thread = threading.Thread(target=self._waitress.run, name="waitress")

    def start(self) -> None:
        """Answer requests, and return as soon as submissions can be graded. Raises `CannotGrade`."""
        # That requests wait a moment for a thread is no news for whoever started this.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self.site.start()
        self._thread.start()
        self.isolation = self.site.workers.wait_until_ready()

    def __enter__(self) -> Server:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self) -> None:
        """Wait until a signal raises something in this thread."""
        threading.Event().wait()

    def close(self) -> None:
        """End everything, in an order in which nothing waits for what has ended."""
        self.site.stop()
        self._waitress.task_dispatcher.shutdown(timeout=END_SECONDS)
        if self._thread.is_alive():
            # In waitress's own thread, for its loop looks at what is closed here.
            self._waitress.trigger.pull_trigger(lambda: wasyncore.close_all(self._map))
            self._thread.join(END_SECONDS)
        else:
            wasyncore.close_all(self._map)
        self.site.database.close()
        self._lock.close()


def _address(listening: socket.socket, settings: Settings) -> str:
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if settings.https else 'http'}://{shown}:{port}"


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as problem:
        number = problem.errno if isinstance(problem, OSError) else None
        why = getattr(problem, "strerror", None) or str(problem)
        raise CannotListen(number, why) from None


def _lock(settings: Settings) -> IO[bytes]:
    """Held as long as it is open: two servers would give each other's submissions up for lost."""
    make_data_folder(settings)
    file = open(settings.data / "lock", "ab")  # noqa: SIM115 - it stays open
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise AlreadyServed(str(settings.data)) from None
    return file
