"""What an examiner is told about the submission it grades."""

from __future__ import annotations

from typing import Any

from judge.catalog import Exercise, support_sources


def grading_request(exercise: Exercise, source: str) -> dict[str, Any]:
    """The learner's module, the names it must define, and the modules it may see, as plain data."""
    return {
        "module": exercise.module,
        "source": source,
        "display": f"{exercise.name}.py",
        "provides": list(exercise.provides),
        "support": {
            name: [text, f"{name.replace('.', '/')}.py", _is_package(exercise, name)]
            for name, text in support_sources(exercise).items()
        },
    }


def _is_package(exercise: Exercise, module: str) -> bool:
    return exercise.reference.joinpath(*module.split(".")).is_dir()
