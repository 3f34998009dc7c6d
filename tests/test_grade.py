"""`Judge.grade` through its public door, on the small course of tests/course."""

from __future__ import annotations

import asyncio
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge.catalog import load_catalog
from judge.grade import Judge, grade
from judge.grade.check import cases_of, check
from judge.verdict import Blame, Outcome, Status, Visibility, from_json, to_json

HERE = Path(__file__).parent
ROOT = HERE.parent


@pytest.fixture(scope="module")
def course():
    return load_catalog(HERE / "course")


@pytest.fixture(scope="module")
def judge():
    with Judge() as judge:
        yield judge


@pytest.fixture
def own_course(tmp_path):
    """A copy of the course that a test may change."""
    shutil.copytree(HERE / "course", tmp_path / "course")
    return tmp_path / "course"


def test_a_right_solution_passes(judge, course):
    exercise = course.exercise("ch1/double")
    verdict = judge.grade(exercise, exercise.solution, seed=7)
    assert (verdict.verdict, verdict.status, verdict.blame) == ("passed", "pass", None)
    assert [t.name for t in verdict.tests] == [
        "test_number",
        "test_tensor",
        "test_secret_number",
        "test_refuses_none",
        "test_cases[0]",
        "test_cases[-1]",
        "test_cases[0.5]",
        "test_cases[ab]",
        "test_point",
    ]
    assert verdict.seed == 7 and verdict.suite == "all" and verdict.version == 3
    assert verdict.isolation and verdict.source_digest and verdict.tests_digest
    assert from_json(to_json(verdict)) == verdict


def test_each_suite_runs_its_own_tests(judge, course):
    exercise = course.exercise("ch1/double")
    for suite, count in (("example", 2), ("hidden", 7), ("all", 9)):
        verdict = judge.grade(exercise, exercise.solution, suite)
        assert len(verdict.tests) == count
        assert verdict.verdict is Outcome.PASSED
    with pytest.raises(ValueError, match="no suite"):
        judge.grade(exercise, exercise.solution, "some")


def test_zmq_exercises_talk_over_real_sockets(judge, course):
    exercise = course.exercise("ch1/relay")
    verdict = judge.grade(exercise, exercise.solution)
    assert verdict.verdict is Outcome.PASSED, verdict.message
    assert judge.grade(exercise, exercise.wrong[0].source).explanations[0].wrong == "no_count"


def test_what_a_started_probe_raises_ends_the_wait_at_a_queue(judge, course):
    verdict = judge.grade(course.exercise("ch1/relay"), course.exercise("ch1/relay").stub)
    assert {t.outcome for t in verdict.tests} == {Outcome.ERROR}
    assert all("NotImplementedError" in t.message for t in verdict.tests)
    assert verdict.duration_ms < 2000


def test_a_wait_at_a_queue_that_ends_at_the_limit_is_a_timeout_with_the_learners_line(
    judge, course
):
    source = """\
import threading


def relay(source, target, count):
    threading.Event().wait()


def publish(address, message):
    threading.Event().wait()
"""
    verdict = judge.grade(course.exercise("ch1/relay"), source, "example")
    assert verdict.verdict is Outcome.TIMEOUT
    assert verdict.tests[0].line.text == "threading.Event().wait()"
    assert "line 5" in verdict.tests[0].message


def test_an_example_failure_shows_what_was_expected_and_what_came(judge, course):
    source = course.exercise("ch1/double").solution.replace("return value * 2", "return value")
    verdict = judge.grade(course.exercise("ch1/double"), source)
    first = verdict.tests[0]
    assert (first.expected, first.actual) == ("8", "4")
    assert first.visibility is Visibility.EXAMPLE and "def test_number" in first.test_code
    assert verdict.verdict is Outcome.WRONG and verdict.status is Status.FAIL


def test_a_hidden_failure_tells_neither_code_nor_expected_values_nor_output(judge, course):
    source = "def double(value):\n    print('seen:', value)\n    return 0\n"
    verdict = judge.grade(course.exercise("ch1/double"), source)
    for test in verdict.tests:
        if test.visibility is Visibility.HIDDEN:
            assert (test.expected, test.actual, test.diff, test.test_code) == (None,) * 4
            assert test.output == ""
            assert test.outcome is Outcome.PASSED or (test.message and test.message_zh)
    assert b"246913578" not in to_json(verdict)


