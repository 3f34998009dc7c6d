"""Starts on machines that lack something: tools/environment.py and practice/judge.py from outside.

Each test gets a small checkout of its own, with a stand-in for the command line. Nothing is
downloaded: pip and apt-get are fakes that write down how they were called, and where real pip has
to run, it installs one tiny wheel from a folder.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

COMMAND_LINE = """\
import importlib.util, json, os, sys
import judge

def main():
    torch = importlib.util.find_spec("torch")
    print(json.dumps({
        "arguments": sys.argv[1:], "prefix": sys.prefix, "optimize": sys.flags.optimize,
        "judge": judge.__file__, "torch": torch and torch.origin, "path": sys.path,
        "settings": [name for name in os.environ if name.startswith("PYTHON")],
    }))
    return 1 if "failing" in sys.argv else 0
"""

FAKE_PIP = """\
import os, pathlib, sys, time
with open(os.environ["FAKE_LOG"], "a") as log:
    print(*sys.argv[1:], sep="|", file=log)
print("Collecting course-package")
wish = os.environ.get("FAKE_PIP", "")
if wish.startswith("fail: "):
    sys.exit(wish[6:])
time.sleep(float(wish or 0))
at = sys.argv.index("-c")
pins = dict(line.split("==") for line in pathlib.Path(sys.argv[at + 1]).read_text().split())
for requirement in sys.argv[at + 2:]:
    name = requirement.split(">=")[0]
    folder = f"{name.replace('-', '_')}-{pins[name]}.dist-info"
    metadata = pathlib.Path(__file__).parent.parent / folder / "METADATA"
    metadata.parent.mkdir(exist_ok=True)
    metadata.write_text(f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {pins[name]}\\n")
"""

# Says that it is Python 3.9 and runs the script it is given.
OLD_PYTHON = """\
import runpy, sys
sys.version_info = (3, 9, 1, "final", 0)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

# Says that it is root, or is not, and asks for bubblewrap only.
AS_USER = """\
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools"))
os.geteuid = lambda: int(os.environ["FAKE_USER"])
import environment
environment.ensure(system=("bubblewrap",))
print("went on")
"""


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "练习 judge"
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        self.log = folder / "calls.log"
        for name in ("tools/environment.py", "practice/judge.py"):
            (self.root / name).parent.mkdir(parents=True)
            shutil.copy(REPOSITORY / name, self.root / name)
        shutil.copytree(
            REPOSITORY / "tools/set_up",
            self.root / "tools/set_up",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        (self.root / "judge").mkdir()
        self.write("judge/__init__.py", "")
        self.write("judge/cli.py", COMMAND_LINE)
        self.write("as_user.py", AS_USER)
        self.depend_on("course-package>=1.2", "course-package==1.5")
        self.program("bwrap", "exit 0")
        self.program("chromium", "exit 0")
        self.program("npm", "exit 0")
        self.program("node", "echo v20.1.0")

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def depend_on(self, requirement: str, constraints: str) -> None:
        self.write(
            "pyproject.toml",
            f'[project]\ndependencies = ["{requirement}"]\n'
            '[project.optional-dependencies]\ntest = ["test-package>=2"]\n'
            'page = ["page-package>=3"]\nnode = ["node-package>=20"]\n',
        )
        pins = "test-package==2.1\npage-package==3.1\nnode-package==24.1\n"
        self.write("constraints.txt", f"{constraints}\n{pins}")

    def program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def add_venv(self) -> None:
        """A .venv of which only pip is a fake."""
        venv.EnvBuilder(symlinks=True).create(self.root / ".venv")
        pip = self.site_packages / "pip"
        pip.mkdir()
        (pip / "__init__.py").touch()
        (pip / "__main__.py").write_text(FAKE_PIP)

    @property
    def site_packages(self) -> Path:
        (folder,) = (self.root / ".venv" / "lib").glob("python*/site-packages")
        return folder

    def environment(self, settings: dict[str, str]) -> dict[str, str]:
        return {"PATH": str(self.bin), "LANG": "C.UTF-8", "FAKE_LOG": str(self.log), **settings}

    def start(
        self,
        *arguments: str,
        script: Path | str = "practice/judge.py",
        python: tuple[str, ...] = (sys.executable,),
        cwd: Path | None = None,
        **settings: str,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*python, str(self.root / script), *arguments],
            cwd=cwd or self.root,
            env=self.environment(settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    def begin(self, **settings: str) -> subprocess.Popen[str]:
        """A start as from a terminal: a process group of its own, which Ctrl-C would reach."""
        return subprocess.Popen(
            [sys.executable, str(self.root / "practice/judge.py")],
            env=self.environment(settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with one package that real pip can install."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "course_package-1.5-py3-none-any.whl", "w") as wheel:
        info = "course_package-1.5.dist-info"
        wheel.writestr("course_package.py", "")
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: course-package\nVersion: 1.5\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return folder


def answer(done: subprocess.CompletedProcess[str]) -> dict:
    """What the command line said; standard output holds nothing else."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def is_venv(checkout: Checkout, prefix: str) -> bool:
    return Path(prefix).resolve() == (checkout.root / ".venv").resolve()


# --- packages -----------------------------------------------------------------------------------


def test_fresh_checkout_is_set_up_with_real_pip(checkout: Checkout, wheels: Path) -> None:
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_USER": "1"}
    done = checkout.start("ch12", **settings)
    said = answer(done)
    assert said["arguments"] == ["ch12"]
    assert is_venv(checkout, said["prefix"])
    assert "making .venv" in done.stderr and "installing course-package" in done.stderr

    assert checkout.start().stderr == ""  # no index this time, and none needed


def test_exact_pip_command_then_no_second_install(checkout: Checkout) -> None:
    checkout.add_venv()
    constraints = str(checkout.root / "constraints.txt")
    for _ in range(2):
        assert is_venv(checkout, answer(checkout.start())["prefix"])
    assert checkout.calls() == [f"install|-c|{constraints}|course-package>=1.2"]


@pytest.mark.parametrize("range_", ["", ">=8", f"=={pytest.__version__}.0", ">= 8, < 9999"])
def test_dependencies_of_the_running_python_suffice(checkout: Checkout, range_: str) -> None:
    checkout.depend_on(f"pytest{range_}", "")
    done = checkout.start()
    assert answer(done)["prefix"] == sys.prefix
    assert done.stderr == "" and not (checkout.root / ".venv").exists()


@pytest.mark.parametrize("range_", [">=9999", "<1", "==8.0.0.1", ">=1,<2"])
def test_other_versions_of_the_running_python_do_not(checkout: Checkout, range_: str) -> None:
    checkout.add_venv()
    checkout.depend_on(f"pytest{range_}", "")
    assert checkout.start(FAKE_PIP="fail: ERROR").returncode == 3
    assert checkout.calls()[0].endswith(f"pytest{range_}")


def test_unreadable_requirement_is_named(checkout: Checkout) -> None:
    checkout.depend_on("pytest~=8.0", "")
    failed = checkout.start()
    assert (failed.returncode, failed.stdout) == (3, "")
    assert 'pyproject.toml: cannot read "pytest~=8.0"' in failed.stderr


def test_changed_constraints_install_again(checkout: Checkout) -> None:
    checkout.add_venv()
    answer(checkout.start())
    checkout.depend_on("course-package>=1.2", "course-package==1.6")
    answer(checkout.start())
    assert len(checkout.calls()) == 2


def test_package_that_vanished_is_repaired(checkout: Checkout) -> None:
    checkout.add_venv()
    answer(checkout.start())
    shutil.rmtree(checkout.site_packages / "course_package-1.5.dist-info")
    answer(checkout.start())
    assert len(checkout.calls()) == 2


def test_test_group_is_added_and_then_kept(checkout: Checkout) -> None:
    checkout.add_venv()
    answer(checkout.start())
    code = "import importlib.metadata as m; print(m.version('test-package'))"
    for _ in range(2):
        done = checkout.start("--tests", "--", "-c", code, script="tools/environment.py")
        assert (done.returncode, done.stdout) == (0, "2.1\n"), done.stderr
    answer(checkout.start())
    checkout.depend_on("course-package>=1.2", "course-package==1.6")
    answer(checkout.start())  # does not ask for the tests, but they were there
    groups = [call.partition("course-package>=1.2")[2] for call in checkout.calls()]
    assert groups[0] == ""
    assert {*groups[1].split("|")} == {*groups[2].split("|")}
    assert {*groups[1].split("|")} == {"", "page-package>=3", "test-package>=2"}


@pytest.mark.parametrize(
    ("node", "brought"),
    [
        ("echo v20.1.0", False),
        ("echo v24.0.0", False),
        ("echo v18.19.1", True),
        ("echo no; exit 1", True),
        (None, True),
    ],
)
def test_node_is_brought_where_path_has_none_that_will_do(
    checkout: Checkout, node: str | None, brought: bool
) -> None:
    checkout.add_venv()
    if node is None:
        (checkout.bin / "node").unlink()
    else:
        checkout.program("node", node)
    for _ in range(2):
        done = checkout.start("--page", script="tools/environment.py")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    (call,) = checkout.calls()
    assert ("node-package>=20" in call) == brought
    assert "page-package>=3" in call and "test-package>=2" not in call


def test_node_without_npm_will_not_do(checkout: Checkout) -> None:
    checkout.add_venv()
    (checkout.bin / "npm").unlink()
    assert checkout.start("--page", script="tools/environment.py").returncode == 0
    assert "node-package>=20" in checkout.calls()[0]


def test_wrong_option_shows_the_right_ones(checkout: Checkout) -> None:
    done = checkout.start("--help", script="tools/environment.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "[--page] [--tests]" in done.stderr


@pytest.mark.parametrize(
    ("pip_says", "advised"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("connection broken by NewConnectionError; No matching distribution", "Check the network"),
        ("ERROR: No matching distribution found for course-package", "no build for this Python"),
        ("ERROR: ResolutionImpossible: for help visit …", "no build for this Python"),
        ("ERROR: something else", "delete .venv"),
    ],
)
def test_failed_install_says_why_and_is_tried_again(
    checkout: Checkout, pip_says: str, advised: str
) -> None:
    checkout.add_venv()
    failed = checkout.start(FAKE_PIP=f"fail: {pip_says}")
    assert (failed.returncode, failed.stdout) == (3, "")
    assert pip_says in failed.stderr and advised in failed.stderr
    assert "-m pip install -c " in failed.stderr and "'course-package>=1.2'" in failed.stderr
    assert "Traceback" not in failed.stderr

    answer(checkout.start())
    assert len(checkout.calls()) == 2


def test_messages_are_chinese_where_the_learner_is(checkout: Checkout) -> None:
    checkout.add_venv()
    for arguments, settings in ([], {"LANG": "zh_CN.UTF-8"}), (["--lang", "zh"], {}):
        failed = checkout.start(*arguments, FAKE_PIP="fail: ERROR", **settings)
        assert "准备失败" in failed.stderr


def test_two_starts_at_once_install_once(checkout: Checkout) -> None:
    checkout.add_venv()
    starts = [checkout.begin(FAKE_PIP="1.5") for _ in range(2)]
    said = [start.communicate(timeout=30) for start in starts]
    assert [start.returncode for start in starts] == [0, 0], said
    assert len(checkout.calls()) == 1
    assert sum("another start is at it; waiting" in stderr for _, stderr in said) == 1


def test_interrupted_install_is_one_line_and_starts_over(checkout: Checkout, wheels: Path) -> None:
    checkout.add_venv()
    start = checkout.begin(FAKE_PIP="60")
    while not checkout.calls():
        time.sleep(0.02)
    os.killpg(start.pid, signal.SIGINT)
    stdout, stderr = start.communicate(timeout=20)
    assert (start.returncode, stdout) == (130, "")
    assert stderr.splitlines()[-1] == "set-up stopped; the next start repairs it"
    assert "Traceback" not in stderr

    # The half-filled .venv is not trusted, although it would have a working pip.
    done = checkout.start(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels))
    answer(done)
    assert "did not finish" in done.stderr and len(checkout.calls()) == 1


def test_pip_that_outlives_its_start_keeps_the_lock(checkout: Checkout) -> None:
    checkout.add_venv()
    killed = checkout.begin(FAKE_PIP="60")
    while not checkout.calls():
        time.sleep(0.02)
    killed.kill()
    killed.wait()
    second = checkout.begin()
    try:
        assert second.stderr.readline() == "set-up: another start is at it; waiting\n"
    finally:
        os.killpg(killed.pid, signal.SIGKILL)  # pip is still in its group
        os.killpg(second.pid, signal.SIGKILL)
        for start in killed, second:
            start.communicate()
    assert len(checkout.calls()) == 1


def test_circles_end(checkout: Checkout) -> None:
    checkout.add_venv()
    answer(checkout.start())
    python = checkout.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(sys.executable)  # some other Python, which has not what .venv has
    (checkout.root / ".venv" / "pyvenv.cfg").unlink()
    failed = checkout.start()
    assert (failed.returncode, failed.stdout) == (3, "")
    assert "goes in circles" in failed.stderr


# --- which Python -------------------------------------------------------------------------------


def test_unsuitable_python_hands_over_to_one_on_path(checkout: Checkout) -> None:
    checkout.program("python3.13", "echo not installed >&2; exit 127")  # a version manager's shim
    checkout.program("python3.12", '[ "$2" = -c ] && echo 3 12 || echo "$@"')
    done = checkout.start("ch12", python=(sys.executable, "-c", OLD_PYTHON))
    assert done.stdout.strip() == f"{checkout.root / 'practice/judge.py'} ch12"
    assert f"this is 3.9; going on with {checkout.bin / 'python3.12'}" in done.stderr


def test_unsuitable_python_alone_says_what_is_needed(checkout: Checkout) -> None:
    done = checkout.start(python=(sys.executable, "-c", OLD_PYTHON))
    assert (done.returncode, done.stdout) == (3, "")
    assert "needs Python 3.11 to 3.13, this is 3.9" in done.stderr


STARTED_BY_ANY_PYTHON = [
    REPOSITORY / "tools/environment.py",
    REPOSITORY / "practice/judge.py",
    *sorted((REPOSITORY / "tools/set_up").glob("*.py")),
]


@pytest.mark.parametrize("path", STARTED_BY_ANY_PYTHON, ids=lambda path: path.name)
def test_old_python_can_read_the_files(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))


REAL_PROJECT = """\
import json, sys
sys.path.insert(0, sys.argv[1])
from set_up import python, requirements
lines = requirements.requirements(requirements.read_project(), ("page", "test"))
print(json.dumps([requirements.has_all(lines), python.PYTHONS[0], python.PYTHONS[-1]]))
"""


def test_real_project_is_understood() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REAL_PROJECT, str(REPOSITORY / "tools")],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    has_all, low, high = json.loads(done.stdout)
    assert has_all
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == f">={low[0]}.{low[1]},<{high[0]}.{high[1] + 1}"


# --- from anywhere ------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"PYTHONPATH": ".:"}, {"PYTHONPATH": "{practice}"}])
def test_learners_files_shadow_nothing(checkout: Checkout, settings: dict[str, str]) -> None:
    checkout.depend_on("pytest>=8", "")
    practice = checkout.root / "practice"
    for name in "torch", "zmq", "json", "subprocess", "environment":
        (practice / f"{name}.py").write_text("raise SystemExit('the wrong file')")
        (checkout.root / f"{name}.py").write_text("raise SystemExit('the wrong file')")
    settings = {name: value.format(practice=practice) for name, value in settings.items()}
    said = answer(checkout.start(cwd=practice, **settings))
    assert Path(said["judge"]) == checkout.root / "judge" / "__init__.py"
    assert said["path"][-1] == str(checkout.root) and str(practice) not in said["path"]
    assert not str(said["torch"]).startswith(str(checkout.root / "practice"))


def test_learners_files_do_not_disturb_the_set_up(checkout: Checkout) -> None:
    checkout.add_venv()
    practice = checkout.root / "practice"
    for name in "pip", "venv", "json", "tomllib":
        (practice / f"{name}.py").write_text("raise SystemExit('the wrong file')")
    answer(checkout.start(cwd=practice, PYTHONPATH=str(practice)))


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (["-O"], {}),
        ([], {"PYTHONOPTIMIZE": "2"}),
        ([], {"PYTHONPATH": "/nowhere", "PYTHONHOME": sys.base_prefix}),
        (["-I"], {"PYTHONPATH": "/nowhere"}),
    ],
)
def test_odd_settings_of_python(
    checkout: Checkout, options: list[str], settings: dict[str, str]
) -> None:
    checkout.add_venv()
    answer(checkout.start())
    for python in sys.executable, str(checkout.root / ".venv" / "bin" / "python"):
        said = answer(checkout.start("ch12", python=(python, *options), **settings))
        assert is_venv(checkout, said["prefix"])
        assert (said["optimize"], said["settings"], said["arguments"]) == (0, [], ["ch12"])


def test_symbolic_link_from_another_folder(checkout: Checkout, tmp_path: Path) -> None:
    checkout.depend_on("pytest>=8", "")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "judge").symlink_to(checkout.root / "practice" / "judge.py")
    said = answer(checkout.start("ch12", script=elsewhere / "judge", cwd=elsewhere))
    assert Path(said["judge"]).parent == checkout.root / "judge"


def test_exit_code_of_the_command_line_is_kept(checkout: Checkout) -> None:
    checkout.depend_on("pytest>=8", "")
    assert checkout.start("failing").returncode == 1


# --- programs of the system ---------------------------------------------------------------------

linux = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap exists on Linux only")


def as_user(
    checkout: Checkout, user: int, apt_get: str | None = None, **settings: str
) -> subprocess.CompletedProcess[str]:
    checkout.depend_on("pytest>=8", "")
    (checkout.bin / "bwrap").unlink(missing_ok=True)
    if apt_get is not None:
        checkout.program("apt-get", f'echo "$*" >> "$FAKE_LOG"\n{apt_get}')
    return checkout.start(script="as_user.py", FAKE_USER=str(user), **settings)


INSTALLS = """case "$*" in *install*)
    echo '#!/bin/sh' > "${0%/*}/bwrap"; /bin/chmod +x "${0%/*}/bwrap";; esac"""


@linux
def test_root_installs_with_apt_get(checkout: Checkout) -> None:
    done = as_user(checkout, 0, INSTALLS)
    assert (done.returncode, done.stdout) == (0, "went on\n"), done.stderr
    (call,) = checkout.calls()  # no update where none is needed
    assert call.endswith("install --yes --no-install-recommends bubblewrap")
    assert (checkout.bin / "bwrap").exists()


@linux
def test_package_lists_are_fetched_where_they_are_missing(checkout: Checkout) -> None:
    lists = '"${0%/*}/lists"'
    script = f'case "$*" in *update) : > {lists};; esac; [ -e {lists} ] || exit 100; {INSTALLS}'
    assert as_user(checkout, 0, script).returncode == 0
    assert [call.split()[2] for call in checkout.calls()] == ["install", "update", "install"]


@linux
def test_failed_apt_get_is_remembered_but_tried_again_where_asked(checkout: Checkout) -> None:
    first = as_user(checkout, 0, "echo no such package; exit 100")
    assert (first.returncode, first.stdout) == (0, "went on\n")
    assert "no such package" in first.stderr and "sudo apt-get install bubblewrap" in first.stderr
    tried = len(checkout.calls())
    assert as_user(checkout, 0).stderr == ""
    assert len(checkout.calls()) == tried

    in_ci = as_user(checkout, 0, CI="true")
    assert (in_ci.returncode, in_ci.stdout) == (3, "")
    assert len(checkout.calls()) == 2 * tried


@linux
def test_user_is_told_once_what_to_install(checkout: Checkout) -> None:
    first, second = as_user(checkout, 1000, "exit 1"), as_user(checkout, 1000)
    assert first.stderr.endswith("Please install it: sudo apt-get install bubblewrap\n")
    assert (second.stdout, second.stderr) == ("went on\n", "")
    assert checkout.calls() == []


@linux
@pytest.mark.parametrize(("manager", "command"), [("dnf", "dnf install"), ("pacman", "pacman -S")])
def test_hint_fits_the_package_manager(checkout: Checkout, manager: str, command: str) -> None:
    checkout.program(manager, "exit 1")
    assert f"sudo {command} bubblewrap" in as_user(checkout, 1000).stderr


@linux
def test_only_the_tests_need_a_browser(checkout: Checkout) -> None:
    checkout.add_venv()
    (checkout.bin / "chromium").unlink()
    assert checkout.start("--page", script="tools/environment.py").returncode == 0
    if os.geteuid() == 0:
        checkout.program("apt-get", "exit 1")
    for ci, code in ("", 0), ("true", 3):
        done = checkout.start("--tests", script="tools/environment.py", CI=ci)
        assert done.returncode == code
        assert "chromium is not installed" in done.stderr
    checkout.program("google-chrome", "exit 0")
    assert checkout.start("--tests", script="tools/environment.py", CI="true").returncode == 0


@linux
def test_ci_fails_without_bubblewrap(checkout: Checkout) -> None:
    for user in 0, 1000:
        done = as_user(checkout, user, CI="true")
        assert (done.returncode, done.stdout) == (3, "")
        assert "bubblewrap is not installed" in done.stderr


# --- annotations of hosted CI (tests/conftest.py) -----------------------------------------------


def test_failures_are_annotated_at_their_line(tmp_path: Path) -> None:
    shutil.copy(REPOSITORY / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_one.py").write_text('def test_it():\n    raise ValueError("100%, a:b\\nc")\n')
    (tmp_path / "test_two.py").write_text("x = 1\nimport nothing_of_that_name\n")
    command = [sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors"]
    shown = {}
    for hosted in "true", "":
        environment = {**os.environ, "GITHUB_ACTIONS": hosted, "PYTEST_ADDOPTS": ""}
        done = subprocess.run(
            [*command, f"--rootdir={tmp_path}", "-p", "no:cacheprovider"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
        )
        shown[hosted] = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert shown["true"] == [
        "::error file=test_two.py,line=2,title=test_two.py"
        "::ModuleNotFoundError: No module named 'nothing_of_that_name'",
        "::error file=test_one.py,line=2,title=test_one.py%3A%3Atest_it"
        "::ValueError: 100%25, a:b%0Ac",
    ]
    assert shown[""] == []
