"""Does a page give the judge's verdict on the example tests?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from judge.verdict import Verdict, Visibility


class PageRunner(Protocol):
    """Something that grades as a page does, for several threads if need be."""

    def grade(self, bundle: dict[str, Any], source: str, seed: int) -> dict[str, Any]:
        """The JSON form of the page's verdict on a bundle's example tests."""
        ...


def differences(verdict: Verdict, page: dict[str, Any]) -> Iterator[str]:
    """What the page says otherwise than the judge: test by test, or of a submission that ran no test."""
    wanted = {t.name: str(t.outcome) for t in verdict.tests if t.visibility is Visibility.EXAMPLE}
    found = {test["name"]: test["outcome"] for test in page["tests"]}
    if not wanted and (found or page["verdict"] != str(verdict.verdict)):
        yield f"in the page: {_told(page['verdict'], page['message'])}; the judge: {verdict.verdict}"
        return
    messages = {test["name"]: test["message"] for test in page["tests"]}
    if wanted and not found:
        yield f"in the page no test runs: {_told(page['verdict'], page['message'])}"
        return
    for name, outcome in wanted.items():
        if found.get(name) != outcome:
            told = _told(found.get(name, "no result"), messages.get(name))
            yield f"in the page {name}: {told}; the judge: {outcome}"
    for name in found.keys() - wanted.keys():
        yield f"in the page {name}: {found[name]}; the judge does not run it"


def _told(outcome: str, message: str | None) -> str:
    return f"{outcome} ({message})" if message else outcome
