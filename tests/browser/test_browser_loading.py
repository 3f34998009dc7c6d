"""Python that cannot be loaded, and browsers that lack something: the page says so, and goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser_parts import GATED, LIMIT_MS, Bench, reference
from playwright.sync_api import BrowserContext, Page, Route, expect
from test_browser_stopping import PROGRAMS

# Notes every state that the page has said of Python.
WATCH = """() => {
    window.pythonStates = [];
    const note = () => {
        const element = document.querySelector(".python-state");
        if (element) window.pythonStates.push(element.dataset.state);
    };
    new MutationObserver(note).observe(document.documentElement, {
        attributes: true, childList: true, subtree: true,
    });
}"""


def answer_404(route: Route) -> None:
    route.fulfill(status=404, body="")


def cut_off(route: Route) -> None:
    route.abort("internetdisconnected")


def expect_broken(bench: Bench, file: str) -> None:
    problem = bench.page.get_by_role("alert").filter(has_text="Python could not be loaded")
    expect(problem).to_contain_text(file, timeout=LIMIT_MS)
    expect(bench.page.locator(".python-state")).to_have_attribute("data-state", "broken")
    assert "ready" not in bench.page.evaluate("window.pythonStates")


def try_again(bench: Bench) -> None:
    bench.page.get_by_role("button", name="Try again").click()
    bench.wait_for_python()
    expect(bench.page.locator(".python-problem")).to_be_hidden()
    bench.run()
    expect(bench.summary).to_contain_text("0 of 6 passed")


@pytest.fixture
def unwatched(context: BrowserContext, site: str) -> Bench:
    """A page in which nobody minds errors of the console: missing files are said there, too."""
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.add_init_script(f"({WATCH})()")
    return Bench(page, site, "ch12/serializer")


@pytest.mark.parametrize(
    ("file", "answer"),
    [
        ("numpy-", answer_404),
        ("pyodide.asm.js", cut_off),
    ],
    ids=["a package", "a script"],
)
def test_a_file_that_does_not_come(
    unwatched: Bench, file: str, answer: Callable[[Route], None]
) -> None:
    pattern = f"**/runtime/*/{file}*"
    unwatched.page.route(pattern, answer)
    unwatched.open()
    expect_broken(unwatched, file)
    unwatched.page.unroute(pattern)
    try_again(unwatched)


@pytest.mark.parametrize("name", ["msgpack-*.whl", "pyodide.asm.wasm"])
def test_a_broken_file_that_the_browser_has_kept(
    unwatched: Bench, runtime: Path, name: str
) -> None:
    (file,) = runtime.glob(name)
    packed = file.with_name(f"{file.name}.gz")
    content, packed_content = file.read_bytes(), packed.read_bytes()
    try:
        packed.unlink()
        file.write_bytes(content[: len(content) // 2])
        unwatched.open()
        expect_broken(unwatched, file.name)
    finally:
        file.write_bytes(content)
        packed.write_bytes(packed_content)
    try_again(unwatched)


def test_a_site_that_was_updated_meanwhile(unwatched: Bench, runtime: Path) -> None:
    page = unwatched.page
    # So that what the browser has kept does not carry it through.
    page.route("**/runtime/**", lambda route: route.continue_())
    bench = unwatched.open_ready()
    manifest = runtime / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8") + "\n", "utf-8")
    # This can only be stopped by ending the worker; the next one finds its files gone.
    bench.put(f"mine = 1\n{PROGRAMS['one long operation']}")
    bench.run_file()
    bench.wait_for_phase("running")
    bench.press("stop")
    expect(page.locator(".python-problem")).to_contain_text("This site was updated")
    page.get_by_role("button", name="Load the page again").click()
    bench.wait_for_python()
    assert "mine = 1" in bench.source()


def test_without_shared_memory(context: BrowserContext, site: str) -> None:
    context.add_init_script(
        "delete window.SharedArrayBuffer;"
        "Object.defineProperty(window, 'crossOriginIsolated', { value: false });"
    )
    bench = Bench(context.new_page(), site, "ch12/serializer").open_ready()
    expect(bench.panel).to_contain_text("Run works; Stop has to start Python anew")
    bench.put("while True:\n    pass\n")
    bench.run_file()
    bench.wait_for_phase("running")
    bench.press("stop")
    bench.wait_for_phase("stopped")
    bench.wait_for_python()
    bench.put(reference(bench.exercise))
    bench.run()
    expect(bench.summary).to_contain_text("All 6 example tests passed")


def test_without_stack_switching(context: BrowserContext, site: str) -> None:
    def take_away(route: Route) -> None:
        answer = route.fetch()
        lost = "delete WebAssembly.Suspending; delete WebAssembly.promising;"
        route.fulfill(response=answer, body=lost + answer.text())

    context.route("**/static/python-*.js", take_away)
    bench = Bench(context.new_page(), site, "ch12/serializer").open_ready()
    expect(bench.panel).to_contain_text("cannot switch WebAssembly stacks (JSPI)")
    expect(bench.panel).to_contain_text("Everything else can, and Submit works as always")
    bench.put(reference(bench.exercise))
    bench.run()
    expect(bench.summary).to_contain_text("All 6 example tests passed")
    # What waits is told so, at its line, and does not hang.
    bench.put("import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()\n")
    bench.run_file()
    bench.wait_for_phase("done")
    expect(bench.panel.locator(".output pre")).to_contain_text("line 4")


def test_a_closed_exercise_is_opened_by_who_asks(page: Page, site: str) -> None:
    bench = Bench(page, site, GATED).open()
    closed = page.locator(".closed")
    expect(closed.get_by_role("link", name="Messages as plain data")).to_be_visible()
    expect(page.locator("[data-command=run]")).to_be_disabled()
    expect(page.locator("[data-command=submit]")).to_be_disabled()
    closed.get_by_role("button", name="Open it anyway").click()
    closed.get_by_role("button", name="I solve that first").click()
    expect(closed.get_by_role("button", name="Open it anyway")).to_be_focused()
    closed.get_by_role("button", name="Open it anyway").click()
    closed.get_by_role("button", name="Open it", exact=True).click()
    expect(closed).to_have_count(0)
    bench.run()
    expect(bench.panel.locator(".test")).not_to_have_count(0)
    # It counts as asked: the solution is no secret any more.
    other = Bench(page, site, "ch12/serializer").open()
    other.tab("solution")
    expect(page.locator(".solution pre")).to_contain_text("def serialize_type")
