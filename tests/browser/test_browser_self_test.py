"""The self-test of the chapter, with its real questions: right, wrong, told, kept, and again."""

from __future__ import annotations

import tomllib

import pytest
from browser_parts import ROOT, SelfTest
from playwright.sync_api import BrowserContext, Page, expect

TOTAL = len(tomllib.loads((ROOT / "exercises/ch12/self-test.toml").read_text("utf-8"))["questions"])


@pytest.fixture
def self_test(page: Page, site: str) -> SelfTest:
    return SelfTest(page, site).open()


def test_the_way_through(page: Page, site: str) -> None:
    page.goto(f"{site}/en/ch12/")
    page.get_by_role("link", name="Begin the self-test").first.click()
    self_test = SelfTest(page, site)
    expect(self_test.progress).to_have_text(f"0 of {TOTAL} answered right")

    # A wrong choice is told what is wrong with it; the right one is not.
    form = self_test.choose("a-client-leaves", 0)
    expect(form.locator(".told")).to_have_text("Not right yet.")
    expect(form.locator(".remark")).to_contain_text("That is what the tokenizer sends.")
    expect(form.locator(".explanation")).to_have_count(0)
    form = self_test.choose("a-client-leaves", 1)
    expect(form.locator(".told")).to_have_text("Right.")
    expect(form.locator(".explanation")).to_contain_text(
        "The API server talks to the tokenizer only."
    )
    expect(self_test.progress).to_have_text(f"1 of {TOTAL} answered right")
    # On to the next one, by keyboard.
    expect(form.locator("[data-action=next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(self_test.question("the-type-tag").locator("input").first).to_be_focused()

    form = self_test.write("bytes-of-a-prompt", "1500")
    expect(form.locator(".told")).to_have_text("Not right yet.")
    form = self_test.write("bytes-of-a-prompt", " 6,000 ")
    expect(form).to_have_attribute("data-state", "right")
    form = self_test.write("a-tuple-crosses", "  [1, 'A'] ")
    expect(form).to_have_attribute("data-state", "right")

    # A reload keeps what was right, and the chapter's page knows it.
    page.reload()
    expect(self_test.progress).to_have_text(f"3 of {TOTAL} answered right")
    kept = self_test.question("a-client-leaves")
    expect(kept.locator("input:checked")).to_have_value("1")
    expect(kept.locator(".explanation")).to_be_visible()
    page.goto(f"{site}/en/ch12/")
    expect(self_test.progress).to_have_text(f"3 of {TOTAL} answered right")
    expect(page.get_by_role("link", name="Go on with the self-test").first).to_be_visible()


def test_several_choices(self_test: SelfTest) -> None:
    name = "what-a-tensor-needs"
    boxes = self_test.question(name).locator("input")
    every = range(boxes.count())
    form = self_test.choose(name, *every)
    expect(form.locator(".remark").first).to_be_visible()
    # Each remark says which choice it is about.
    assert form.locator(".remark").count() == form.locator(".remark-on").count() >= 1
    wrong = {text.strip() for text in form.locator(".remark-on").all_inner_texts()}
    labels = [label.strip() for label in form.locator(".choice span").all_inner_texts()]
    right = [at for at in every if labels[at] not in wrong]
    form = self_test.choose(name, right[0])
    expect(form.locator(".told")).to_contain_text("something is missing")
    form = self_test.choose(name, *right)
    expect(form.locator(".told")).to_have_text("Right.")


def test_who_gives_up_is_told_and_may_try_again(page: Page, self_test: SelfTest) -> None:
    again = page.locator("[data-action=again]")
    expect(again).to_be_hidden()
    form = self_test.write("the-longest-path", "1")
    form.locator("[data-action=show]").click()
    expect(form.locator(".told")).to_have_text("The answer:")
    expect(form.locator("input")).to_have_value("107")
    expect(self_test.progress).to_have_text(f"0 of {TOTAL} answered right")
    self_test.choose("the-type-tag", 0)

    expect(again).to_have_text("Again: the 2 that were wrong")
    again.click()
    expect(page.locator("form.question:visible")).to_have_count(2)
    expect(self_test.question("the-type-tag").locator("input").first).to_be_focused()
    expect(form.locator("input")).to_have_value("")
    form = self_test.write("the-longest-path", "107")
    expect(form).to_have_attribute("data-state", "right")
    again.click()
    expect(page.locator("form.question:visible")).to_have_count(TOTAL)
    expect(again).to_have_text("Again: the 1 that were wrong")


def test_in_chinese(page: Page, site: str) -> None:
    self_test = SelfTest(page, site, "zh").open()
    form = self_test.choose("a-client-leaves", 0)
    expect(form.locator(".told")).to_have_text("还不对。")
    expect(form.locator(".remark")).to_contain_text("这是分词器发的。")
    form = self_test.choose("a-client-leaves", 1)
    expect(form.locator(".explanation")).to_contain_text("API 服务器只给分词器发消息。")
    expect(self_test.progress).to_have_text(f"答对 1 / {TOTAL} 题")


def test_by_keyboard_and_for_a_screen_reader(page: Page, self_test: SelfTest) -> None:
    group = page.get_by_role("group", name="What is the entry")
    expect(group).to_be_visible()
    group.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    form = self_test.question("the-type-tag")
    expect(form.get_by_role("status")).to_contain_text("Right.")
    expect(page.get_by_role("status").first).to_have_text(f"1 of {TOTAL} answered right")


def test_what_is_refused_and_a_server_that_is_gone(context: BrowserContext, site: str) -> None:
    page = context.new_page()  # nobody watches it, for it says errors aloud
    self_test = SelfTest(page, site).open()
    form = self_test.write("bytes-of-a-prompt", "six thousand")
    expect(form.locator(".told")).to_contain_text("whole number")
    expect(form).to_have_attribute("data-state", "new")
    expect(self_test.choose("a-client-leaves").locator(".told")).to_have_text(
        "Choose an answer first."
    )
    page.route("**/questions/*", lambda route: route.abort())
    form = self_test.question("the-type-tag")
    form.locator("input").first.check()
    form.locator("[data-action=check]").click()
    expect(form.locator(".told")).to_contain_text("does not answer")
    page.unroute("**/questions/*")
    expect(self_test.choose("the-type-tag", 2)).to_have_attribute("data-state", "right")
