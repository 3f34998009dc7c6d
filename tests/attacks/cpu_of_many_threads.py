# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["timeout"]
# reason = "Computes in a hundred threads without Python's lock, for ever; time limits end it, for the process as a whole."
# ///
import threading

import torch


def burn():
    torch.set_num_threads(1)
    ones = torch.ones(200, 200)
    while True:
        ones = ones @ ones


def double(value):
    threads = [threading.Thread(target=burn) for _ in range(20)]
    for thread in threads:
        thread.start()
    threads[0].join()
