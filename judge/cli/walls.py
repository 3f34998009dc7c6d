"""The walls around a learner's code on this machine, as findings with what each one needs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping

from judge.cli.machine import Finding
from judge.texts import Text

TIER = Text("isolation", "隔离")
STRONG_ENOUGH = 3

NOT_HERE = Text(
    "nothing can be done on this system; judge only code that you trust",
    "这个系统上无法改进；请只评测你信任的代码",
)
# What each wall needs where it does not stand, in the order in which they are worth mending.
MENDS = {
    "bubblewrap": Text(
        "install the package bubblewrap; in a container, allow user namespaces",
        "请安装软件包 bubblewrap；在容器里需要允许 user namespace",
    ),
    "namespaces": Text(
        "needs bubblewrap and user namespaces (on Ubuntu: sysctl "
        "kernel.apparmor_restrict_unprivileged_userns=0)",
        "需要 bubblewrap 和 user namespace（Ubuntu 上：sysctl "
        "kernel.apparmor_restrict_unprivileged_userns=0）",
    ),
    "seccomp": Text(
        "needs a kernel with seccomp filters, on x86-64 or arm64",
        "需要支持 seccomp 过滤器的内核（x86-64 或 arm64）",
    ),
    "landlock": Text(
        "needs Linux 5.13 or later with Landlock", "需要启用 Landlock 的 Linux 5.13 以上"
    ),
    "cgroups": Text(
        "for tier 1, run the judge as root; without them memory is limited for each process",
        "要达到第 1 级，请以 root 运行；没有它时，内存按进程限制",
    ),
}


def isolation_words(isolation: str) -> Text:
    """`tier 1 (landlock, seccomp)` in both languages."""
    found = re.fullmatch(r"tier (\d+)(, unverified)? \((.*)\)", isolation)
    if found is None:
        return Text(isolation, isolation)
    walls = "没有隔离" if found[3] == "no walls" else found[3].replace(", ", "、")
    unverified = "，未经验证" if found[2] else ""
    return Text(isolation, f"第 {found[1]} 级{unverified}（{walls}）")


def findings(tier: int, isolation: str, problems: Mapping[str, str | None]) -> Iterator[Finding]:
    """The tier, and each wall that does not stand. Judging works at every tier, if less safely."""
    yield Finding("good" if tier <= STRONG_ENOUGH else "note", TIER, isolation)
    absent = [name for name in MENDS if problems.get(name) is not None]
    for name in absent:
        mend = MENDS[name] if sys.platform == "linux" else NOT_HERE
        yield Finding("note", Text(name, name), problems[name] or "", mend)
