"""The page's examiner gives the real judge's verdict on the example tests, on real and stand-in libraries."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.catalog import Catalog, load_catalog
from judge.grade import Judge
from judge.grade.bundle import gives_away, make_bundle
from judge.grade.check import Case, cases_of, check
from judge.verdict import Verdict
from web.browser.build import ensure_runtime
from web.browser.node import NodeMissing
from web.browser.node.page_runner import NodePage

HERE = Path(__file__).parent
ROOT = HERE.parent
BROWSER = ROOT / "web" / "browser"
STANDINS = [BROWSER / "torch_standin" / "src", BROWSER / "zmq_backend"]
SIDES = ("real", "standins")
SEED = 1
LIMIT = 200.0  # seconds for one process; each takes a tenth of it on a quiet machine
SUBMISSIONS = (
    "good", "syntax_error", "syntax_error_tabs", "function_missing", "function_renamed",
    "function_not_callable", "raises_at_import", "set_reply", "skips", "huge_reply", "recursion",
    "raises_unprintable", "imports_unknown_module", "exits_at_import", "exits_in_call",
)  # fmt: skip


class Side:
    """One process that grades as a page does."""

    def __init__(self, kind: str, packed: Path) -> None:
        path, variables = [ROOT], {**os.environ, "CI": "true"}
        if kind == "standins":
            # Only the modules that the page gets: whatever else they import is missing here.
            path, variables["PYZMQ_BACKEND"] = [packed, *STANDINS], "minisgl_page_zmq"
        variables["PYTHONPATH"] = os.pathsep.join(map(str, path))
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(HERE / "page_side.py"), kind],
            env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=packed,
        )  # fmt: skip
        self._watch = threading.Timer(LIMIT, self.process.kill)
        self._watch.start()

    def ask(self, **request: Any) -> dict[str, Any]:
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the process ended, or did not answer in time"
        return json.loads(line)

    def grade(self, bundle: dict[str, Any], source: str, **more: Any) -> dict[str, Any]:
        return self.ask(bundle=bundle, source=source, seed=SEED, **more)

    def close(self) -> None:
        self._watch.cancel()
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The judge's modules of the page, and nothing else of the checkout."""
    target = tmp_path_factory.mktemp("packed")
    listed = tomllib.loads((BROWSER / "examiner" / "modules.toml").read_text())["modules"]
    for module in listed:
        parts = module.split(".")
        sources = [ROOT.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts))]
        path = ROOT.joinpath(*parts)
        sources += sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        for source in sources:
            copy = target / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    return target


@pytest.fixture(scope="module", params=SIDES)
def side(request: pytest.FixtureRequest, packed: Path) -> Iterator[Side]:
    with contextlib.closing(Side(request.param, packed)) as opened:
        yield opened


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(ROOT)


@pytest.fixture(scope="module")
def course() -> Catalog:
    return load_catalog(HERE / "course")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as warm:
        yield warm


@pytest.fixture(scope="module")
def double(course: Catalog) -> dict[str, Any]:
    return make_bundle(course.exercise("ch1/double"))


# --- the same verdict -----------------------------------------------------------------------------


def essence(verdict: dict[str, Any]) -> dict[str, Any]:
    """What two places must agree on: all but times, addresses in texts, and where it was graded."""
    told = {
        name: verdict[name]
        for name in ("exercise", "suite", "status", "verdict", "blame", "seed", "line", "truncated")
    }
    told |= {name: verdict[name] for name in ("tests_digest", "source_digest", "version")}
    told["explanations"] = [each["wrong"] for each in verdict["explanations"]]
    told["tests"] = [
        {
            name: test[name]
            for name in ("name", "outcome", "status", "title", "visibility", "test_code")
        }
        for test in verdict["tests"]
    ]
    return told


def plain(verdict: Verdict) -> dict[str, Any]:
    return json.loads(json.dumps(msgspec.to_builtins(verdict)))


