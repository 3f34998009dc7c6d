# /// attack
# kind = "harming"
# exercise = "ch1/relay"
# verdicts = ["passed"]
# reason = "Puts files, folders, links and devices in the queue folders, renames and removes them; only sockets may be there."
# ///
import gc
import os

import zmq


def attempt(what, action, *arguments):
    try:
        action(*arguments)
    except OSError:
        return
    print("BREACH:", what, arguments)


def spoil():
    folders = next(
        f["queues"] for f in gc.get_objects() if isinstance(f, dict) and isinstance(f.get("queues"), list)
    )
    for folder in folders:
        attempt("a file", os.open, f"{folder}/file", os.O_CREAT | os.O_WRONLY)
        attempt("a folder", os.mkdir, f"{folder}/folder")
        attempt("a link", os.symlink, "/etc", f"{folder}/link")
        attempt("a hard link", os.link, "/etc/passwd", f"{folder}/hard")
        attempt("a pipe", os.mkfifo, f"{folder}/pipe")
        attempt("a device", os.mknod, f"{folder}/device", 0o20666, 0x103)
        attempt("its removal", os.rmdir, folder)
        attempt("its renaming", os.rename, folder, folder + "x")
        attempt("its mode", os.chmod, folder, 0)
        attempt("its owner", os.chown, folder, 0, 0)
        attempt("its times", os.utime, folder)
        attempt("an attribute", os.setxattr, folder, "user.x", b"x")
        attempt("one beside it", os.mkdir, f"{os.path.dirname(folder)}/other")
        attempt("one above it", os.mkdir, f"{os.path.dirname(os.path.dirname(folder))}/other")


def relay(source, target, count):
    spoil()
    context = zmq.Context()
    pull, push = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    pull.connect(source)
    push.connect(target)
    for _ in range(count):
        push.send(pull.recv())
    pull.close()
    push.close()
    context.term()
    return count
