"""Which typical mistake a submission's failures look like."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Protocol

from judge.texts import Text
from judge.verdict import Explanation


class Mistake(Protocol):
    """A wrong solution as the catalogue knows it."""

    @property
    def name(self) -> str: ...
    @property
    def fails(self) -> frozenset[str]: ...
    @property
    def text(self) -> Text: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """Test functions that fail together. `explanation` is None where several mistakes fail so."""

    fails: frozenset[str]
    explanation: Explanation | None


def patterns_of(mistakes: Iterable[Mistake], run: Container[str]) -> list[Pattern]:
    """The mistakes' patterns as far as the test functions in `run` can see them; none is empty."""
    patterns: dict[frozenset[str], Pattern] = {}
    for mistake in mistakes:
        fails = frozenset(name for name in mistake.fails if name in run)
        if not fails:
            continue
        words = Explanation(mistake.name, mistake.text.en, mistake.text.zh)
        patterns[fails] = Pattern(fails, None if fails in patterns else words)
    return list(patterns.values())


def explanations(patterns: Iterable[Pattern], failed: frozenset[str]) -> list[Explanation]:
    """The mistake that fails exactly like this, or the two that do so together, if no others do.

    A pattern of several mistakes explains nothing, but it counts: what could also be one of them is
    not explained by a guess.
    """
    known = list(patterns)
    alike = [[pattern] for pattern in known if pattern.fails == failed]
    if not alike:  # then perhaps two mistakes at once
        partly = [pattern for pattern in known if pattern.fails < failed]
        pairs = itertools.combinations(partly, 2)
        alike = [[a, b] for a, b in pairs if a.fails | b.fails == failed]
    if len(alike) != 1:
        return []
    found = [pattern.explanation for pattern in alike[0]]
    return [each for each in found if each is not None] if None not in found else []