def test_solutions_of_the_course_have_the_judges_verdict(
    catalog: Catalog, judge: Judge, packed: Path
) -> None:
    # A third of the wrong ones: `judge.py check` takes them all to the page itself.
    every = [case for exercise in catalog.select() for case in cases_of(exercise)]
    cases = [case for n, case in enumerate(every) if case.kind != "wrong" or n % 3 == 0]
    bundles = {exercise.id: make_bundle(exercise) for exercise in catalog.select()}

    def by_judge(case: Case) -> dict[str, Any]:
        return essence(plain(judge.grade(case.exercise, case.source, "example", seed=SEED)))

    def by_page(kind: str, mine: list[Case]) -> list[dict[str, Any]]:
        with contextlib.closing(Side(kind, packed)) as opened:
            return [
                essence(opened.grade(bundles[c.exercise.id], c.source)["verdict"]) for c in mine
            ]

    # Wrong solutions that wait leave time for others: two processes for each kind.
    shares = [cases[::2], cases[1::2]]
    with ThreadPoolExecutor(6) as pool:
        asked = {(k, i): pool.submit(by_page, k, shares[i]) for k in SIDES for i in (0, 1)}
        wanted = list(pool.map(by_judge, cases))
        verdicts = {
            kind: [
                verdict
                for pair in itertools.zip_longest(*(asked[kind, i].result() for i in (0, 1)))
                for verdict in pair
                if verdict is not None
            ]
            for kind in SIDES
        }
    for kind in SIDES:
        for case, verdict, want in zip(cases, verdicts[kind], wanted, strict=True):
            if verdict != want:  # a busy machine may make one of them late, but not twice
                (verdict,), want = by_page(kind, [case]), by_judge(case)
            assert verdict == want, f"{case.exercise.id} {case.name} with {kind}"


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_has_the_judges_words(
    name: str, side: Side, judge: Judge, course: Catalog, double: dict[str, Any]
) -> None:
    source = (HERE / "submissions" / f"{name}.py").read_text()
    want = plain(judge.grade(course.exercise("ch1/double"), source, "example", seed=SEED))
    got = side.grade(double, source)
    assert essence(got["verdict"]) == essence(want)
    for words in ("message", "message_zh", "verdict"):
        assert got["verdict"][words] == want[words]
    for mine, theirs in zip(got["verdict"]["tests"], want["tests"], strict=True):
        for words in ("message", "message_zh", "expected", "actual", "diff", "line", "output"):
            assert mine[words] == theirs[words], (mine["name"], words)
    assert got["results"] == got["verdict"]["tests"] and got["left"] == {}
    assert (got["verdict"]["backend"], got["verdict"]["isolation"]) == ("page", "page")


def test_the_wire_writes_the_same_frames_on_the_stand_in(packed: Path) -> None:
    frames = []
    for kind in SIDES:
        with contextlib.closing(Side(kind, packed)) as opened:
            frames.append(opened.ask(wire=True)["frames"])
    assert len(frames[0]) > 100
    for name, real in frames[0].items():
        assert frames[1][name] == real, name


# --- what ends a run early ------------------------------------------------------------------------

LOOPS_ON_THREE = """
def double(x):
    while x == 3:
        pass
    return 2 * x
"""


def with_tests(bundle: dict[str, Any], text: str, *names: str) -> dict[str, Any]:
    """The bundle with other tests."""
    title = {"en": "A test", "zh": "一个测试"}
    tests = [{"name": name, "title": title, "source": ""} for name in names]
    return {**bundle, "test_files": {"test_examples.py": text}, "tests": tests, "patterns": []}


THREE_TESTS = """
def test_one(learner):
    assert learner.double(1) == 2

def test_three(learner):
    assert learner.double(3) == 6

def test_four(learner):
    assert learner.double(4) == 8
"""


def three_tests(bundle: dict[str, Any], **limits: float) -> dict[str, Any]:
    made = with_tests(bundle, THREE_TESTS, "test_one", "test_three", "test_four")
    return {**made, "limits": {**bundle["limits"], **limits}}


def test_stop_keeps_the_results_so_far(side: Side, double: dict[str, Any]) -> None:
    got = side.grade(three_tests(double), LOOPS_ON_THREE, stop_after=1)
    verdict = got["verdict"]
    outcomes = [(test["name"], test["outcome"]) for test in verdict["tests"]]
    assert outcomes == [("test_one", "passed"), ("test_three", "timeout")]
    assert verdict["verdict"] == "timeout" and verdict["blame"] == "learner"
    assert "stopped" in verdict["message"] and "停止" in verdict["message_zh"]
    assert verdict["tests"][1]["line"] == {"number": 3, "text": "while x == 3:"} or verdict[
        "tests"
    ][1]["line"] == {"number": 4, "text": "pass"}
    assert got["left"] == {}


def test_stop_between_two_tests_is_no_pass(side: Side, double: dict[str, Any]) -> None:
    source = "def double(x):\n    return 2 * x\n"
    got = side.grade(three_tests(double), source, stop_between=2)
    verdict = got["verdict"]
    assert [test["outcome"] for test in verdict["tests"]] == ["passed", "passed"]
    assert (verdict["verdict"], verdict["status"]) == ("timeout", "fail")
    assert "stopped" in verdict["message"] and got["left"] == {}


