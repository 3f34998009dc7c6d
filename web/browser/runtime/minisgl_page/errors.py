"""What can go wrong only in a page, told in both languages."""

from __future__ import annotations

import errno


class PageError(RuntimeError):
    """`en` and `zh` hold the same sentence; as text the error is both."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(f"{en}\n{zh}")
        self.en, self.zh = en, zh


class Deadlock(PageError):
    """Every thread waits for another, and no time limit will end it."""


class CannotWait(PageError):
    """Something would wait, and this browser cannot let a program step aside."""

    def __init__(self) -> None:
        super().__init__(
            "This browser has no WebAssembly stack switching (JSPI), so a program cannot wait "
            "here for another thread or a message. Submit to run it on the server.",
            "这个浏览器不支持 WebAssembly 栈切换（JSPI），程序无法在这里等待其他线程或消息。"
            "请提交到服务器上运行。",
        )


class NoSockets(OSError):
    """A page may not open connections."""

    def __init__(self) -> None:
        super().__init__(
            errno.EAFNOSUPPORT,
            "a web page has no sockets; ZMQ addresses join the threads of this page instead "
            "(网页里没有套接字；ZMQ 地址只连接本页面内的线程)",
        )


class Ended(SystemExit):
    """Raised in a thread that is left when its program has ended. Threads end on it silently."""
