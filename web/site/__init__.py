"""The site: pages, the interface for programs, the database, and the workers that grade.

It knows of the judge only `judge.grade`, `judge.catalog`, `judge.verdict` and `judge.texts`. What a
learner may see of a test is decided in `judge.grade`; nothing here reads a hidden test.
"""

from web.site.app import create_app
from web.site.settings import Rates, Settings
from web.site.site import Site, current_site

__all__ = ["Rates", "Settings", "Site", "create_app", "current_site"]
