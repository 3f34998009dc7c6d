# /// attack
# kind = "reading"
# exercise = "ch1/double"
# verdicts = ["passed"]
# reason = "Looks for other gradings' folders beside its own; they are covered, and Landlock shows no parent."
# ///
import gc
import os

from minisgl.shapes import Point


def own_folders():
    for found in gc.get_objects():
        if isinstance(found, dict) and isinstance(found.get("queues"), list):
            return found["queues"]
    return []


def look():
    for folder in own_folders():
        base, own = os.path.split(folder)
        try:
            others = [name for name in os.listdir(base) if name != own]
        except OSError:
            others = []
        if others:
            print("BREACH: other gradings", others)
        number = int(own.split("-")[0])
        for other in range(max(0, number - 20), number + 20):
            if other != number and os.path.exists(f"{base}/{other}"):
                print("BREACH: guessed the folder", other)
    try:
        judges = [n for n in os.listdir("/tmp") if n.startswith("mj-")]
    except OSError:
        judges = []
    own = {folder.split("/")[2] for folder in own_folders()}
    if set(judges) - own:
        print("BREACH: other judges", judges)


look()


def double(value):
    if isinstance(value, Point):
        return Point(value.x * 2, value.y * 2)
    return value * 2
