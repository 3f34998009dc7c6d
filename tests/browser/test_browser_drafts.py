"""What a learner has typed is never lost: not by a reload, a reset, another tab or another language."""

from __future__ import annotations

from browser_parts import Bench, stub
from conftest import Visit
from playwright.sync_api import BrowserContext, Page, expect


def test_a_reload_keeps_the_draft(page: Page, serializer: Bench) -> None:
    serializer.open()
    serializer.type("# my idea")
    page.reload()
    expect(serializer.editor).to_contain_text("# my idea")
    assert serializer.source() == stub(serializer.exercise) + "# my idea"


def test_reset_is_undone_by_its_button(page: Page, serializer: Bench) -> None:
    serializer.open()
    serializer.put("mine = 1\n")
    page.get_by_role("button", name="Reset").click()
    assert serializer.source() == stub(serializer.exercise)
    serializer.notice.get_by_role("button", name="Undo").click()
    assert serializer.source() == "mine = 1\n"


def test_reset_is_undone_by_the_keyboard(page: Page, serializer: Bench) -> None:
    serializer.open()
    serializer.put("mine = 1\n")
    page.get_by_role("button", name="Reset").click()
    serializer.editor.focus()
    page.keyboard.press("Control+z")
    assert serializer.source() == "mine = 1\n"


def test_what_a_reset_took_away_outlives_a_reload(page: Page, serializer: Bench) -> None:
    serializer.open()
    serializer.put("mine = 1\n")
    page.get_by_role("button", name="Reset").click()
    page.reload()
    assert serializer.source() == stub(serializer.exercise)
    serializer.tab("history")
    entry = page.locator(".entry", has_text="before a reset")
    entry.get_by_role("button", name="Show the code").click()
    expect(entry.locator("pre")).to_have_text("mine = 1\n")
    entry.get_by_role("button", name="Load it into the editor").click()
    assert serializer.source() == "mine = 1\n"


def test_two_tabs_hold_the_same_code(
    context: BrowserContext, visit: Visit, site: str, serializer: Bench
) -> None:
    here = serializer.open()
    there = Bench(visit.watch(context.new_page()), site, here.exercise).open()
    there.put("typed = 'there'\n")
    expect(here.editor).to_contain_text("typed = 'there'")
    here.put("typed = 'here'\n")
    expect(there.editor).to_contain_text("typed = 'here'")
    assert there.source() == here.source() == "typed = 'here'\n"


def test_an_older_text_of_another_tab_is_kept(
    context: BrowserContext, visit: Visit, site: str, serializer: Bench
) -> None:
    here = serializer.open()
    there = Bench(visit.watch(context.new_page()), site, here.exercise).open()
    # News of the other tab come in the turn of the event loop after the typing, before it is saved.
    here.editor.focus()
    here.page.evaluate(
        """async exercise => {
            const content = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
            content.focus();
            document.execCommand("insertText", false, "# unsaved ");
            await new Promise(resolve => setTimeout(resolve));
            const key = `practice/draft/${exercise}`;
            const draft = { source: "newer = 1\\n", changedAt: Date.now() + 1000 };
            localStorage.setItem(key, JSON.stringify(draft));
            window.dispatchEvent(new StorageEvent("storage", { key }));
        }""",
        here.exercise,
    )
    expect(here.editor).to_contain_text("newer = 1")
    assert here.source() == "newer = 1\n"
    here.tab("history")
    entry = here.page.locator(".entry", has_text="overtaken by another tab")
    entry.get_by_role("button", name="Show the code").click()
    expect(entry.locator("pre")).to_contain_text("# unsaved")
    expect(there.editor).to_contain_text("newer = 1")


def test_another_language_keeps_the_place(page: Page, site: str) -> None:
    bench = Bench(page, site, "ch12/serializer").open()
    bench.type("# my idea")
    heading = page.locator(".statement h2").nth(1)
    heading.evaluate("heading => heading.scrollIntoView({ block: 'start' })")
    before = heading.bounding_box()
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    assert page.url == f"{site}/zh/ch12/serializer/"
    expect(bench.editor).to_contain_text("# my idea")
    after = page.locator(".statement h2").nth(1).bounding_box()
    assert before and after and abs(before["y"] - after["y"]) < 3
    page.goto(f"{site}/")
    assert page.url == f"{site}/zh/"