def test_a_known_mistake_gets_its_explanation_and_others_none(judge, course):
    exercise = course.exercise("ch1/double")
    verdict = judge.grade(exercise, exercise.wrong[0].source)
    assert [(e.wrong, bool(e.en), bool(e.zh)) for e in verdict.explanations] == [
        ("no_refusal", True, True)
    ]
    assert judge.grade(exercise, exercise.stub).explanations == []


def test_two_mistakes_at_once_get_both_explanations(judge, own_course):
    folder = own_course / "exercises/ch1/double"
    halves = "    if isinstance(value, float):\n        return value\n    return value * 2"
    source = (folder.parents[2] / "reference/solutions/ch1/double.py").read_text()
    floats = source.replace("    return value * 2", halves)
    head = '# /// wrong\n# fails = ["test_cases"]\n# en = "Floats."\n# zh = "浮点数。"\n# ///\n'
    (folder / "wrong/floats.py").write_text(head + floats)
    exercise = load_catalog(own_course).exercise("ch1/double")
    both = floats.replace('raise TypeError("None has no double")', "return None")
    verdict = judge.grade(exercise, both)
    assert {e.wrong for e in verdict.explanations} == {"floats", "no_refusal"}


def test_results_before_and_after_a_hanging_test_stay(judge, course):
    source = course.exercise("ch1/double").solution.replace(
        "    if value is None",
        "    while isinstance(value, float):\n        pass\n    if value is None",
    )
    seen = []
    verdict = judge.grade(course.exercise("ch1/double"), source, on_result=seen.append)
    assert [t.name for t in verdict.tests if t.outcome is Outcome.TIMEOUT] == ["test_cases[0.5]"]
    assert sum(t.outcome is Outcome.PASSED for t in verdict.tests) == 8
    assert [t.name for t in seen] == [t.name for t in verdict.tests]
    assert verdict.verdict is Outcome.TIMEOUT and "Several kinds" in verdict.message


def test_the_whole_submissions_time_is_limited_and_unrun_tests_are_named(judge, course):
    verdict = judge.grade(
        course.exercise("ch1/double"), "import time\n\n\ndef double(value):\n    time.sleep(60)\n"
    )
    assert verdict.duration_ms < 6000
    assert len(verdict.tests) == 9
    assert "did not run" in verdict.tests[-1].message


def test_the_seed_decides_the_random_inputs(judge, own_course):
    test = own_course / "exercises/ch1/double/test_examples.py"
    test.write_text(
        test.read_text().replace(
            "assert_same(learner.double(4), 8)", "assert_same(learner.double(rng.random()), 8)"
        ).replace("def test_number(learner)", "def test_number(learner, rng)")
    )  # fmt: skip
    exercise = load_catalog(own_course).exercise("ch1/double")

    def drawn(seed):
        return judge.grade(exercise, exercise.solution, "example", seed=seed).tests[0].actual

    assert drawn(1) == drawn(1) != drawn(2)
    verdicts = [judge.grade(exercise, exercise.solution, "example") for _ in range(2)]
    assert verdicts[0].seed != verdicts[1].seed


def test_nothing_of_one_grading_reaches_the_next(judge, course):
    exercise = course.exercise("ch1/double")
    source = (
        exercise.solution
        + "\n\nimport torch, sys\nsys.modules['marker'] = torch\ntorch.marker = 1\n"
    )
    assert judge.grade(exercise, source).verdict is Outcome.PASSED
    probe = "import sys, torch\n\n\ndef double(value):\n    return ['marker' in sys.modules, hasattr(torch, 'marker')]\n"
    assert judge.grade(exercise, probe).tests[0].actual == "[False, False]"


def test_the_reference_tree_and_the_tests_are_out_of_the_learners_reach(judge, course):
    source = """\
import importlib.util
import os
import sys


def double(value):
    import minisgl
    found = sorted(n for n in sys.modules if "judge.exam" in n or "judge.cat" in n or "pytest" in n)
    return [found, importlib.util.find_spec("minisgl.relay"), getattr(minisgl, "__path__", None)]
"""
    verdict = judge.grade(course.exercise("ch1/double"), source)
    assert "judge.examiner" not in verdict.tests[0].actual
    assert "None" in verdict.tests[0].actual


def test_gradings_run_side_by_side(judge, course):
    exercise = course.exercise("ch1/double")
    sources = [exercise.solution, exercise.stub, exercise.wrong[0].source, "x ="] * 3
    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(lambda source: judge.grade(exercise, source), sources))
    assert [v.verdict for v in verdicts] == ["passed", "error", "wrong", "error"] * 3


