"""`Course`: the exercises as the site shows them. Loaded once; never changes while the site runs."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from judge.catalog import Catalog, Exercise, UnknownTarget, load_catalog
from judge.grade.bundle import gives_away, make_bundle
from judge.texts import Text
from web.site.markdown import to_html


class Course:
    """All that is known of the exercises under `root`. Raises `CatalogError` if they are not sound."""

    def __init__(self, root: Path) -> None:
        self.catalog: Catalog = load_catalog(root)
        self._exercises = {exercise.id: exercise for exercise in self.catalog.select()}
        self.statement = functools.cache(self._statement)
        self.bundle = functools.cache(self._bundle)
        self.gives_away = functools.cache(self._gives_away)

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        return tuple(self._exercises.values())

    def find(self, exercise_id: str) -> Exercise | None:
        """The exercise `ch12/nd-tensor`, or None."""
        return self._exercises.get(exercise_id)

    def exercise(self, exercise_id: str) -> Exercise:
        """The exercise `ch12/nd-tensor`. Raises `UnknownTarget`."""
        found = self.find(exercise_id)
        if found is None:
            raise UnknownTarget(exercise_id, self._exercises)
        return found

    def _statement(self, exercise_id: str) -> Text:
        statement = self.exercise(exercise_id).statement
        return Text(to_html(statement.en), to_html(statement.zh))

    def _bundle(self, exercise_id: str) -> dict[str, Any]:
        """All that the page may know for running the example tests: `judge.grade.bundle`."""
        return make_bundle(self.exercise(exercise_id))

    def _gives_away(self, exercise_id: str) -> tuple[str, ...]:
        """The exercises whose reference solution this one's supporting modules contain."""
        return tuple(gives_away(self.exercise(exercise_id), self.catalog))
