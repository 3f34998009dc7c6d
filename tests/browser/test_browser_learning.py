"""The way of a learner: read, edit, run, fail, ask for a hint, mend, submit, and read the verdict."""

from __future__ import annotations

from browser_parts import LIMIT_MS, Bench, reference, stub, wrong
from conftest import Visit
from playwright.sync_api import BrowserContext, Page, Route, expect


def test_from_the_first_look_to_the_verdict(page: Page, site: str) -> None:
    page.goto(f"{site}/")
    assert page.url == f"{site}/en/"
    page.get_by_role("link", name="Begin:").click()
    bench = Bench(page, site, "ch12/serializer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Messages as plain data")
    assert page.evaluate("crossOriginIsolated && 'Suspending' in WebAssembly")

    # The stub fails, at a line that leads back into the editor.
    bench.run()
    expect(bench.summary).to_contain_text("0 of 6 passed")
    expect(bench.panel).to_contain_text("stand-ins for libzmq and torch")
    line = page.locator(".test .line-link .link").first
    number = line.inner_text().split()[-1]
    line.click()
    expect(page.locator("#editor .cm-activeLineGutter").first).to_have_text(number)
    expect(page.locator("#editor .cm-lint-marker-error").first).to_be_visible()

    bench.tab("hints")
    page.get_by_test_id("next-hint").click()
    expect(page.locator(".hint")).to_have_count(1)
    page.get_by_test_id("next-hint").click()
    expect(page.locator(".hint")).to_have_count(2)

    # A typical mistake is recognised in the page, without a hidden test.
    bench.put(wrong("ch12/serializer", "always_int32"))
    bench.run()
    expect(page.locator(".explanation")).to_contain_text("Every buffer is read as int32.")
    failed = page.locator('.test[data-outcome="wrong"]').first
    expect(failed.locator('[data-part="expected"]')).to_be_visible()
    expect(failed.locator('[data-part="actual"]')).to_be_visible()

    bench.put(reference("ch12/serializer"))
    bench.run()
    expect(bench.summary).to_contain_text("All 6 example tests passed")

    bench.submit()
    expect(bench.summary).to_contain_text("Solved: all")
    expect(bench.panel).to_contain_text("real torch, msgpack and ZMQ")
    expect(page.locator(".test .badge").first).to_have_text("hidden")
    expect(page.get_by_role("link", name="Next exercise:")).to_be_visible()

    # Solved is solved, everywhere.
    bench.tab("solution")
    page.get_by_role("button", name="Show the reference solution").click()
    expect(page.locator(".solution pre")).to_contain_text("def serialize_type")
    page.goto(f"{site}/en/")
    expect(page.locator('[data-state="solved"]')).to_contain_text("Messages as plain data")


def test_zmq_with_threads_runs_in_the_page(page: Page, site: str) -> None:
    bench = Bench(page, site, "ch12/pub-sub").open()
    bench.put(reference("ch12/pub-sub"))
    bench.run()
    expect(bench.summary).to_contain_text("example tests passed")
    bench.put(wrong("ch12/pub-sub", "empty_takes"))
    bench.run()
    expect(page.locator('.test:not([data-outcome="passed"])').first).to_be_visible()
    # The second run of one interpreter begins as clean as the first.
    bench.put(reference("ch12/pub-sub"))
    bench.run()
    expect(bench.summary).to_contain_text("example tests passed")


def test_a_file_runs_as_a_program(serializer: Bench) -> None:
    bench = serializer.open()
    bench.put("import minisgl.core\nprint('hello', __name__, sum(range(10)))\n")
    bench.run_file()
    expect(bench.panel.locator(".output pre")).to_have_text("hello __main__ 45\n", timeout=LIMIT_MS)
    bench.wait_for_phase("done")


def test_what_a_learner_writes_is_never_markup(page: Page, serializer: Bench) -> None:
    bench = serializer.open()
    evil = '<img src=x onerror="document.title=1"><b>bold</b>'
    bench.put(f"print({evil!r})\nraise ValueError({evil!r})\n")
    bench.run()
    expect(bench.panel).to_contain_text("<b>bold</b>")
    bench.submit()
    expect(bench.panel).to_contain_text("<b>bold</b>")
    assert page.locator("main img, main b").count() == 0
    page.goto(f"{bench.site}/en/submissions/")
    page.locator("td a").first.click()
    expect(page.locator("main")).to_contain_text("<b>bold</b>")
    assert page.locator("main img, main b").count() == 0


def test_the_solution_is_shown_to_who_asks_and_confirms(page: Page, serializer: Bench) -> None:
    serializer.open()
    serializer.tab("solution")
    show = page.get_by_role("button", name="Show the reference solution")
    show.click()
    page.get_by_role("button", name="I keep trying").click()
    expect(page.locator(".solution pre")).to_have_count(0)
    show.click()
    page.get_by_role("button", name="Show it", exact=True).click()
    expect(page.locator(".solution pre")).to_contain_text("def serialize_type")
    page.reload()
    serializer.tab("solution")
    expect(page.locator(".solution pre")).to_contain_text("def serialize_type")


def test_history_brings_code_back(page: Page, serializer: Bench) -> None:
    bench = serializer.open()
    first = "def serialize_type(:\n"
    bench.put(first)
    bench.submit()
    expect(page.locator("#editor .cm-lint-marker-error")).to_be_visible()
    bench.put(stub(bench.exercise))
    bench.tab("history")
    page.get_by_role("button", name="Load it into the editor").first.click()
    expect(bench.notice).to_be_visible()
    assert bench.source() == first
    bench.notice.get_by_role("button", name="Undo").click()
    assert bench.source() == stub(bench.exercise)


def test_a_submission_is_followed_through_a_reload(page: Page, serializer: Bench) -> None:
    bench = serializer.open()
    bench.put(reference(bench.exercise) + "\n\nimport time\n\ntime.sleep(1)\n")
    with page.expect_response("**/api/v1/submissions"):
        bench.press("submit")
    page.reload()
    bench.wait_for_phase("done", place="judge")
    expect(bench.summary).to_contain_text("Solved: all")


def test_a_lost_connection_is_taken_up_again(context: BrowserContext, site: str) -> None:
    page = context.new_page()  # nobody watches it, for it says an error aloud
    bench = Bench(page, site, "ch12/serializer").open()
    lost: list[str] = []

    def cut_off_once(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.fulfill(status=503, body="{}")

    page.route("**/events", cut_off_once)
    bench.put(reference(bench.exercise))
    bench.submit()
    expect(bench.summary).to_contain_text("Solved: all")
    assert lost


def test_a_submission_belongs_to_one_learner(
    page: Page, site: str, context: BrowserContext, visit: Visit, serializer: Bench
) -> None:
    serializer.open()
    serializer.put("x = 1\n")
    serializer.submit()
    page.goto(f"{site}/en/submissions/")
    page.locator("td a").first.click()
    expect(page.locator("pre.numbered")).to_contain_text("x = 1")
    address = page.url
    assert context.browser is not None
    stranger = context.browser.new_context()
    try:
        other = stranger.new_page()
        answer = other.goto(address)
        assert answer is not None and answer.status == 404
        expect(other.locator("h1")).to_have_text("There is nothing here")
    finally:
        stranger.close()
