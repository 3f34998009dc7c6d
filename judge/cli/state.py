"""What the judge remembers about a learner between two starts: hints shown, the last verdict."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from pathlib import Path

import msgspec

from judge.cli.writing import write_atomically
from judge.verdict import Outcome, Verdict


class Record(msgspec.Struct, frozen=True):
    """One exercise. `passed` stays true once all tests passed; the rest is the last verdict."""

    hints: int = 0
    passed: bool = False
    verdict: Outcome | None = None
    passed_tests: int = 0
    tests: int = 0


class _File(msgspec.Struct):
    version: int = 1
    exercises: dict[str, msgspec.Raw] = {}


class State:
    """The state file. What of it is missing or damaged counts as empty; one that cannot be written is
    done without, for a read-only checkout must still judge.

    `on_damage` is told of a copy of what could not be read, which is made before the file is replaced.
    """

    def __init__(self, path: Path, on_damage: Callable[[Path], None] | None = None) -> None:
        self._path, self._on_damage = path, on_damage

    def record(self, exercise_id: str) -> Record:
        return self._read()[0].get(exercise_id, Record())

    def change(self, exercise_id: str, **fields: object) -> bool:
        """Change some fields of one record; whether that could be kept."""
        # Read anew each time: another start may have written meanwhile.
        records, damaged = self._read()
        old = records.get(exercise_id, Record())
        records[exercise_id] = msgspec.structs.replace(old, **fields)
        file = {"version": 1, "exercises": records}
        data = msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n"
        try:
            self._path.parent.mkdir(exist_ok=True)
            if damaged:
                self._set_aside(damaged)
            write_atomically(self._path, data)
        except OSError:
            return False
        return True

    def keep(self, verdict: Verdict) -> bool:
        """Remember a verdict on the learner's own file; whether that could be kept."""
        if verdict.verdict is Outcome.INTERNAL:
            return True
        passed = sum(test.outcome is Outcome.PASSED for test in verdict.tests)
        fields = {"verdict": verdict.verdict, "passed_tests": passed, "tests": len(verdict.tests)}
        if verdict.passed and verdict.suite == "all":
            fields["passed"] = True
        return self.change(verdict.exercise, **fields)

    def _read(self) -> tuple[dict[str, Record], bytes]:
        """The records that can be read, and the file's content if that is not all there is."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return {}, b""
        records: dict[str, Record] = {}
        with contextlib.suppress(ValueError, RecursionError, msgspec.MsgspecError):
            file = msgspec.json.decode(data, type=_File)
            if file.version != 1:
                return {}, data
            for name, raw in file.exercises.items():
                with contextlib.suppress(msgspec.MsgspecError):
                    records[name] = msgspec.json.decode(raw, type=Record)
            if len(records) == len(file.exercises):
                return records, b""
        return records, data.strip() and data

    def _set_aside(self, data: bytes) -> None:
        names = (f"{self._path.name}.damaged{n or ''}" for n in itertools.count())
        aside = next(p for p in map(self._path.with_name, names) if not p.exists())
        write_atomically(aside, data)
        if self._on_damage is not None:
            self._on_damage(aside)
