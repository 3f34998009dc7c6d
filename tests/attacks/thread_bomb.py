# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["error", "crashed", "wrong", "timeout"]
# reason = "Starts threads with small stacks; a control group, a limit per user or the zygote's eye ends it at 128."
# ///
import threading

threading.stack_size(32768)
forever = threading.Event()


def double(value):
    for started in range(30_000):
        threading.Thread(target=forever.wait, daemon=True).start()
    print("BREACH: threads", started)
    return value * 2
