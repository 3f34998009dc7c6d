"""`Site`: what every request works with, and where a request finds it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from web.site.bulletin import Bulletin
from web.site.course import Course
from web.site.database import Database
from web.site.settings import Settings
from web.site.workers import Workers

EXTENSION = "minisgl-site"


@dataclass(frozen=True)
class Site:
    """The parts of one app. The workers run only between `start` and `stop`."""

    settings: Settings
    course: Course
    database: Database
    bulletin: Bulletin
    workers: Workers

    def start(self) -> None:
        """Start grading; an app without it only takes submissions in."""
        self.workers.start()

    def stop(self) -> None:
        """End the event streams and the workers. Requests are still answered."""
        self.bulletin.close()
        self.workers.stop()


def current_site() -> Site:
    """The site that this request is for."""
    return current_app.extensions[EXTENSION]
