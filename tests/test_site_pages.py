"""The pages as the server makes them, their words, and the files that browsers load for them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from site_parts import SOLUTION, Visitor, copy_course, make_app, site_of

from judge.texts import LANGUAGES
from judge.verdict import Outcome
from web.browser.build.errors import BuildError
from web.browser.node import find_node
from web.frontend import build
from web.site import texts, workbench_texts
from web.site.models import State, Submission, now
from web.site.rendering import sentence

FRONTEND = Path(build.__file__).parent
WEIGHT_LIMIT = 400_000  # bytes, compressed, all scripts and styles of a page together
LIMIT_SECONDS = 120.0


@pytest.fixture(scope="session")
def static() -> Path:
    return build.ensure_static()


@pytest.fixture
def app(tmp_path, static):
    copy_course(tmp_path / "course")
    app = make_app(tmp_path, static=static)
    yield app
    site_of(app).database.close()


@pytest.fixture
def visitor(app):
    return Visitor(app)


def page_data(html: str) -> dict:
    found = re.search(r'<script type="application/json" id="page-data">(.*?)</script>', html, re.S)
    assert found
    return json.loads(found[1])


# --- addresses and languages --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de,en;q=0.5", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("zh-TW", "zh"),
        ("fr", "en"),
        ("", "en"),
    ],
)
def test_the_first_visit_goes_to_the_browsers_language(visitor, asked, language):
    answer = visitor.get("/", headers={"Accept-Language": asked})
    assert answer.status_code == 302 and answer.location == f"/{language}/"


def test_the_language_chosen_last_wins(visitor):
    visitor.get("/zh/")
    assert visitor.get("/", headers={"Accept-Language": "en"}).location == "/zh/"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ["", "ch1/", "ch1/double/", "ch1/self-test/", "submissions/"])
def test_pages_are_whole_and_lead_to_the_other_language(visitor, language, address):
    answer = visitor.get(f"/{language}/{address}")
    assert answer.status_code == 200 and answer.mimetype == "text/html"
    html = answer.text
    other = "zh" if language == "en" else "en"
    assert f'href="/{other}/{address}"' in html
    assert html.count("<h1") == 1 and "<main" in html
    # Nothing within the page that the security policy would refuse.
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(src=|application/json))", html)


@pytest.mark.parametrize(
    "address",
    [
        "/en/nothing/",
        "/en/ch1/nothing/",
        "/zh/submissions/0123456789abcdef0123456789abcdef",
        "/en/ch1/nothing/hints",
        "/en/ch1/drawings/nothing.svg",
        "/en/nothing/drawings/nothing.svg",
        "/en/nothing/self-test/",
    ],
)
def test_what_is_not_there_is_said_in_the_language_of_the_address(visitor, address):
    answer = visitor.get(address)
    assert answer.status_code == 404 and answer.mimetype == "text/html"
    assert texts.PAGES["not_found"]["zh" if address.startswith("/zh") else "en"] in answer.text


def test_the_query_does_not_steer_the_links(visitor):
    html = visitor.get("/en/submissions/?_scheme=javascript&_external=1&cursor=a%22b").text
    link = re.search(r'<a id="language" href="([^"]*)"', html)
    assert link and link[1].startswith("/zh/submissions/?")


def test_the_theme_of_the_cookie_is_drawn_at_once(visitor):
    assert "data-theme" not in visitor.get("/en/").text
    visitor.client.set_cookie("theme", "dark")
    assert '<html lang="en" data-theme="dark">' in visitor.get("/en/").text
    visitor.client.set_cookie("theme", '"><script>')
    assert "data-theme" not in visitor.get("/en/").text


# --- exercises ----------------------------------------------------------------------------------


def test_an_exercise_brings_what_its_code_needs(visitor):
    data = page_data(visitor.get("/zh/ch1/double/").text)
    exercise = data["exercise"]
    assert exercise["id"] == "ch1/double" and exercise["stub"].startswith('"""Double a value."""')
    assert [test["name"] for test in exercise["tests"]] == ["test_number", "test_tensor"]
    assert (exercise["solved"], exercise["solution"], exercise["hints"]) == (False, None, [])
    assert exercise["bundle"]["exercise"] == "ch1/double"
    assert exercise["next"]["address"] == "/zh/ch1/relay/"
    assert data["words"]["run"] == "运行" and data["editorPhrases"]["Find"] == "查找"
    assert page_data(visitor.get("/en/ch1/double/").text)["editorPhrases"] == {}


def test_hints_stay_shown(visitor):
    assert visitor.get("/en/ch1/double/hints").json == {"hints": []}
    visitor.post("/api/v1/exercises/ch1/double/hints")
    (hint,) = visitor.get("/en/ch1/double/hints").json["hints"]
    assert hint.startswith("<p>")
    assert page_data(visitor.get("/en/ch1/double/").text)["exercise"]["hints"] == [hint]


def test_a_closed_exercise_says_what_opens_it(visitor):
    html = visitor.get("/en/ch1/again/").text
    assert page_data(html)["exercise"]["bundle"] is None
    note = re.search(r'<div class="closed".*?</div>', html, re.S)
    assert note and 'href="/en/ch1/double/"' in note[0]
    assert texts.PAGES["state_closed"].en in visitor.get("/en/ch1/").text
    visitor.post("/api/v1/exercises/ch1/double/solution", {"asked": True})
    html = visitor.get("/en/ch1/again/").text
    assert page_data(html)["exercise"]["bundle"] is not None and 'class="closed"' not in html


def test_without_scripts_a_learner_is_told(visitor):
    assert texts.PAGES["needs_script"].zh in visitor.get("/zh/ch1/double/").text


# --- submissions --------------------------------------------------------------------------------


def store(app, learner: str, source: str, verdict: dict | None = None) -> str:
    """A submission of the learner as a worker would leave it."""
    site = site_of(app)
    with site.database.write() as session:
        row = Submission(
            id=f"{len(source):032x}",
            learner=learner,
            exercise="ch1/double",
            suite="all",
            source=source,
            source_digest="",
            tests_digest="",
            state=State.WAITING if verdict is None else State.DONE,
            queued=now(),
            verdict=verdict and json.dumps(verdict),
            outcome=verdict and verdict["verdict"],
            passed_tests=0,
            tests=len(verdict["tests"]) if verdict else 0,
        )
        session.add(row)
        return row.id


EVIL = "<script>alert(1)</script>"
VERDICT = {
    "version": 3,
    "exercise": "ch1/double",
    "suite": "all",
    "status": "fail",
    "verdict": "wrong",
    "blame": "learner",
    "message": f"`double` is wrong {EVIL}",
    "message_zh": None,
    "tests": [
        {
            "name": "test_number",
            "status": "fail",
            "outcome": "wrong",
            "visibility": "example",
            "title": {"en": "A number", "zh": "一个数"},
            "message": EVIL,
            "message_zh": None,
            "expected": f"{EVIL}1",
            "actual": f"{EVIL}2",
            "diff": f"{EVIL}3",
            "line": {"number": 2, "text": f"    return {EVIL}"},
            "output": f"{EVIL}4",
            "test_code": f"{EVIL}5",
        },
    ],
    "explanations": [{"wrong": "no", "en": f"why {EVIL}", "zh": "原因"}],
}


@pytest.fixture
def learner(app, visitor) -> str:
    """The visitor's number, known to the database."""
    visitor.post("/api/v1/exercises/ch1/double/hints")
    from sqlalchemy import select

    from web.site.models import Learner

    with site_of(app).database.read() as session:
        return session.scalars(select(Learner.id)).one()


