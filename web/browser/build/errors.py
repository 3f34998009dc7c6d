"""The one error of the build that a learner may see."""

from __future__ import annotations


class BuildError(Exception):
    """The runtime cannot be made. Holds the reason in English and in Chinese."""

    def __init__(self, english: str, chinese: str) -> None:
        super().__init__(english)
        self.english, self.chinese = english, chinese