def test_a_changed_test_counts_at_once(judge, own_course):
    exercise = load_catalog(own_course).exercise("ch1/double")
    assert judge.grade(exercise, exercise.solution).verdict is Outcome.PASSED
    file = own_course / "exercises/ch1/double/test_hidden.py"
    file.write_text(file.read_text().replace("246913578", "5"))
    verdict = judge.grade(exercise, exercise.solution)
    assert verdict.failed_functions == {"test_secret_number"}


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("import pytest\n", "import pytest\nimport no_such_module\n", "no_such_module"),
        ("import pytest\n", "import pytest\nraise ValueError('broken')\n", "broken"),
        ("learner.double(123456789)", "no_such_name", r"test_hidden.py:\d+: .*no_such_name"),
        ("246913578)", "246913578, en='only English')", "both languages"),
        ("assert_same(learner.double(123456789), 246913578)", "pytest.skip('later')", "skipped"),
        (
            "def test_secret_number(learner)",
            "def test_secret_number(lerner)",
            "'lerner'; there are learner",
        ),
        ("assert_same(learner.double(123456789), 246913578)", "raise SystemExit", "SystemExit"),
    ],
    ids=["import", "raise", "name", "language", "skip", "fixture", "exit"],
)
def test_broken_tests_are_the_authors_not_the_learners(judge, own_course, old, new, word):
    file = own_course / "exercises/ch1/double/test_hidden.py"
    file.write_text(file.read_text().replace(old, new))
    exercise = load_catalog(own_course).exercise("ch1/double")
    verdict = judge.grade(exercise, exercise.solution)
    assert (verdict.verdict, verdict.status) == (Outcome.INTERNAL, Status.ERROR)
    assert verdict.blame is Blame.AUTHOR
    assert re.search(word, verdict.message), verdict.message


def test_a_test_that_never_ends_is_the_authors_and_is_ended(judge, own_course):
    file = own_course / "exercises/ch1/double/test_hidden.py"
    file.write_text(
        file.read_text().replace("learner.double(123456789)", "[0 for _ in iter(int, 1)]")
    )
    exercise = load_catalog(own_course).exercise("ch1/double")
    verdict = judge.grade(exercise, exercise.solution)
    assert (verdict.verdict, verdict.blame) == (Outcome.INTERNAL, Blame.AUTHOR)
    assert "test_secret_number" in verdict.message
    assert [t.outcome for t in verdict.tests] == [Outcome.PASSED] * 2
    assert judge.grade(exercise, exercise.solution, "example").verdict is Outcome.PASSED


def test_a_weakened_hidden_test_is_noticed_by_check(judge, own_course):
    catalog = load_catalog(own_course)
    assert all(not row.problems for row in check(judge, catalog.select()))
    file = own_course / "exercises/ch1/double/test_hidden.py"
    file.write_text(
        file.read_text().replace('with learner.raises(TypeError, match="None"):', "if True:")
    )
    rows = check(judge, load_catalog(own_course).select("ch1/double"))
    assert [(row.case.kind, row.case.name) for row in rows if row.problems] == [
        ("reference", "double"),
        ("wrong", "no_refusal"),
    ]


def test_check_tells_rows_in_the_catalogues_order_and_every_case_that_is_done(judge, course):
    exercises, told, done = course.select(), [], []
    rows = check(judge, exercises, on_row=told.append, on_done=lambda: done.append(None))
    assert [row.case for row in rows] == [case for each in exercises for case in cases_of(each)]
    assert told == rows and len(done) == len(rows)
    assert len({row.case.exercise.id for row in rows}) > 1


def test_check_ends_with_what_its_judge_raises(course):
    class Stopped(Exception):
        pass

    class StoppedJudge:
        def grade(self, *_: object, **__: object) -> None:
            raise Stopped

    with pytest.raises(Stopped):
        check(StoppedJudge(), course.select())


def test_a_test_that_refuses_another_right_solution_is_noticed_by_check(judge, own_course):
    right = own_course / "exercises/ch1/double/right"
    right.mkdir()
    exercise = load_catalog(own_course).exercise("ch1/double")
    (right / "the_same.py").write_text(exercise.solution)
    (right / "another.py").write_text(exercise.stub)
    rows = check(judge, load_catalog(own_course).select("ch1/double"))
    assert [(r.case.kind, r.case.name) for r in rows if r.problems] == [("right", "another")]
    assert ("right", "the_same") in [(r.case.kind, r.case.name) for r in rows]