def test_a_test_that_does_not_end_is_a_timeout_and_the_next_one_runs(
    side: Side, double: dict[str, Any]
) -> None:
    verdict = side.grade(three_tests(double, test_seconds=0.3), LOOPS_ON_THREE)["verdict"]
    outcomes = [test["outcome"] for test in verdict["tests"]]
    assert outcomes == ["passed", "timeout", "passed"]
    assert verdict["tests"][1]["line"]["number"] in (3, 4)


def test_no_test_runs_after_the_time_of_the_submission(side: Side, double: dict[str, Any]) -> None:
    bundle = three_tests(double, submission_seconds=0.3)
    verdict = side.grade(bundle, LOOPS_ON_THREE)["verdict"]
    assert [test["outcome"] for test in verdict["tests"]] == ["passed", "timeout", "timeout"]
    assert "did not run" in verdict["tests"][2]["message"]


DEADLOCK = """
class Deadlock(RuntimeError):
    en, zh = "main waits in line 5", "main 停在第 5 行"

def double(x):
    if x == 3:
        raise Deadlock("main waits in line 5")
    return 2 * x
"""


def test_a_deadlock_is_a_timeout_that_says_who_waits(side: Side, double: dict[str, Any]) -> None:
    verdict = side.grade(three_tests(double), DEADLOCK)["verdict"]
    test = verdict["tests"][1]
    assert [test["outcome"] for test in verdict["tests"]] == ["passed", "timeout", "passed"]
    assert test["message"].endswith("main waits in line 5")
    assert test["message_zh"].endswith("main 停在第 5 行")
    assert test["line"]["number"] == 7


# --- one run after the other ----------------------------------------------------------------------


def test_the_next_run_takes_other_tests_and_another_submission(
    side: Side, double: dict[str, Any]
) -> None:
    source = "COUNT = []\ndef double(x):\n    COUNT.append(x)\n    return len(COUNT)"
    text = "def test_a(learner):\n    assert learner.double(1) == {}\n"
    for expected, outcome in ((1, "passed"), (2, "wrong"), (1, "passed")):
        bundle = with_tests(double, text.format(expected), "test_a")
        got = side.grade(bundle, source)
        assert [test["outcome"] for test in got["verdict"]["tests"]] == [outcome]
        assert got["left"] == {}


def test_output_is_kept_per_test_and_bounded(side: Side, double: dict[str, Any]) -> None:
    source = (
        "import sys\n"
        "def double(x):\n"
        "    print('out', x)\n"
        "    print('err', x, file=sys.stderr)\n"
        "    if x == 3:\n"
        "        print('y' * 100_000)\n"
        "    if x == 4:\n"
        "        sys.stdout.close()\n"
        "    return 2 * x\n"
    )
    verdict = side.grade(three_tests(double), source)["verdict"]
    first, second, third = (test["output"] for test in verdict["tests"])
    assert first == "out 1\nerr 1\n" and third == "out 4\nerr 4\n"
    assert 16_000 < len(second) < 17_000 and second.endswith("(cut)")
    assert verdict["truncated"] and verdict["verdict"] == "passed"


def test_roles_have_each_their_own_place(side: Side, double: dict[str, Any]) -> None:
    text = """
def put(here, value):
    here.value = value

def get(here):
    return getattr(here, "value", None)

def test_roles(sender, receiver):
    sender.run(put, 1)
    receiver.run(put, 2)
    assert (sender.run(get), receiver.run(get)) == (1, 2)

def test_nothing_is_left(sender):
    assert sender.run(get) is None
"""
    bundle = with_tests(double, text, "test_roles", "test_nothing_is_left")
    verdict = side.grade(bundle, "def double(x):\n    return 2 * x\n")["verdict"]
    assert verdict["verdict"] == "passed", verdict


def test_tests_that_cannot_be_collected_are_the_authors(side: Side, double: dict[str, Any]) -> None:
    bundle = with_tests(double, "import no_such_thing\n", "test_a")
    verdict = side.grade(bundle, "def double(x):\n    return 2 * x\n")["verdict"]
    assert (verdict["verdict"], verdict["blame"]) == ("internal", "author")
    assert "no_such_thing" in verdict["message"]


# --- bundles --------------------------------------------------------------------------------------


