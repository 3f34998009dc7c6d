# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["wrong"]
# reason = "Climbs from its own frame to the zygote's and reads their variables; they hold no test."
# ///
import re
import sys

MARKER = re.compile("planted-[0-9a-f]{16}")


def double(value):
    seen, todo, found = set(), [sys._getframe(), *sys._current_frames().values()], []
    while todo:
        frame = todo.pop()
        if frame is None or id(frame) in seen:
            continue
        seen.add(id(frame))
        todo.append(frame.f_back)
        for scope in (frame.f_locals, frame.f_globals):
            for name, held in list(scope.items()):
                if type(held).__module__ not in ("builtins", "types"):
                    held = getattr(held, "__dict__", held)
                text = repr(held)[:100_000]
                if MARKER.search(text):
                    print("BREACH: in the variable", name)
                    found.append(text)
    return found
