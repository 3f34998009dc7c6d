# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Writes, removes and renames files of the judge, the course and Python; all it sees is read-only, or not there."
# ///
import glob
import os

from minisgl.shapes import Point

import judge.wire

FILES = [
    "@COURSE@/exercises/ch1/double/test_hidden.py", "@PROJECT@/judge/grade/judge.py",
    judge.wire.__file__, os.__file__, "/etc/ld.so.cache", "/tmp/file", *glob.glob("/tmp/mj-*/*/*"),
]


def attempt(what, action, *arguments):
    try:
        action(*arguments)
    except OSError:
        return
    print("BREACH:", what, arguments)


def look():
    for path in FILES:
        attempt("opened", os.open, path, os.O_WRONLY)
        attempt("made", os.open, path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        attempt("cut", os.truncate, path, os.stat(path).st_size if os.path.exists(path) else 0)
        attempt("mode", os.chmod, path, 0o777)
        attempt("times", os.utime, path)
        attempt("renamed", os.rename, path, path + ".old")
        attempt("replaced", os.symlink, "/etc/passwd", path + ".new")
        attempt("linked", os.link, path, f"{os.getcwd()}/link")
        if not path.startswith("/tmp/mj-"):
            attempt("removed", os.unlink, path)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
