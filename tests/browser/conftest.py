"""A real site, a real Chromium, and a page that tells what went wrong in it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_parts import EXERCISES, GATED, LIMIT_MS, ROOT, Bench
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from web.browser.build import ensure_runtime
from web.frontend.build import ensure_static
from web.site import Rates, Settings
from web.site.server import Server

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
# Without these it looks for its maker's servers all the time; as root it needs the first.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Typing over a selection, Chromium first tries to keep its style by a style attribute. The site's
# policy refuses that, nothing is lost, and the console says so.
HARMLESS = re.compile(r"Applying inline style violates .*style-src 'self'")
LINK_TO_EXERCISE = re.compile(r"\[([^\]]*)\]\(([a-z0-9-]+)/\)")
NO_LIMITS = Rates(
    learner_submissions=10**6,
    address_submissions=10**6,
    learner_changes=10**6,
    address_changes=10**6,
    address_reads=10**6,
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        message = f"{CHROMIUM} is missing; install the package chromium"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site's own copy of the page's Python, so that a test may break it and mend it again."""
    copy = tmp_path_factory.mktemp("runtime") / "runtime"
    shutil.copytree(ensure_runtime(), copy)
    return copy


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Iterator[str]:
    """The address of a site with two real exercises and one that is closed at first, grading."""
    folder = tmp_path_factory.mktemp("site")
    settings = Settings(
        data=folder / "data",
        root=copy_course(folder / "course"),
        port=0,
        runtime=runtime,
        static=ensure_static(),
        rates=NO_LIMITS,
    )
    with Server(settings) as server:
        yield server.address


def copy_course(root: Path) -> Path:
    """Chapter 12 with `EXERCISES` only: what these tests need, whatever else the course holds.

    Its reading and its self-test are the real ones. `GATED` is closed: it sees what `serializer` asks for.
    """
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "reference", root / "reference", ignore=ignored)
    for exercise in EXERCISES:
        shutil.copytree(
            ROOT / "exercises" / exercise, root / "exercises" / exercise, ignore=ignored
        )
    chapter = root / "exercises/ch12"
    for name in ("chapter.toml", "self-test.toml"):
        shutil.copy(ROOT / "exercises/ch12" / name, chapter)
    shutil.copytree(ROOT / "exercises/ch12/drawings", chapter / "drawings")
    for name in ("reading.en.md", "reading.zh.md"):
        text = (ROOT / "exercises/ch12" / name).read_text("utf-8")
        (chapter / name).write_text(LINK_TO_EXERCISE.sub(_keep_link, text), "utf-8")
    wanted = {exercise.rpartition("/")[2] for exercise in EXERCISES}
    for solution in (root / "reference/solutions/ch12").iterdir():
        if solution.stem not in wanted:
            solution.unlink()
    gated = chapter / GATED.rpartition("/")[2]
    shutil.copytree(ROOT / "tests/course/exercises/ch1/double", gated, ignore=ignored)
    settings = (gated / "exercise.toml").read_text("utf-8")
    settings = settings.replace("order = 1\n", "order = 999\n")
    settings = settings.replace("minisgl.double", "minisgl.gated")
    settings = settings.replace("uses = []", 'uses = ["minisgl.message.utils"]')
    (gated / "exercise.toml").write_text(settings, "utf-8")
    solution = root / f"reference/solutions/{GATED}.py"
    shutil.copy(ROOT / "tests/course/reference/solutions/ch1/double.py", solution)
    return root


def _keep_link(found: re.Match[str]) -> str:
    """A link of the reading to an exercise that is not here becomes plain text."""
    return found[0] if f"ch12/{found[2]}" in EXERCISES else found[1]


class Visit:
    """What a page has said and asked for while a test used it."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.errors: list[str] = []
        self.foreign: list[str] = []

    def watch(self, page: Page) -> Page:
        page.set_default_timeout(LIMIT_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("request", lambda request: self._note(request.url))
        return page

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and not HARMLESS.search(text):
            self.errors.append(text)

    def _note(self, address: str) -> None:
        if not address.startswith((self.site, "blob:", "data:")):
            self.foreign.append(address)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A learner's browser of their own."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 860}, locale="en-GB", accept_downloads=True
    )
    yield context
    context.close()


@pytest.fixture
def visit(site: str) -> Iterator[Visit]:
    """Watches pages; fails the test if one of them had an error or asked another origin."""
    visit = Visit(site)
    yield visit
    assert not visit.errors
    assert not visit.foreign


@pytest.fixture
def page(context: BrowserContext, visit: Visit) -> Page:
    return visit.watch(context.new_page())


@pytest.fixture
def serializer(page: Page, site: str) -> Bench:
    return Bench(page, site, "ch12/serializer")
