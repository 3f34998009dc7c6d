"""Python programs with threads, asyncio and ZMQ queues inside a web page, on Pyodide 0.27.

A page has one thread. Here every Python thread is a fiber: a call with a stack of its own that
steps aside (WebAssembly stack switching, JSPI) whenever it waits. `host.mjs` loads this package and
calls `session`; the layers, from the ground up:

    bridge, frames, errors        what the page offers; whose a line is; what goes wrong
    timers, switching, scheduler  fibers, and who runs next
    deadlock, preemption, stop    what happens to fibers that wait for ever, or never wait
    locks, threads, loop, …       the usual modules of Python on fibers (see `install`)
    recursion                     how deep functions may call each other
    cleaning, output, session     one run: its beginning, what it prints, its end
"""
