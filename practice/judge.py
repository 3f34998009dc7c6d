#!/usr/bin/env python3
"""The learner's door: `python practice/judge.py ch12`. It finds a Python that has everything,
making one on the first start, and hands over to the command line in `judge/cli`."""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(HERE)

# What these commands need beyond judging: the site, and the page's Python under Node.
GROUPS = {"serve": ("page", "node"), "check": ("page", "node")}


def main():
    # Python looks first beside the script. There lie the learner's files, and a torch.py among
    # them, or this very judge.py, would be imported in place of the real one. A relative entry
    # may lead here too.
    kept = [
        entry
        for entry in sys.path
        if os.path.isabs(entry) and not (os.path.realpath(entry) + os.sep).startswith(HERE + os.sep)
    ]
    sys.path[:] = [os.path.join(ROOT, "tools"), *kept]
    from environment import ensure

    # Last: a torch.py or json.py that lies in the checkout must not stand in for the real one.
    sys.path[0:1] = []
    sys.path.append(ROOT)
    ensure(command_groups(sys.argv[1:]), system=("bubblewrap",))
    from judge.cli import main as command_line

    return command_line()


def command_groups(words):
    """The groups of packages (pyproject.toml) for the command among the words typed."""
    named = [GROUPS[word] for word in words if word in GROUPS]
    return named[0] if named else ()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