def test_a_bundle_holds_nothing_of_the_hidden_tests_or_the_solution(tmp_path: Path) -> None:
    shutil.copytree(HERE / "course", tmp_path / "course")
    solution = tmp_path / "course/reference/solutions/ch1/double.py"
    hidden = tmp_path / "course/exercises/ch1/double/test_hidden.py"
    for path, mark in ((solution, "MARK-SOLUTION"), (hidden, "MARK-HIDDEN")):
        path.write_text(path.read_text() + f"\n# {mark}\n")
    exercise = load_catalog(tmp_path / "course").exercise("ch1/double")
    text = json.dumps(make_bundle(exercise), ensure_ascii=False)
    assert "MARK" not in text
    words = set(re.findall(r"\w+", text))
    for test in exercise.tests:
        assert (test.name in words) == (test.file == "test_examples.py")


def test_bundles_of_the_course_name_no_hidden_test_and_no_other_solution(catalog: Catalog) -> None:
    taught = {exercise.module for exercise in catalog.select()}
    for exercise in catalog.select():
        bundle = make_bundle(exercise)
        text = json.dumps(bundle, ensure_ascii=False)
        words = set(re.findall(r"\w+", text))
        hidden = {test.name for test in exercise.tests if test.file != "test_examples.py"}
        assert hidden and hidden.isdisjoint(words)
        assert set(bundle["support"]).isdisjoint(taught - set(exercise.uses))
        assert json.loads(text) == bundle


def test_patterns_explain_only_what_is_unambiguous(catalog: Catalog) -> None:
    for exercise in catalog.select():
        for pattern in make_bundle(exercise)["patterns"]:
            examples = {t.name for t in exercise.tests if t.file == "test_examples.py"}
            alike = [w for w in exercise.wrong if w.fails & examples == set(pattern["fails"])]
            assert pattern["fails"] and (pattern["explanation"] is None) == (len(alike) > 1)


def test_gives_away_names_the_exercises_whose_module_it_uses(course: Catalog) -> None:
    relay, double = course.exercise("ch1/relay"), course.exercise("ch1/double")
    assert gives_away(relay, course) == []
    nosy = msgspec.structs.replace(relay, support_modules=(*relay.support_modules, double.module))
    assert gives_away(nosy, course) == ["ch1/double"]


# --- the page's own runtime, under Node -----------------------------------------------------------


@pytest.fixture(scope="module")
def node() -> Iterator[NodePage]:
    try:
        page = NodePage(ensure_runtime())
    except NodeMissing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no Node here: {missing}")
    with page:
        yield page


def test_check_compares_with_the_page(judge: Judge, course: Catalog, node: NodePage) -> None:
    rows = check(judge, course.select(), page=node)
    assert len(rows) == 6 and [row.problems for row in rows] == [()] * 6


def test_check_tells_where_the_page_differs(judge: Judge, course: Catalog, node: NodePage) -> None:
    class OddPage:
        def grade(self, bundle: dict[str, Any], source: str, seed: int) -> dict[str, Any]:
            verdict = node.grade(bundle, source, seed)
            verdict["tests"][0] |= {"outcome": "crashed", "message": "so it says"}
            verdict["tests"].pop()
            return verdict

    reference, *_ = check(judge, [course.exercise("ch1/double")], page=OddPage())
    first, *_, last = (t.name for t in reference.case.exercise.tests if "example" in t.file)
    assert any(f"{first}: crashed (so it says)" in problem for problem in reference.problems)
    assert any(last in problem and "no result" in problem for problem in reference.problems)


def test_what_never_ends_is_a_timeout_there(node: NodePage, double: dict[str, Any]) -> None:
    bundle = three_tests(double, test_seconds=1.0)
    for _ in range(2):  # the second finds nothing of the first
        verdict = node.grade(bundle, LOOPS_ON_THREE, SEED)
        assert [t["outcome"] for t in verdict["tests"]] == ["passed", "timeout", "passed"]
        assert verdict["tests"][1]["line"]["number"] in (3, 4)


def test_a_deadlock_names_the_line_that_waits_there(node: NodePage, double: dict[str, Any]) -> None:
    source = (
        "import threading\n"
        "def double(x):\n"
        "    if x == 3:\n"
        "        threading.Event().wait()\n"
        "    return 2 * x\n"
    )
    verdict = node.grade(three_tests(double, test_seconds=30.0), source, SEED)
    assert [t["outcome"] for t in verdict["tests"]] == ["passed", "timeout", "passed"]
    told = verdict["tests"][1]
    assert "double.py, line 4" in told["message"] and "double.py, line 4" in told["message_zh"]
    assert told["line"] == {"number": 4, "text": "threading.Event().wait()"}
