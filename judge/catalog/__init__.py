"""The catalogue: `exercises/` on disk as typed, validated values.

This room reads files and parses them. It must never import a test, a stub or a solution: loading
is safe with any content, needs no torch, and is fast enough for every start of the command line.
"""

from judge.catalog.complaints import CatalogError, Complaint
from judge.catalog.load import load_catalog
from judge.catalog.model import (
    Catalog,
    Chapter,
    Exercise,
    Limits,
    RightSolution,
    TestInfo,
    UnknownTarget,
    WrongSolution,
)
from judge.catalog.questions import Answer, Question, QuestionKind
from judge.catalog.reference import support_sources

__all__ = [
    "Answer",
    "Catalog",
    "CatalogError",
    "Chapter",
    "Complaint",
    "Exercise",
    "Limits",
    "Question",
    "QuestionKind",
    "RightSolution",
    "TestInfo",
    "UnknownTarget",
    "WrongSolution",
    "load_catalog",
    "support_sources",
]
