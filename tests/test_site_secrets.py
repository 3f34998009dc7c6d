"""No answer of any address ever holds a hidden test, its values, or a solution that was not earned."""

from __future__ import annotations

import shutil

import pytest
from site_parts import (
    HIDDEN_CODE,
    HIDDEN_VALUE,
    NO_REFUSAL,
    SOLUTION,
    UNSOLVED,
    UNSOLVED_SUPPORT,
    Visitor,
    copy_course,
    grading,
    make_app,
    site_of,
)

from web.frontend.build import ensure_static

MARKERS = [HIDDEN_CODE, str(HIDDEN_VALUE), UNSOLVED, UNSOLVED_SUPPORT]


@pytest.fixture(scope="module")
def secret_site(tmp_path_factory):
    """A course full of markers, with an exercise whose tests break and one whose tests do not load."""
    folder = tmp_path_factory.mktemp("secret")
    root = copy_course(folder / "course")
    for order, (name, old, new) in enumerate(
        (
            ("broken", "    assert_same(learner.double(", "    no_such_name(learner.double("),
            ("unloadable", "import pytest\n", f'import pytest\nraise OSError("{HIDDEN_CODE}")\n'),
        ),
        10,
    ):
        exercise = root / "exercises/ch1" / name
        shutil.copytree(root / "exercises/ch1/double", exercise)
        settings = (exercise / "exercise.toml").read_text("utf-8")
        settings = settings.replace("order = 1\n", f"order = {order}\n")
        settings = settings.replace("minisgl.double", f"minisgl.{name}")
        (exercise / "exercise.toml").write_text(settings, "utf-8")
        hidden = (exercise / "test_hidden.py").read_text("utf-8")
        assert old in hidden
        (exercise / "test_hidden.py").write_text(hidden.replace(old, new, 1), "utf-8")
        solution = root / "reference/solutions/ch1" / f"{name}.py"
        shutil.copyfile(root / "reference/solutions/ch1/double.py", solution)
    app = make_app(folder, static=ensure_static())
    with grading(app):
        yield app


PROGRAMS = {
    "right": SOLUTION,
    "wrong": NO_REFUSAL,
    "constant": "def double(value):\n    return 7\n",
    "raises": "def double(value):\n    raise ValueError(value)\n",
    "prints": "def double(value):\n    print(value)\n    return value\n",
    "missing": "a = 1\n",
    "syntax": "def double(:\n",
    "exits": "import os\n\n\ndef double(value):\n    os._exit(1)\n",
    "looks": (
        "import os, sys\n\n\ndef double(value):\n"
        "    raise ValueError([sys.argv, sorted(sys.modules), os.environ.copy(), sys.path])\n"
    ),
}


def addresses(app, own: list[str], foreign: list[str]) -> list[str]:
    """Every address of the site that can be got, filled in with all there is and with what is not."""
    exercises = [(e.chapter, e.name) for e in site_of(app).course.exercises] + [("ch1", "nothing")]
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods:
            continue
        values = [{}]
        for argument in sorted(rule.arguments):
            choices = {
                "language": ["en", "zh", "fr"],
                "chapter": sorted({chapter for chapter, _ in exercises} | {"ch9"}),
                "name": sorted({name for _, name in exercises} | {"manifest.json", "../../x"}),
                "submission_id": [*own, *foreign, "0" * 32],
            }[argument]
            values = [{**each, argument: choice} for each in values for choice in choices]
        with app.test_request_context():
            for each in values:
                try:
                    found.append(app.url_for(rule.endpoint, **each))
                except ValueError:  # a language that there is not
                    continue
    root = "/static/../../../../exercises/ch1/double/test_hidden.py"
    queries = ("/api/v1/submissions?exercise=ch1/double", "/api/v1/exercises/ch1/double?lang=en")
    return [
        *found,
        *queries,
        root,
        root.replace("static", "runtime"),
        "/nothing",
        "/en/nothing/at/all",
    ]


def test_no_answer_of_any_address_holds_what_is_hidden(secret_site):
    one, other = Visitor(secret_site), Visitor(secret_site)
    own: dict[str, list[str]] = {"one": [], "other": []}
    heard = []
    for visitor, name in ((one, "one"), (other, "other")):
        for exercise in ("ch1/double", "ch1/broken", "ch1/unloadable", "ch1/again"):
            for source in PROGRAMS.values():
                both = source in (SOLUTION, NO_REFUSAL)
                if not both and (name, exercise) != ("one", "ch1/double"):
                    continue
                body = {"exercise": exercise, "source": f"{source}\n# {name}\n"}
                response = visitor.post("/api/v1/submissions", body)
                heard.append((f"POST {body}", response.text))
                if response.status_code == 202:
                    own[name].append(response.json["id"])
                    stream = visitor.get(response.json["events"]).text
                    assert '"verdict":' in stream
                    heard.append((f"events of {body}", stream))
        visitor.post("/api/v1/exercises/ch1/double/hints")
    # `one` has seen every kind of verdict; `again` was refused to neither, for both solved `double`.
    for visitor, mine, foreign in ((one, "one", "other"), (other, "other", "one")):
        for address in addresses(secret_site, own[mine], own[foreign]):
            heard.append((address, visitor.get(address).get_data(as_text=True)))
            heard.append((f"POST {address}", visitor.post(address, {}).get_data(as_text=True)))
    assert len(heard) > 200
    outcomes = {
        row["outcome"] for row in one.get("/api/v1/submissions?limit=100").json["submissions"]
    }
    assert outcomes == {"passed", "wrong", "error", "crashed", "internal"}
    # `double` is solved, so its solution may be shown to who asks, and `again` may be opened: what
    # they hold is then no secret any more. Everything else is.
    opened = ("double/solution", "/ch1/double", "/ch1/again")
    for where, text in heard:
        markers = MARKERS[:2] if where.rstrip("/").endswith(opened) else MARKERS
        assert not [marker for marker in markers if marker in text], (where, text[:2000])


def test_what_is_not_solved_is_not_shown(secret_site):
    newcomer = Visitor(secret_site)
    for address in addresses(secret_site, [], []):
        for text in (newcomer.get(address).text, newcomer.post(address, {}).text):
            assert not [marker for marker in MARKERS if marker in text], address
    # The markers would be found: this is what asking shows.
    shown = newcomer.post("/api/v1/exercises/ch1/double/solution", {"asked": True}).text
    assert UNSOLVED in shown
    assert UNSOLVED_SUPPORT in newcomer.get("/api/v1/exercises/ch1/again").text


def test_a_broken_test_is_told_in_plain_words(secret_site):
    visitor = Visitor(secret_site)
    for exercise in ("ch1/broken", "ch1/unloadable"):
        verdict = visitor.verdict(visitor.submit(SOLUTION + "\n# plain\n", exercise))
        assert verdict["verdict"] == "internal" and verdict["blame"] == "author"
        assert "broken" in verdict["message"] and "Traceback" not in str(verdict)
        assert "NameError" not in str(verdict) and "/" not in verdict["message"]
