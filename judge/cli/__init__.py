"""The command line: what a learner types and reads. `main` runs one command and returns its
exit code.

This room shows verdicts and keeps the learner's files. It must never judge anything itself and
never import torch; each command is imported only when it is asked for, so that every start is fast.
"""

from judge.cli.app import main

__all__ = ["main"]
