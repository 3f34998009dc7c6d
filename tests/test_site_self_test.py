"""The self-test on the site: what is right, what is said to an answer, and what is kept of it."""

from __future__ import annotations

import pytest
from site_parts import EXPLANATION, Visitor, copy_course, error_of, make_app, site_of

from web.frontend.build import ensure_static
from web.site.reading import render_reading

QUESTIONS = "/api/v1/chapters/ch1/questions"


@pytest.fixture
def app(tmp_path):
    copy_course(tmp_path / "course")
    app = make_app(tmp_path, static=ensure_static())
    yield app
    site_of(app).database.close()


@pytest.fixture
def visitor(app):
    return Visitor(app)


def answer(visitor: Visitor, question: str, **given) -> dict:
    response = visitor.post(f"{QUESTIONS}/{question}", given)
    assert response.status_code == 200, response.text
    return response.json


@pytest.mark.parametrize(
    ("question", "given", "right"),
    [
        ("one-of-three", {"choices": [1]}, True),
        ("one-of-three", {"choices": [0]}, False),
        ("one-of-three", {"choices": [0, 1]}, False),
        ("two-of-three", {"choices": [2, 0]}, True),
        ("two-of-three", {"choices": [0, 0, 2]}, True),
        ("two-of-three", {"choices": [0]}, False),
        ("two-of-three", {"choices": [0, 1, 2]}, False),
        *(("a-number", {"text": text}, True) for text in ("6000", " 6,000 ", "6 000", "+6000")),
        *(("a-number", {"text": text}, False) for text in ("-6000", "600", "6001")),
        *(
            ("a-text", {"text": text}, True)
            for text in ("XPUB", " xpub\t", "ZMQ.xpub", "ｚｍｑ．ＸＰＵＢ", "zmq . XPUB")
        ),
        *(("a-text", {"text": text}, False) for text in ("X PUB", "PUB", "xpubs")),
    ],
)
def test_what_is_right(visitor, question, given, right):
    judged = answer(visitor, question, **given)
    assert judged["right"] is right
    assert (judged["solution"] is not None) is right
    assert judged["right_in_chapter"] == int(right)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("one-of-three", {}),
        ("one-of-three", {"text": "two"}),
        ("one-of-three", {"choices": [3]}),
        ("a-number", {"text": "   "}),
        ("a-number", {"text": "six thousand"}),
        ("a-number", {"text": "6000.0"}),
        ("a-number", {"text": "60,00"}),
        ("a-text", {"choices": [0]}),
    ],
)
def test_what_is_no_answer_does_not_count(visitor, question, given):
    response = visitor.post(f"{QUESTIONS}/{question}", given)
    assert response.status_code == 422 and error_of(response) == "no_answer"
    assert 'data-state="wrong"' not in visitor.get("/en/ch1/self-test/").text


def test_a_wrong_choice_gets_its_remark_and_not_the_answer(visitor):
    judged = answer(visitor, "one-of-three", choices=[0])
    (remark,) = judged["remarks"]
    assert remark["choice"] == 0
    assert remark["remark_html"]["en"] == "<p>One is <code>odd</code>.</p>\n"
    assert EXPLANATION not in str(judged) and "奇数" in remark["remark_html"]["zh"]


def test_all_that_is_right_must_be_chosen(visitor):
    assert answer(visitor, "two-of-three", choices=[0])["incomplete"]
    both = answer(visitor, "two-of-three", choices=[0, 1])
    assert not both["incomplete"] and [each["choice"] for each in both["remarks"]] == [1]
    assert not answer(visitor, "one-of-three", choices=[0])["incomplete"]


def test_who_asks_is_told_and_it_does_not_count(visitor):
    told = answer(visitor, "a-text", asked=True)
    assert not told["right"] and told["solution"]["text"] == "XPUB"
    assert EXPLANATION in told["solution"]["explanation_html"]["en"]
    assert told["right_in_chapter"] == 0
    assert answer(visitor, "two-of-three", asked=True)["solution"]["choices"] == [0, 2]
    assert answer(visitor, "a-number", asked=True)["solution"]["text"] == "6000"


def test_right_stays_right(visitor):
    answer(visitor, "a-number", text="6000")
    assert answer(visitor, "a-number", text="1")["right_in_chapter"] == 1
    assert answer(visitor, "a-number", asked=True)["right_in_chapter"] == 1


def test_there_is_no_such_question(visitor):
    for address in (f"{QUESTIONS}/nothing", "/api/v1/chapters/ch9/questions/a-text"):
        response = visitor.post(address, {"text": "x"})
        assert response.status_code == 404 and error_of(response) == "no_such_question"


# --- pages --------------------------------------------------------------------------------------


def test_the_first_page_holds_questions_and_no_answer(visitor):
    html = visitor.get("/en/ch1/self-test/").text
    assert html.count("<fieldset>") == html.count("<legend>") == 4
    assert "Which <code>number</code> is even?" in html
    for secret in (EXPLANATION, "6000", "XPUB", "is odd", "checked", "data-right"):
        assert secret not in html, secret


def test_the_page_keeps_what_was_answered(app, visitor):
    answer(visitor, "one-of-three", choices=[1])
    answer(visitor, "a-number", text="7")
    html = visitor.get("/zh/ch1/self-test/").text
    assert html.count('data-state="right"') == html.count('data-state="wrong"') == 1
    assert html.count(EXPLANATION) == 1 and "中文" in html and html.count(" checked") == 1
    assert "答对 1 / 4 题" in html
    assert "1 of 4 answered right" in visitor.get("/en/ch1/").text
    # Nobody else's.
    stranger = Visitor(app)
    assert "0 of 4 answered right" in stranger.get("/en/ch1/").text
    assert EXPLANATION not in stranger.get("/en/ch1/self-test/").text


def test_a_chapter_without_questions_has_no_self_test(tmp_path):
    app = make_app(tmp_path, static=ensure_static())
    try:
        visitor = Visitor(app)
        assert visitor.get("/en/ch1/self-test/").status_code == 404
        assert "self-test" not in visitor.get("/en/ch1/").text
    finally:
        site_of(app).database.close()


def test_the_reading_has_contents_and_the_titles_of_exercises(visitor):
    html = visitor.get("/en/ch1/").text
    assert html.count("<h1") == 1
    assert '<a href="#section-1">Numbers &amp; <code>int</code></a>' in html
    assert '<h2 id="section-1">Numbers &amp; <code>int</code></h2>' in html
    title = visitor.get("/api/v1/exercises/ch1/double").json["title"]["en"]
    assert f'<a href="double/" rel="noopener noreferrer">{title}</a>' in html
    assert html.count('href="/en/ch1/self-test/"') == 2


def test_a_reading_is_safe_and_other_links_stay():
    reading = render_reading(
        '## <b id="x">`a`</b>\n\n[x](https://example.org/double/) <script>1</script>\n',
        {"double": "T"},
    )
    assert "<script" not in reading.html and "<b" not in reading.html
    assert "<b" not in reading.sections[0].title
    assert ">x</a>" in reading.html