def test_a_submission_shows_code_and_verdict_and_no_markup_of_a_learner(app, visitor, learner):
    source = f"def double(value):\n    return {EVIL!r}\n"
    name = store(app, learner, source, VERDICT)
    html = visitor.get(f"/en/submissions/{name}").text
    assert EVIL not in html and html.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 8
    assert "<code>double</code> is wrong" in html
    assert f'href="#L{2}"' in html and 'id="L2"' in html
    assert texts.VERDICTS["explanation"].zh in visitor.get(f"/zh/submissions/{name}").text
    assert name in visitor.get("/en/submissions/").text


def test_a_submission_without_a_verdict_waits_for_it(app, visitor, learner):
    name = store(app, learner, SOLUTION)
    assert f'data-pending-submission="{name}"' in visitor.get(f"/en/submissions/{name}").text


def test_nobody_reads_anothers_submission(app, visitor, learner):
    name = store(app, learner, SOLUTION, VERDICT)
    stranger = Visitor(app)
    assert stranger.get(f"/en/submissions/{name}").status_code == 404
    assert name not in stranger.get("/en/submissions/").text


def test_a_long_list_goes_on(app, visitor, learner):
    names = [store(app, learner, "x" * length, VERDICT) for length in range(1, 42)]
    first = visitor.get("/en/submissions/").text
    link = re.search(r'href="(/en/submissions/\?cursor=\w+)"', first)
    assert link
    second = visitor.get(link[1]).text
    shown = [re.findall(r'href="/en/submissions/(\w+)"', page) for page in (first, second)]
    assert sorted(shown[0] + shown[1]) == sorted(names)


# --- words --------------------------------------------------------------------------------------


