"""Makes `.cache/page/static` of the TypeScript and CSS of this folder: esbuild, fetched by npm.

    python -m web.frontend.build

The folder holds files with a digest in their name (a browser may keep them for ever), each with its
gzip form beside it, and `manifest.json`:

    {"inputs": digest, "files": {"exercise.js": "exercise-5XQ….js", …},
     "imports": {"exercise.js": ["chunk-….js", …], …}}

`imports` names what a script loads besides itself, so that a page can ask for all of it at once.
Nothing happens while the sources have not changed. The folder is made aside and then takes the place
of the former, so whoever reads it never sees it half done.
"""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from web.browser.build.console import Console
from web.browser.build.errors import BuildError
from web.browser.node import Node, NodeMissing, find_node

HERE = Path(__file__).resolve().parent
CACHE = HERE.parents[1] / ".cache" / "page"
STATIC = CACHE / "static"
# npm's packages and a copy of our sources stand here together, because tools look for packages
# beside the sources; and nothing of npm's comes into the checkout.
WORK = CACHE / "frontend"

SOURCES = ("src", "styles")
SETTINGS = ("package.json", "package-lock.json", ".npmrc", "tsconfig.json")
# What a page may ask for, by the name it has in the manifest.
ENTRIES = {
    "site.js": "src/site.ts",
    "exercise.js": "src/exercise/main.tsx",
    "self_test.js": "src/self_test/main.ts",
    "python.js": "src/exercise/python/worker.ts",
    "site.css": "styles/site.css",
    "exercise.css": "styles/exercise.css",
}
TARGETS = "es2022,chrome111,firefox115,safari16.4"
NPM_SECONDS = 600.0
ESBUILD_SECONDS = 120.0


def ensure_static(output: Path = STATIC) -> Path:
    """The folder of what browsers load, made now if its inputs have changed. Raises `BuildError`."""
    digest = _digest_of_inputs()
    if _is_current(output, digest):
        return output
    with _locked():
        if not _is_current(output, digest):  # another process may have made it meanwhile
            _build(output, digest, Console())
    return output


def ensure_workspace(*, development: bool = False) -> Path:
    """The folder with npm's packages and a copy of the sources; with development's tools if asked.

    Raises `BuildError`.
    """
    with _locked():
        _prepare_workspace(Console(), development)
    return WORK


def _build(output: Path, digest: str, console: Console) -> None:
    node = _prepare_workspace(console, development=False)
    console.say("page: building scripts and styles", "网页：正在构建脚本和样式")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="static-", dir=output.parent) as aside:
        made = Path(aside, "made")
        made.mkdir()
        manifest = {"inputs": digest, **_bundle(node, made, Path(aside, "meta.json"))}
        for file in sorted(made.iterdir()):
            packed = gzip.compress(file.read_bytes(), compresslevel=9, mtime=0)
            file.with_name(file.name + ".gz").write_bytes(packed)
        text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
        (made / "manifest.json").write_text(text, encoding="utf-8")
        if output.exists():
            output.rename(Path(aside, "former"))
        made.rename(output)


def _bundle(node: Node, folder: Path, meta: Path) -> dict[str, Any]:
    """Run esbuild into `folder`; the parts of the manifest that come of it."""
    entries = [f"{Path(name).stem}={source}" for name, source in ENTRIES.items()]
    _run(
        [
            str(WORK / "node_modules" / ".bin" / "esbuild"),
            *entries,
            "--bundle",
            "--splitting",
            "--format=esm",
            "--minify",
            "--charset=utf8",
            f"--target={TARGETS}",
            "--entry-names=[name]-[hash]",
            "--chunk-names=chunk-[hash]",
            "--legal-comments=none",
            "--log-level=warning",
            f"--metafile={meta}",
            f"--outdir={folder}",
        ],
        node,
        ESBUILD_SECONDS,
    )
    names = {source: name for name, source in ENTRIES.items()}
    files, imports = {}, {}
    for path, made in json.loads(meta.read_text(encoding="utf-8"))["outputs"].items():
        name = names.get(made.get("entryPoint", ""))
        if name is None:
            continue
        files[name] = Path(path).name
        chunks = [one["path"] for one in made["imports"] if one["kind"] == "import-statement"]
        imports[name] = sorted(Path(chunk).name for chunk in chunks)
    return {"files": files, "imports": imports}


def _prepare_workspace(console: Console, development: bool) -> Node:
    """npm's packages as the lock file says, and our sources as they are now."""
    try:
        node = find_node()
    except NodeMissing as missing:
        raise BuildError(
            f"the page needs Node.js 20 or newer with npm ({missing})",
            f"网页需要 Node.js 20 或更新的版本，并带有 npm（{missing}）",
        ) from None
    WORK.mkdir(parents=True, exist_ok=True)
    for name in SETTINGS:
        shutil.copyfile(HERE / name, WORK / name)
    for name in SOURCES:
        shutil.rmtree(WORK / name, ignore_errors=True)
        shutil.copytree(HERE / name, WORK / name)
    lock = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    note = WORK / "installed.json"
    wanted = {"lock": lock, "development": development}
    installed = json.loads(note.read_text()) if note.exists() else {}
    if installed.get("lock") == lock and (installed["development"] or not development):
        return node
    console.say(
        "page: fetching the editor and the bundler from the npm registry (about 20 MB)",
        "网页：正在从 npm 获取编辑器和打包工具（约 20 MB）",
    )
    note.unlink(missing_ok=True)
    omit = [] if development else ["--omit=dev"]
    # No package needs a script of its own to be installed, so none may run.
    _run([*node.npm, "ci", "--ignore-scripts", *omit], node, NPM_SECONDS)
    note.write_text(json.dumps(wanted))
    return node


def _run(command: list[str], node: Node, seconds: float) -> None:
    """Run a tool in the workspace. Raises `BuildError` with what it printed if it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=WORK,
            env=node.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        tool = Path(command[0]).name
        raise BuildError(
            f"{tool} did not end within {seconds:g} s", f"{tool} 在 {seconds:g} 秒内没有结束"
        ) from None
    if done.returncode != 0:
        printed = done.stdout.strip()[-4000:]
        raise BuildError(f"building the page failed:\n{printed}", f"网页构建失败：\n{printed}")


def _digest_of_inputs() -> str:
    """SHA-256 over everything that decides what is made: our sources, the locked packages, this file."""
    files = [HERE / name for name in (*SETTINGS, "build.py")]
    for folder in SOURCES:
        files += sorted(path for path in (HERE / folder).rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(HERE).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _is_current(output: Path, digest: str) -> bool:
    try:
        manifest = json.loads((output / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return manifest.get("inputs") == digest


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    """One build at a time, also between processes; the lock ends with the process that holds it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "frontend.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    try:
        print(ensure_static())
    except BuildError as error:
        Console().say(error.english, error.chinese)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
