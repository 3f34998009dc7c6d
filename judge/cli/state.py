"""What the judge remembers about a learner between two starts: hints shown, the last verdict."""

from __future__ import annotations

import contextlib
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
    exercises: dict[str, Record] = {}


class State:
    """The state file. One that is missing or damaged counts as empty; one that cannot be written is
    done without, for a read-only checkout must still judge."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def record(self, exercise_id: str) -> Record:
        return self._read().exercises.get(exercise_id, Record())

    def change(self, exercise_id: str, **fields: object) -> bool:
        """Change some fields of one record; whether that could be kept."""
        # Read anew each time: another start may have written meanwhile.
        file = self._read()
        old = file.exercises.get(exercise_id, Record())
        file.exercises[exercise_id] = msgspec.structs.replace(old, **fields)
        data = msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n"
        try:
            self._path.parent.mkdir(exist_ok=True)
            write_atomically(self._path, data)
        except OSError:
            return False
        return True

    def keep(self, verdict: Verdict) -> None:
        """Remember a verdict on the learner's own file."""
        if verdict.verdict is Outcome.INTERNAL:
            return
        passed = sum(test.outcome is Outcome.PASSED for test in verdict.tests)
        fields = {"verdict": verdict.verdict, "passed_tests": passed, "tests": len(verdict.tests)}
        if verdict.passed and verdict.suite == "all":
            fields["passed"] = True
        self.change(verdict.exercise, **fields)

    def _read(self) -> _File:
        with contextlib.suppress(OSError, ValueError, RecursionError, msgspec.MsgspecError):
            file = msgspec.json.decode(self._path.read_bytes(), type=_File)
            if file.version == 1:
                return file
        return _File()
