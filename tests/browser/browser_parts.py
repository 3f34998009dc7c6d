"""What the browser's tests share: the exercise page as a learner uses it, and where things lie."""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

ROOT = Path(__file__).parents[2]
# In their order: one without sockets, one with sockets and threads.
EXERCISES = ("ch12/serializer", "ch12/pub-sub")
GATED = "ch12/gated"
# No speed is tested with it: it only ends what would hang, on however busy a machine.
LIMIT_SECONDS = 60.0
LIMIT_MS = LIMIT_SECONDS * 1000


def reference(exercise: str) -> str:
    chapter, name = exercise.split("/")
    return (ROOT / "reference/solutions" / chapter / f"{name}.py").read_text("utf-8")


def wrong(exercise: str, name: str) -> str:
    return (ROOT / "exercises" / exercise / "wrong" / f"{name}.py").read_text("utf-8")


def stub(exercise: str) -> str:
    return (ROOT / "exercises" / exercise / "stub.py").read_text("utf-8")


class Bench:
    """The page of one exercise. Everything goes through what a learner sees and presses."""

    def __init__(self, page: Page, site: str, exercise: str, language: str = "en") -> None:
        self.page, self.site, self.exercise, self.language = page, site, exercise, language

    def open(self) -> Bench:
        self.page.goto(f"{self.site}/{self.language}/{self.exercise}/")
        expect(self.editor).to_be_visible(timeout=LIMIT_MS)
        return self

    def open_ready(self) -> Bench:
        """Open, and wait until Python is ready."""
        self.open()
        self.wait_for_python()
        return self

    def wait_for_python(self) -> None:
        expect(self.page.locator(".python-state")).to_have_attribute(
            "data-state", "ready", timeout=LIMIT_MS
        )

    @property
    def editor(self) -> Locator:
        return self.page.locator("#editor .cm-content")

    @property
    def summary(self) -> Locator:
        return self.page.get_by_test_id("summary")

    @property
    def panel(self) -> Locator:
        return self.page.locator("#tab-panel")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    def put(self, source: str) -> None:
        """Select all, and put another text in its place, as pasting does."""
        self.editor.focus()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)

    def type(self, text: str) -> None:
        """Type at the very end of the code."""
        self.editor.focus()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(text)

    def source(self) -> str:
        """All of the code, by way of Download."""
        with self.page.expect_download(timeout=LIMIT_MS) as download:
            self.page.get_by_role("button", name="Download").or_(
                self.page.get_by_role("button", name="下载")
            ).click()
        return Path(download.value.path()).read_text("utf-8")

    def press(self, command: str) -> None:
        """Press the button `run`, `stop` or `submit`."""
        self.page.locator(f"[data-command={command}]").click()

    def tab(self, name: str) -> None:
        self.page.locator(f"#tab-{name}").click()

    def wait_for_phase(self, *phases: str, place: str = "page") -> None:
        """Wait until the results panel shows one of these states of a run."""
        wanted = ", ".join(f'[data-place="{place}"][data-phase="{phase}"]' for phase in phases)
        expect(self.page.locator(wanted)).to_be_visible(timeout=LIMIT_MS)

    def run(self) -> None:
        """Run the example tests until they have ended."""
        # The state of a run before must not be taken for this one's.
        run = self.page.locator("[data-command=run]")
        expect(run).to_be_enabled(timeout=LIMIT_MS)
        run.click()
        stop = self.page.locator("[data-command=stop]")
        expect(stop).to_be_disabled(timeout=LIMIT_MS)
        self.wait_for_phase("done", "stopped", "failed")

    def run_file(self) -> None:
        """Begin to run the code as a program."""
        self.page.locator("[data-action=run_file]").click()

    def submit(self) -> None:
        """Submit, and wait for the real judge's verdict."""
        self.press("submit")
        self.wait_for_phase("done", "failed", place="judge")

    def stop_and_measure(self) -> float:
        """Press Stop; seconds until the page says that the run has stopped."""
        began = time.monotonic()
        self.press("stop")
        self.wait_for_phase("stopped")
        return time.monotonic() - began

    def test(self, name: str) -> Locator:
        return self.page.locator(f'.test[data-test="{name}"]')


class SelfTest:
    """The self-test of chapter 12."""

    def __init__(self, page: Page, site: str, language: str = "en") -> None:
        self.page, self.address = page, f"{site}/{language}/ch12/self-test/"

    def open(self) -> SelfTest:
        self.page.goto(self.address)
        return self

    def question(self, name: str) -> Locator:
        return self.page.locator(f"form#{name}")

    def choose(self, name: str, *choices: int) -> Locator:
        """Choose these of a question's choices, and no other, and check."""
        form = self.question(name)
        for at, box in enumerate(form.locator("input[type=radio], input[type=checkbox]").all()):
            if at in choices or box.get_attribute("type") == "checkbox":
                box.set_checked(at in choices)
        return self._check(form)

    def write(self, name: str, text: str) -> Locator:
        form = self.question(name)
        form.locator("input").fill(text)
        return self._check(form)

    def _check(self, form: Locator) -> Locator:
        """Press Check; the form, once what is said to the answer stands there."""
        with self.page.expect_response("**/questions/*", timeout=LIMIT_MS):
            form.locator("[data-action=check]").click()
        expect(form.locator(".told")).to_be_visible(timeout=LIMIT_MS)
        return form

    def answer_some(self) -> None:
        """One rightly, one wrongly, and one that is no answer."""
        self.choose("the-type-tag", 2)
        self.choose("a-client-leaves", 0)
        self.write("bytes-of-an-abort", "many")

    @property
    def progress(self) -> Locator:
        return self.page.get_by_test_id("answered-right").first