def test_a_test_that_is_a_coroutine_passes_and_fails(judge, course):
    exercise = course.exercise("ch1/double")
    names = {}
    exec((exercise.folder / "test_examples.py").read_text(), names)
    assert asyncio.iscoroutinefunction(names["test_tensor"])
    for source, outcome in ((exercise.solution, "passed"), ("def double(value): return 0", "wrong")):
        results = judge.grade(exercise, source, "example").tests
        assert [t.outcome for t in results if t.name == "test_tensor"] == [outcome]


TELLS = """
import linecache, sys

def double(value):
    seen = "".join(linecache.getlines("test_hidden.py")) + repr(value)
    linecache.cache["submission.py"] = (1, None, [f"told {seen}"] * 99, "submission.py")
    raise type(f"Told{seen}", (LookupError,), {})(f"told {seen}")
"""


def test_what_a_hidden_test_hands_over_does_not_come_back_in_words(judge, course):
    exercise = course.exercise("ch1/double")
    verdict = judge.grade(exercise, TELLS)
    hidden = [test for test in verdict.tests if test.visibility == "hidden"]
    shown = [test for test in verdict.tests if test.visibility == "example"]
    assert hidden and any("Told" in (test.message or "") for test in shown)
    for test in hidden:
        assert (
            "old" not in f"{test.message}{test.message_zh}{test.expected}{test.actual}{test.diff}"
        )
        assert test.line is None or test.line.text in TELLS
    assert any("LookupError" in (test.message or "") for test in hidden)


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        ("zmq.Again()", "Again"),
        ("msgpack.exceptions.ExtraData(1, b'')", "ExtraData"),
        ("asyncio.QueueEmpty()", "QueueEmpty"),
        ("type('Own', (zmq.ContextTerminated,), {})()", "ContextTerminated"),
        ("type('Own', (Exception,), {})()", "Exception"),
    ],
)
def test_a_hidden_test_names_exceptions_of_the_libraries(judge, course, raised, told):
    source = f"import asyncio, msgpack, zmq\n\ndef double(value):\n    raise {raised}\n"
    verdict = judge.grade(course.exercise("ch1/double"), source)
    (secret,) = (test for test in verdict.tests if test.name == "test_secret_number")
    assert secret.message == f"Your code raised {told}."


def test_a_killed_sandbox_is_internal_and_the_next_grading_works(course):
    exercise = course.exercise("ch1/double")
    with Judge() as own:
        assert own.grade(exercise, exercise.solution).verdict is Outcome.PASSED
        for part in (own._sandbox._process, own._examiners._process):
            kill_tree(part.pid)
            part.wait(10)
        verdicts = [own.grade(exercise, exercise.solution) for _ in range(3)]
        assert verdicts[-1].verdict is Outcome.PASSED
        for verdict in verdicts[:-1]:
            assert verdict.verdict in (Outcome.PASSED, Outcome.INTERNAL)
            assert verdict.blame in (None, Blame.JUDGE)


def kill_tree(pid: int) -> None:
    for child in children_of(pid):
        kill_tree(child)
    os.kill(pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def left_behind(pid: int | None = None) -> set[Path]:
    """Folders and control groups that a process's judges have made and not removed."""
    pid = pid or os.getpid()
    groups = Path("/sys/fs/cgroup").glob(f"**/practice-judge-{pid}-*")
    return {*Path("/tmp").glob(f"mj-{pid}-*"), *groups}


def test_one_call_grades_and_leaves_nothing_behind(course):
    exercise = course.exercise("ch1/double")
    before = left_behind(), set(children_of(os.getpid()))
    assert grade(exercise, exercise.solution, "example").verdict is Outcome.PASSED
    assert left_behind() <= before[0]
    assert set(children_of(os.getpid())) <= before[1]


def test_when_the_judges_process_is_killed_its_children_end(course, tmp_path):
    script = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from judge.catalog import load_catalog
        from judge.grade import Judge
        judge = Judge()
        exercise = load_catalog(Path(sys.argv[1])).exercise("ch1/double")
        print(judge.grade(exercise, exercise.solution, "example").verdict, flush=True)
        judge.grade(exercise, "while True: pass")
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(HERE / "course")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "passed\n"
    below = descendants(process.pid)
    assert below and left_behind(process.pid)
    process.kill()
    process.wait(10)
    process.stdout.close()
    for pid in below:
        wait_until_gone(pid)
    assert not left_behind(process.pid)


def descendants(pid: int) -> list[int]:
    found = []
    for child in children_of(pid):
        found += [child, *descendants(child)]
    return found


def wait_until_gone(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([descriptor], [], [], 10)[0], f"process {pid} is still there"
    finally:
        os.close(descriptor)
