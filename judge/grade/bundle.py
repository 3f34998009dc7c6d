"""A bundle: all that a page may know of an exercise, as plain data for JSON.

Never in it: a hidden test or its name, an expected value that is not in an example test, and the
exercise's own reference solution.
"""

from __future__ import annotations

from typing import Any

import msgspec

from judge.catalog import Catalog, Exercise
from judge.catalog.files import decode
from judge.examiner.request import grading_request
from judge.grade.suites import tests_of
from judge.results.patterns import patterns_of


def make_bundle(exercise: Exercise) -> dict[str, Any]:
    """The exercise's bundle, for `judge.examiner.page.grade`. Raises OSError if a file has gone.

    `exercise`, `title`, `module`, `provides`, `display`, `support`, `stub`, `limits`, `tests_digest`;
    `test_files` (name to text) and of each `tests` name, title and source; `patterns` of typical
    mistakes as far as the example tests show them, without an explanation where several look alike.
    """
    run = tests_of(exercise, "example")
    request = grading_request(exercise, "")
    del request["source"]
    files = dict.fromkeys(test.file for test in run.values())
    return {
        "exercise": exercise.id,
        "title": _plain(exercise.title),
        **request,
        "stub": exercise.stub,
        "test_files": {name: decode((exercise.folder / name).read_bytes()) for name in files},
        "tests": [
            {"name": test.name, "title": _plain(test.title), "source": test.source}
            for test in run.values()
        ],
        "patterns": [
            {
                "fails": sorted(pattern.fails),
                "explanation": _plain(pattern.explanation) if pattern.explanation else None,
            }
            for pattern in patterns_of(exercise.wrong, run)
        ],
        "limits": _plain(exercise.limits),
        "tests_digest": exercise.tests_digest,
    }


def gives_away(exercise: Exercise, catalog: Catalog) -> list[str]:
    """The ids of the other exercises whose module this one's bundle and submissions can see."""
    return [
        other.id
        for other in catalog.select()
        if other.id != exercise.id
        and not {other.module, *other.hides}.isdisjoint(exercise.support_modules)
    ]


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)
