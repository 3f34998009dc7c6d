"""`judge.py bench [TARGET]`: what judging costs here, from one run."""

from __future__ import annotations

import click
import msgspec

from judge.cli.names import COMMANDS
from judge.cli.parsing import Command, Option
from judge.cli.session import Session
from judge.measure import Costs, ExerciseCost, MeasurementFailed, measure
from judge.sandbox.client import SandboxError
from judge.texts import Text

FORMAT = Text("json: one object on standard output", "json：在标准输出给出一个对象")
WARM = Text("verdicts per exercise", "每个练习评测多少次")
FRESH = Text("plain pytest runs per exercise", "每个练习直接运行多少次 pytest")
HEADS = Text(
    "exercise, tests, verdict ms, p95 ms, stub ms, pytest ms, ratio",
    "练习, 测试, 评测毫秒, p95 毫秒, 起始代码毫秒, pytest 毫秒, 倍数",
)
ROWS: dict[str, Text] = {
    "isolation": Text("isolation", "隔离"),
    "verdicts_per_second_1_worker": Text("verdicts per second, 1 worker", "每秒评测数，1 个线程"),
    "verdicts_per_second_2_workers": Text("verdicts per second, 2 workers", "每秒评测数，2 个线程"),
    "examinee_zygote_mib": Text("examinee zygote, MiB", "受测进程母体，MiB"),
    "examiner_zygote_mib": Text("examiner zygote, MiB", "评测进程母体，MiB"),
    "live_examinee_mib": Text("one more live examinee, MiB", "每多一个受测进程，MiB"),
    "round_trip_inside_us": Text("ZMQ round trip in the sandbox, µs", "沙箱内 ZMQ 往返，µs"),
    "round_trip_outside_us": Text("ZMQ round trip without it, µs", "沙箱外 ZMQ 往返，µs"),
}
WIDTHS = (24, 7, 12, 9, 14, 12, 8)
JUDGE_FAILED = 3


@click.command("bench", cls=Command, words=COMMANDS["bench"])
@click.argument("target", required=False)
@click.option(
    "--format",
    "form",
    cls=Option,
    words=FORMAT,
    type=click.Choice(["text", "json"]),
    default="text",
)
@click.option("--warm", cls=Option, words=WARM, type=click.IntRange(1, 1000), default=15)
@click.option("--fresh", cls=Option, words=FRESH, type=click.IntRange(1, 100), default=5)
@click.pass_obj
def command(session: Session, target: str | None, form: str, warm: int, fresh: int) -> int:
    def say(what: Text) -> None:
        session.note(Text(f"measuring: {what.en}", f"测量中：{what.zh}"))

    try:
        costs = measure(session.select(target), warm=warm, fresh=fresh, say=say)
    except (MeasurementFailed, SandboxError) as problem:
        session.note(Text(str(problem), str(problem)))
        return JUDGE_FAILED
    if form == "json":
        session.write(msgspec.json.format(msgspec.json.encode(costs), indent=2) + b"\n")
    else:
        session.write(_table(session, costs).encode())
    return 0


def _table(session: Session, costs: Costs) -> str:
    heads = HEADS[session.language].split(", ")
    lines = [_row(heads)]
    lines += [_row(_cells(exercise)) for exercise in costs.exercises]
    lines.append("")
    for name, text in ROWS.items():
        lines.append(f"{_padded(text[session.language], 38)}{getattr(costs, name)}")
    return "\n".join(lines) + "\n"


def _cells(cost: ExerciseCost) -> list[str]:
    return [str(value) for value in msgspec.structs.astuple(cost)]


def _row(cells: list[str]) -> str:
    first, *others = zip(cells, WIDTHS, strict=True)
    return _padded(*first) + "".join(_padded(cell, width, right=True) for cell, width in others)


def _padded(text: str, width: int, *, right: bool = False) -> str:
    from rich.cells import cell_len

    space = " " * max(1, width - cell_len(text))
    return space + text if right else text + space
