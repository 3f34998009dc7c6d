"""The commands by name. A command's module is imported only when it is asked for."""

from __future__ import annotations

import importlib

import click

from judge.texts import Text

# In usage and help, and in a command that can be pasted.
NAME = "judge.py"
PROGRAM = f"python practice/{NAME}"

COMMANDS = {
    "judge": Text(
        "judge your file: the same as TARGET alone", "评测你的文件，与直接写 TARGET 相同"
    ),
    "list": Text("the chapters and exercises, and how far you are", "列出章节和练习，以及你的进度"),
    "start": Text(
        "copy the stub to practice/ and show the task", "把起始代码复制到 practice/，并显示题目"
    ),
    "next": Text(
        "go on where you stopped: the same as start with that exercise",
        "从上次停下的地方继续，等于对那个练习运行 start",
    ),
    "hint": Text("one more hint", "再给一条提示"),
    "serve": Text(
        "the site on this machine: read, write, run and submit in the browser",
        "在本机打开网站：在浏览器里阅读、编写、运行和提交",
    ),
    "watch": Text("judge again whenever you save", "每次保存后重新评测"),
    "solution": Text("the reference solution", "参考答案"),
    "reset": Text(
        "begin again from the stub; your file is kept as a backup",
        "从起始代码重新开始，你的文件会留作备份",
    ),
    "check": Text(
        "for authors: does every exercise judge as it says?",
        "给作者：检查每个练习的评测结果是否与声明一致",
    ),
    "bench": Text(
        "what judging costs here: time, throughput, memory", "测量评测的开销：时间、吞吐量、内存"
    ),
    "doctor": Text(
        "what this machine has for judging, and what it lacks", "检查这台机器是否具备评测所需的一切"
    ),
}


def load(name: str) -> click.Command:
    return importlib.import_module(f"judge.cli.commands.{name}").command
