"""Everything a process gives up before it meets bytes of a learner's, in the order that works."""

from __future__ import annotations

import os
from dataclasses import dataclass

from judge.sandbox import kernel, landlock, limits, namespaces, seccomp

DEVICES = ("/dev/null",)
RANDOM = ("/dev/urandom", "/dev/random")


@dataclass(frozen=True)
class Walls:
    """What this machine lets a process put around itself; found out once, by `probe`.

    A wall that is missing carries the reason. The programs are the compiled filters, empty where
    there is none: of an examinee that may use queues, of one that may not, and of an examiner.
    """

    namespaces: str | None
    landlock: str | None
    seccomp: str | None
    with_queues: bytes = b""
    without_queues: bytes = b""
    of_examiner: bytes = b""

    def report(self) -> dict[str, str | None]:
        return {"namespaces": self.namespaces, "landlock": self.landlock, "seccomp": self.seccomp}


def probe(*, try_namespaces: bool, refuse: list[str]) -> Walls:
    """Find out which walls work here. Goes on in a fork with a user namespace if it may.

    `refuse` names walls to do without although they would work, as on a machine that lacks them.
    """
    spaces = None if try_namespaces else "bubblewrap is not around the judge"
    if try_namespaces:
        try:
            namespaces.own_user_and_pid_namespace()
            with namespaces.next_fork_in_new_pid_namespace():
                pass
        except OSError as error:
            spaces = f"namespaces are refused here: {error}"
    filter_problem = "switched off" if "seccomp" in refuse else seccomp.problem()
    version = 0 if "landlock" in refuse else landlock.version()
    closed = None if version else "this kernel has no Landlock, or it is switched off"
    # Without a pid namespace, only Landlock (from version 6) keeps signals from other processes.
    signals = spaces is None or version >= 6
    programs = ()
    if filter_problem is None:
        programs = (
            seccomp.compile_filter(signals=signals),
            seccomp.compile_filter(signals=signals, queues=False),
            seccomp.compile_filter(signals=version >= 6, examiner=True),
        )
    return Walls(spaces, closed, filter_problem, *programs)


def confine_examinee(
    walls: Walls, readable: list[str], queue_folders: list[str], *, uses_queues: bool
) -> str:
    """Confine this process, which is about to run a learner's code; its scratch folder.

    `readable` is what Python needs. Of `queue_folders` the last may be written to, sockets only, and
    those only if it `uses_queues`. Raises
    `OSError` if a wall that `probe` found does not stand.
    """
    scratch = queue_folders[-1]
    if walls.namespaces is None:
        namespaces.enter(queue_folders)
        scratch = namespaces.SCRATCH
    rules = [landlock.Rule(path, landlock.READ) for path in (*readable, *RANDOM, *queue_folders)]
    rules += [landlock.Rule(path, landlock.DEVICE) for path in DEVICES]
    rules.append(landlock.Rule(queue_folders[-1], landlock.SOCKETS))
    if walls.namespaces is None:
        rules.append(landlock.Rule(scratch, landlock.SCRATCH))
    _seal(walls, rules, walls.with_queues if uses_queues else walls.without_queues)
    return scratch


def confine_examiner(walls: Walls, readable: list[str], writable: list[str]) -> None:
    """Confine a grader, which is about to read what a learner's side sends. Raises `OSError`."""
    rules = [landlock.Rule(path, landlock.READ) for path in (*readable, *RANDOM)]
    rules += [landlock.Rule(path, landlock.DEVICE) for path in DEVICES]
    rules += [landlock.Rule(path, landlock.SOCKETS) for path in writable]
    _seal(walls, rules, walls.of_examiner)


def _seal(walls: Walls, rules: list[landlock.Rule], program: bytes) -> None:
    if not kernel.supported():
        return
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if os.geteuid() == 0 or walls.namespaces is None:
        kernel.drop_capabilities()
    # Other processes of the same user may not look into this one.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    # Changing credentials forgets the wish to end with the parent.
    limits.die_with_parent()
    if walls.landlock is None:
        landlock.restrict(rules)
    if walls.seccomp is None:
        seccomp.install(program)
