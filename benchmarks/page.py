"""How fast the page is, as a learner sees it, in a headless Chromium on this machine.

    python benchmarks/page.py [--repeat N] [--format text|json]

Each number is the median of several runs, with the limit it must keep. Measured inside the page from
the learner's action to the frame that shows the answer, except for the weight, which is the size of
what the page loads besides the Python runtime, compressed as the site sends it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import statistics
import sys
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import BrowserContext, BrowserType, Page, sync_playwright

from web.browser.build import ensure_runtime
from web.frontend.build import ensure_static
from web.site import Rates, Settings
from web.site.server import Server

ROOT = Path(__file__).resolve().parents[1]
EXERCISE = "ch12/pub-sub"
SOLUTION = ROOT / "reference" / "solutions" / f"{EXERCISE}.py"
ENDLESS = "while True:\n    pass\n"
LIMIT_MS = 60_000
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
MANY = 10**6
NO_LIMITS = Rates(
    learner_submissions=MANY,
    address_submissions=MANY,
    learner_changes=MANY,
    address_changes=MANY,
    address_reads=MANY,
)

# Resolves with the time, in milliseconds since the page's navigation began, of the first frame in
# which `selector` is there.
WHEN_SHOWN = """selector => new Promise(resolve => {
    const look = () => {
        if (!document.querySelector(selector)) return false;
        requestAnimationFrame(() => resolve(performance.now()));
        return true;
    };
    if (look()) return;
    const observer = new MutationObserver(() => { if (look()) observer.disconnect(); });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
})"""
# Presses a button; resolves with the milliseconds until `selector` is shown. What was shown before is
# gone as soon as the button is pressed.
PRESS = f"""async ([button, selector]) => {{
    const began = performance.now();
    document.querySelector(button).click();
    await new Promise(resolve => setTimeout(resolve));
    return await ({WHEN_SHOWN})(selector) - began;
}}"""
# As soon as the button is there: nobody is faster.
PRESS_AT_ONCE = f"""async ([button, selector]) => {{
    await ({WHEN_SHOWN})(button);
    document.querySelector(button).click();
    return await ({WHEN_SHOWN})(selector);
}}"""


@dataclass(frozen=True)
class Measurement:
    """One row: the median of `values`, and the most it may be."""

    name: str
    unit: str
    limit: float
    values: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=5, help="runs per number (default 5)")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    wanted = parser.parse_args()
    with serving() as site, sync_playwright() as playwright:
        rows = measure(playwright.chromium, f"{site}/en/{EXERCISE}/", wanted.repeat)
    if wanted.format == "json":
        print(json.dumps([{**asdict(row), "median": row.median} for row in rows], indent=2))
    else:
        for row in rows:
            keeps = "ok" if row.median <= row.limit else "TOO MUCH"
            spread = f"{min(row.values):.0f}–{max(row.values):.0f}"
            print(
                f"{row.name:<44} {row.median:>7.0f} {row.unit:<3} of {row.limit:>5.0f}  {keeps:<9}{spread}"
            )
    return 0 if all(row.median <= row.limit for row in rows) else 1


@contextlib.contextmanager
def serving() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="page-benchmark-") as data:
        settings = Settings(
            data=Path(data),
            port=0,
            runtime=ensure_runtime(),
            static=ensure_static(),
            rates=NO_LIMITS,
        )
        with Server(settings) as server:
            yield server.address


def measure(chromium: BrowserType, address: str, repeat: int) -> list[Measurement]:
    cold, weights = [], []
    for _ in range(repeat):
        with new_browser(chromium) as browser:
            cold.append(first_result(browser, address))
    with new_browser(chromium) as browser:
        weights.append(weight(browser, address))
        first_result(browser, address)  # at the second visit Chromium keeps what it has compiled
        warm = [first_result(browser, address) for _ in range(repeat)]
        runs, stops, verdicts = use(browser, address, repeat)
    return [
        Measurement("navigation to the first test result, cold", "ms", 2500, cold),
        Measurement("navigation to the first test result, warm", "ms", 1500, warm),
        Measurement("Run to results, Python ready, with ZMQ", "ms", 400, runs),
        Measurement("Stop of an endless loop", "ms", 1000, stops),
        Measurement("Submit to verdict, idle server", "ms", 300, verdicts),
        Measurement("page besides the Python runtime, compressed", "kB", 400, weights),
    ]


def use(
    context: BrowserContext, address: str, repeat: int
) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of runs, of stops and of submissions on one page."""
    page = opened(context, address)
    page.wait_for_selector('.python-state[data-state="ready"]')
    put(page, SOLUTION.read_text("utf-8"))
    ended = '[data-place="page"][data-phase="done"]'
    runs = [press(page, "[data-command=run]", ended) for _ in range(repeat + 1)][1:]
    if not page.locator('.summary[data-outcome="passed"]').count():
        raise SystemExit("the reference solution does not pass in the page")

    put(page, ENDLESS)
    stops = []
    for _ in range(repeat):
        page.wait_for_selector('.python-state[data-state="ready"]')
        page.click("[data-action=run_file]")
        page.wait_for_selector('[data-phase="running"]')
        stops.append(press(page, "[data-command=stop]", '[data-phase="stopped"]'))

    verdicts = []
    for _ in range(repeat):
        # Never the same code, which would not be graded twice.
        put(page, f"{SOLUTION.read_text('utf-8')}\n# {uuid.uuid4()}\n")
        judged = '[data-place="judge"][data-phase="done"]'
        verdicts.append(press(page, "[data-command=submit]", judged))
        page.reload()  # so that no verdict is shown when the next one is awaited
        page.wait_for_selector(".cm-content")
    page.close()
    return runs, stops, verdicts


@contextlib.contextmanager
def new_browser(chromium: BrowserType) -> Iterator[BrowserContext]:
    """A browser with an empty profile, as somebody has who comes for the first time.

    A profile on disk, because only there Chromium keeps compiled WebAssembly between visits.
    """
    with tempfile.TemporaryDirectory(prefix="page-benchmark-") as profile:
        context = chromium.launch_persistent_context(
            profile,
            executable_path=shutil.which("chromium") or "/usr/bin/chromium",
            args=ARGUMENTS,
            viewport={"width": 1280, "height": 860},
        )
        yield context
        context.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.goto(address)
    page.wait_for_selector(".cm-content")
    return page


def first_result(context: BrowserContext, address: str) -> float:
    """Milliseconds from the navigation to the first result, with Run pressed as soon as it is there."""
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.goto(address, wait_until="commit")
    milliseconds = page.evaluate(PRESS_AT_ONCE, ["[data-command=run]", ".test[data-outcome]"])
    page.close()
    return milliseconds


def put(page: Page, source: str) -> None:
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


def press(page: Page, button: str, shown: str) -> float:
    page.wait_for_selector(f"{button}:enabled")
    return page.evaluate(PRESS, [button, shown])


def weight(context: BrowserContext, address: str) -> float:
    """Kilobytes that come over the wire at the first visit, headers aside, without the runtime's."""
    page = opened(context, address)
    page.wait_for_selector('.python-state[data-state="ready"]')
    sizes: list[float] = page.evaluate(
        """() => performance.getEntries()
            .filter(entry => ["navigation", "resource"].includes(entry.entryType))
            .filter(entry => !new URL(entry.name).pathname.startsWith("/runtime/"))
            .map(entry => entry.encodedBodySize)"""
    )
    page.close()
    return sum(sizes) / 1000


if __name__ == "__main__":
    sys.exit(main())