def test_code_between_backticks_is_set_as_code():
    assert sentence("a `b<` c") == "a <code>b&lt;</code> c"
    assert sentence("a ` b") == "a ` b"
    assert sentence("`a` and ` alone") == "<code>a</code> and ` alone"


def frontend_source() -> str:
    return "\n".join(path.read_text("utf-8") for path in (FRONTEND / "src").rglob("*.ts*"))


def test_every_word_of_the_scripts_is_there_and_used():
    source = frontend_source()
    own = workbench_texts.WORKBENCH | texts.SELF_TEST
    known = texts.VERDICTS | own
    names = set(re.findall(r'\bword\(\s*"(\w+)"', source))
    # Names that are put together: `outcome_${…}` stands for all of its beginning.
    begun = set(re.findall(r"\bword\(\s*[^()]*?`(\w+)_\$\{", source))
    chosen = re.findall(r'"(\w+)"', " ".join(re.findall(r"word\(([^`]*?\?[^`]*?)\)", source)))
    names |= set(chosen) & set(known)
    assert names <= set(known), names - set(known)
    assert {f"outcome_{each.value}" for each in Outcome} <= set(known)
    assert {f"state_{each.value}" for each in State} <= set(known)
    quoted = set(re.findall(r'"(\w+)"', source))
    unused = {
        name
        for name in own
        if name not in names
        and not any(name.startswith(f"{start}_") for start in begun)
        and not (name.endswith("_title") and name.removesuffix("_title") in quoted | names)
        and name not in quoted
    }
    assert not unused, unused


def test_every_word_of_the_templates_is_there_and_used():
    folder = Path(texts.__file__).parent / "templates"
    source = "\n".join(path.read_text("utf-8") for path in folder.glob("*.html"))
    known = texts.PAGES | texts.VERDICTS
    names = set(re.findall(r"\bword\('(\w+)'", source))
    names -= {"outcome_", "state_", "step_"}
    assert names <= set(known), names - set(known)
    quoted = set(re.findall(r"'(\w+)'", source))
    unused = {
        name for name in texts.PAGES if name not in quoted and not name.startswith(("step_",))
    }
    assert not unused, unused


def test_placeholders_agree_in_both_languages():
    everything = [texts.PAGES, texts.VERDICTS, texts.SELF_TEST, workbench_texts.WORKBENCH]
    for name, text in (pair for words in everything for pair in words.items()):
        assert text.en.strip() and text.zh.strip(), name
        assert set(re.findall(r"{\w+}", text.en)) == set(re.findall(r"{\w+}", text.zh)), name


# --- what browsers load -------------------------------------------------------------------------


def test_scripts_and_styles_keep_to_their_weight(static):
    manifest = json.loads((static / "manifest.json").read_text())
    files = set(manifest["files"].values()) | {
        chunk for chunks in manifest["imports"].values() for chunk in chunks
    }
    weight = sum((static / f"{name}.gz").stat().st_size for name in files)
    print(f"{weight / 1000:.0f} kB compressed")
    assert 50_000 < weight < WEIGHT_LIMIT
    assert all(re.search(r"-[A-Z0-9]{8}\.(js|css)$", name) for name in files)


def test_a_second_build_does_nothing(static):
    before = (static / "manifest.json").stat().st_mtime_ns
    assert build.ensure_static() == static
    assert (static / "manifest.json").stat().st_mtime_ns == before


def test_a_build_that_fails_says_why_and_leaves_the_old_one(tmp_path, static, monkeypatch):
    copy = tmp_path / "frontend"
    shutil.copytree(FRONTEND, copy, ignore=shutil.ignore_patterns("__pycache__"))
    made = tmp_path / "static"
    shutil.copytree(static, made)
    monkeypatch.setattr(build, "HERE", copy)
    monkeypatch.setattr(build, "WORK", tmp_path / "work")
    (tmp_path / "work").mkdir()
    workspace = build.WORK
    shutil.copy(build.CACHE / "frontend" / "installed.json", workspace)
    (workspace / "node_modules").symlink_to(build.CACHE / "frontend" / "node_modules")
    (copy / "src" / "site.ts").write_text("const = nothing;\n")
    before = sorted(path.name for path in made.iterdir())
    with pytest.raises(BuildError, match=r"site\.ts:1"):
        build.ensure_static(made)
    assert sorted(path.name for path in made.iterdir()) == before


def test_the_types_are_right():
    folder = build.ensure_workspace(development=True)
    node = find_node()
    done = subprocess.run(
        [str(folder / "node_modules/.bin/tsc"), "--noEmit"],
        cwd=folder,
        env=node.environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_lock_file_names_no_registry():
    lock = json.loads((FRONTEND / "package-lock.json").read_text())
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
        assert name == "" or package.get("link") or package["integrity"].startswith("sha512-"), name
