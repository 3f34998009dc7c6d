"""For everybody: by keyboard, with a screen reader, on a phone, light and dark, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from browser_parts import GATED, LIMIT_MS, Bench, SelfTest, wrong
from conftest import Visit
from playwright.sync_api import Browser, Page, expect

from web.frontend.build import ensure_workspace

LANGUAGES = ("en", "zh")
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as npm's lock file pins it."""
    folder = ensure_workspace(development=True)
    return Path(folder, "node_modules/axe-core/axe.min.js").read_text("utf-8")


def complaints(page: Page, axe: str) -> list[str]:
    """What axe-core finds serious, each with the element it is about."""
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
    )
    return [
        f"{rule['id']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def looked_at(chromium: Browser, site: str, scheme: Literal["light", "dark"]) -> Page:
    """A page in one colour scheme, of a learner who has a wrong submission."""
    context = chromium.new_context(color_scheme=scheme, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    bench = Bench(page, site, "ch12/serializer").open()
    bench.put(wrong(bench.exercise, "always_int32"))
    bench.submit()
    return page


# Contrast is a matter of the colours and names one of the language, so each of them once is enough.
@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("zh", "dark")])
def test_axe_finds_nothing_serious(
    chromium: Browser, site: str, axe: str, language: str, scheme: Literal["light", "dark"]
) -> None:
    page = looked_at(chromium, site, scheme)
    found: dict[str, list[str]] = {}
    for address in ("", "/ch12/", "/submissions/", "/no/such/"):
        page.goto(f"{site}/{language}{address or '/'}")
        found[address] = complaints(page, axe)
    page.goto(f"{site}/{language}/submissions/")
    page.locator("td a").first.click()
    expect(page.locator("pre.numbered")).to_be_visible()
    found["a submission"] = complaints(page, axe)

    SelfTest(page, site, language).open().answer_some()
    found["self-test"] = complaints(page, axe)
    gated = Bench(page, site, GATED, language).open()
    page.locator("[data-action=open]").click()
    found["a closed exercise"] = complaints(page, axe)
    assert gated.page.locator("[data-action=keep-closed]").is_visible()

    bench = Bench(page, site, "ch12/serializer", language).open()
    bench.submit()
    found["results"] = complaints(page, axe)
    bench.tab("hints")
    page.get_by_test_id("next-hint").click()
    expect(page.locator(".hint").first).to_be_visible()
    found["hints"] = complaints(page, axe)
    bench.tab("history")
    page.locator(".entry-actions .link").first.click()
    expect(page.locator(".entry pre")).to_be_visible()
    page.locator("[data-action=reset]").click()
    found["history"] = complaints(page, axe)
    bench.notice.get_by_role("button").first.click()
    bench.tab("solution")
    found["solution"] = complaints(page, axe)
    bench.editor.focus()
    page.keyboard.press("Control+f")
    expect(page.locator("#editor .cm-search")).to_be_visible()
    found["search"] = complaints(page, axe)
    page.context.close()
    assert not any(found.values()), found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_scrolls_sideways_on_a_phone(
    chromium: Browser, site: str, visit: Visit, language: str
) -> None:
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    try:
        page = visit.watch(context.new_page())
        bench = Bench(page, site, "ch12/serializer", language).open()
        bench.put(wrong(bench.exercise, "always_int32"))
        bench.submit()
        expect(bench.summary).to_be_in_viewport()
        widths = {"exercise": width_of(page)}
        for address in ("/", "/ch12/", "/ch12/self-test/", "/submissions/"):
            page.goto(f"{site}/{language}{address}")
            widths[address] = width_of(page)
        page.locator("td a").first.click()
        expect(page.locator("pre.numbered")).to_be_visible()
        widths["a submission"] = width_of(page)
        assert set(widths.values()) == {360}, widths
    finally:
        context.close()


def width_of(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth")


def test_by_keyboard_alone(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    keys = page.keyboard
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    keys.press("Enter")
    keys.press("Tab")
    expect(page.get_by_role("link", name="Begin:")).to_be_focused()
    keys.press("Enter")

    bench = Bench(page, site, "ch12/serializer")
    expect(bench.editor).to_be_visible()
    walk_to(page, ".cm-content")
    keys.press("Control+a")
    keys.type("x = 1\nif x:\ny = 2")
    assert "    y = 2" in bench.editor.inner_text()
    # Tab indents, so it stays; Escape, then Tab leaves.
    keys.press("Tab")
    assert focused(page).startswith("cm-content")
    keys.press("Escape")
    keys.press("Tab")
    assert not focused(page).startswith("cm-")

    keys.press("Control+Shift+Enter")
    bench.wait_for_phase("done", place="judge")
    walk_to(page, "#tab-results")
    keys.press("ArrowRight")
    expect(page.locator("#tab-hints")).to_be_focused()
    expect(page.locator("#tab-hints")).to_have_attribute("aria-selected", "true")
    keys.press("Tab")
    keys.press("Tab")
    expect(page.get_by_test_id("next-hint")).to_be_focused()
    keys.press("Enter")
    expect(page.locator(".hint")).to_have_count(1)

    bench.editor.focus()
    keys.press("Control+Enter")
    bench.wait_for_phase("done")


def focused(page: Page) -> str:
    """The class or id of what has the focus, inside the editor, too."""
    return page.evaluate(
        """() => {
            let element = document.activeElement;
            while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
            return element ? element.className || element.id : "";
        }"""
    )


def walk_to(page: Page, selector: str) -> None:
    """Press Tab until that has the focus."""
    for _ in range(40):
        page.keyboard.press("Escape")  # so that an editor on the way lets go
        page.keyboard.press("Tab")
        if page.locator(selector).evaluate(
            "element => element.getRootNode().activeElement === element"
        ):
            return
    raise AssertionError(f"Tab never comes to {selector}")


def test_the_theme_is_chosen_and_kept(page: Page, site: str) -> None:
    page.goto(f"{site}/en/")
    light = background(page)
    page.get_by_label("Theme").select_option("dark")
    dark = background(page)
    assert dark != light
    page.goto(f"{site}/zh/ch12/")
    assert background(page) == dark
    page.get_by_label("主题").select_option("system")
    page.reload()
    assert background(page) == light


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def test_on_paper_there_is_only_the_statement(page: Page, serializer: Bench) -> None:
    serializer.open()
    page.emulate_media(media="print")
    expect(page.locator(".statement")).to_be_visible()
    for gone in (".workbench", ".site-head", ".neighbours"):
        expect(page.locator(gone)).to_be_hidden()


def test_without_scripts_the_statement_can_be_read(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{site}/zh/ch12/serializer/")
        expect(page.locator(".statement h1")).to_have_text("把消息变成普通数据")
    finally:
        context.close()


def test_no_other_origin_is_needed(context: Any, site: str, visit: Visit) -> None:
    """Everything that is not this site is cut off, and the whole page works."""
    context.route(
        "**/*",
        lambda route: route.continue_() if route.request.url.startswith(site) else route.abort(),
    )
    bench = Bench(visit.watch(context.new_page()), site, "ch12/serializer", "zh").open()
    bench.run()
    expect(bench.summary).to_contain_text("通过 0 / 6")
    bench.submit()
