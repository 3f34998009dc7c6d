"""The site as a running server: its start, its end, and the command that does both."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from cli_course import Program, clean, copy_course, environment
from flask import request
from site_parts import (
    COURSE,
    SOLUTION,
    Visitor,
    grading,
    make_app,
    parse_events,
    site_of,
    slow,
    wait_until,
)

from web.site import Settings, create_app
from web.site.server import AlreadyServed, CannotListen, Server
from web.site.workers import CannotGrade

PROJECT = Path(__file__).resolve().parents[1]
BUILD_SECONDS = 600
END_SECONDS = 60
# A server on the small course, which says where it is and which process grades.
SERVER = f"""\
import sys
sys.path.append({str(PROJECT)!r})
from pathlib import Path
from web.site.server import Server
from web.site.settings import Settings
with Server(Settings(data=Path(sys.argv[1]), root=Path(sys.argv[2]), port=0)) as server:
    print(server.address, *server.site.workers.process_ids, flush=True)
    server.wait()
"""


def settings(folder: Path, **more) -> Settings:
    return Settings(**{"data": folder / "data", "root": COURSE, "port": 0, **more})


class Client:
    """A program that talks to a server over HTTP, with a cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self._token = self.get("/api/v1/token")["csrf_token"]

    def open(self, address: str, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = (
            {} if body is None else {"X-CSRFToken": self._token, "Content-Type": "application/json"}
        )
        request = urllib.request.Request(self.address + address, data=data, headers=headers)
        return self._opener.open(request, timeout=60)

    def get(self, address: str, body=None):
        with self.open(address, body) as response:
            return json.load(response)

    def submit(self, source: str):
        return self.get("/api/v1/submissions", {"exercise": "ch1/double", "source": source})


def ended(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


# --- the server ---------------------------------------------------------------------------------


def test_a_server_grades_over_http_and_leaves_nothing_behind(tmp_path):
    before = set(threading.enumerate())
    with Server(settings(tmp_path)) as server:
        workers = server.site.workers.process_ids
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.address)
        assert server.isolation.startswith("tier ")
        client = Client(server.address)
        assert client.get("/healthz")["status"] == "ok"
        taken = client.submit(SOLUTION)
        with client.open(taken["events"]) as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            events = list(parse_events(iter(lambda: stream.read1(65536), b"")))
        assert events[-1]["data"]["verdict"]["verdict"] == "passed"
        # One that still waits for news does not hold up the end.
        waiting = client.submit(slow(50.0).replace("value == 4", "value"))
        open_stream = client.open(waiting["events"])
        assert open_stream.readline()
    assert all(map(ended, workers))
    open_stream.close()
    wait_until(lambda: set(threading.enumerate()) <= before, "threads of the server are left")
    with pytest.raises(OSError):
        urllib.request.urlopen(server.address, timeout=5)
    # The next start finds everything, also on the same port.
    port = int(server.address.rpartition(":")[2])
    with Server(settings(tmp_path, port=port)) as again:
        assert again.site.workers.ready == 1


def test_a_reader_that_hangs_up_frees_its_thread(tmp_path):
    with Server(settings(tmp_path, workers=0)) as server:
        client = Client(server.address)
        taken = client.submit(SOLUTION)
        bulletin = server.site.bulletin
        streams = [client.open(taken["events"]) for _ in range(3)]
        for stream in streams:
            assert stream.readline() == b"retry: 1000\n"
        wait_until(lambda: bulletin.listening == 3, "three readers")
        for stream in streams:
            stream.close()
        wait_until(lambda: bulletin.listening == 0, "readers that have gone are still served")


def test_readers_that_do_not_read_hold_no_thread(tmp_path, monkeypatch):
    served = []

    def counting(chosen):
        app = create_app(chosen)
        app.before_request(lambda: served.append(request.path))
        return app

    monkeypatch.setattr("web.site.server.create_app", counting)
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    (runtime / "manifest.json").write_text("{}")
    (runtime / "large.wasm").write_bytes(bytes(10_000_000))
    threads = 10
    chosen = settings(tmp_path, runtime=runtime, threads=threads, workers=0)
    with Server(chosen) as server, ExitStack() as opened:
        port = int(server.address.rpartition(":")[2])
        many = 6
        asked = b"GET /runtime/large.wasm HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * many
        for _ in range(threads):
            reader = opened.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", port))
            reader.sendall(asked)
        # Nobody reads, and yet every one of them is served, and so is whoever comes next.
        wait_until(lambda: len(served) == threads * many, "every request served")
        with urllib.request.urlopen(f"{server.address}/api/v1/token", timeout=30) as answer:
            assert answer.status == 200


def test_where_there_is_no_room_for_streams_they_end_at_once_and_come_back(tmp_path):
    app = make_app(tmp_path, threads=9)
    visitor = Visitor(app)
    taken = visitor.submit(SOLUTION)
    first = visitor.follow(taken)
    assert next(first)["event"] == "waiting"
    # There is room for one; the others are told how things stand, and to come back in a second.
    for _ in range(3):
        response = visitor.get(taken["events"])
        assert response.text.startswith("retry: 1000\n\n") and '{"place":1}' in response.text
    first.close()
    assert site_of(app).bulletin.listening == 0
    site_of(app).database.close()


def test_a_port_that_is_taken_is_said_before_anything_else(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen):
            Server(settings(tmp_path, port=port))
    assert not (tmp_path / "data").exists()
    with pytest.raises(CannotListen):
        Server(settings(tmp_path, host="192.0.2.1"))
    with pytest.raises(CannotListen):
        Server(settings(tmp_path, host="no..name"))


def test_two_servers_do_not_share_their_data(tmp_path):
    server = Server(settings(tmp_path, workers=0))
    with pytest.raises(AlreadyServed):
        Server(settings(tmp_path))
    server.close()
    Server(settings(tmp_path, workers=0)).close()


def test_a_machine_that_is_not_safe_enough_does_not_serve(tmp_path):
    server = Server(settings(tmp_path, require_tier=0))
    with pytest.raises(CannotGrade, match="tier 0 is required"):
        server.start()
    server.close()


def test_a_killed_server_takes_its_workers_along_and_loses_nothing(tmp_path):
    with server_process(tmp_path) as (process, address, worker):
        client = Client(address)
        taken = client.submit(slow(50.0).replace("value == 4", "value"))
        with client.open(taken["events"]) as stream:
            next(e for e in parse_events(iter(stream.readline, b"")) if e["event"] == "running")
        process.kill()
        process.wait(END_SECONDS)
        wait_until(lambda: ended(worker), "the worker of a killed server")
    # Nobody has counted it as lost: the worker gave it back when its server was gone.
    app = make_app(tmp_path)
    with site_of(app).database.connect() as connection:
        row = connection.exec_driver_sql("select state, losses from submissions").one()
    assert tuple(row) == ("waiting", 0)
    with grading(app) as site:
        wait_until(lambda: running(site), "what was left is graded")
    site.database.close()


def running(site) -> bool:
    with site.database.connect() as connection:
        rows = connection.exec_driver_sql("select state, attempts from submissions").all()
    return [tuple(row) for row in rows] == [("running", 2)]


@contextmanager
def server_process(folder: Path):
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(folder / "data"), str(COURSE)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address, worker = process.stdout.readline().split()
        yield process, address, int(worker)
    finally:
        process.kill()
        process.wait(END_SECONDS)
        process.stdout.close()


# --- the command --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "page"), [(signal.SIGINT, "ch12/serializer"), (signal.SIGTERM, "ch1/double")]
)
def test_the_command_serves_the_course_until_it_is_stopped(tmp_path, number, page):
    """The real thing: what browsers load is built if need be, then the page is there."""
    program = PROJECT / "practice" / "judge.py"
    if page.startswith("ch1/"):  # the small course starts sooner
        copy_course(tmp_path)
        program = tmp_path / "start.py"
    process = subprocess.Popen(
        [
            *(sys.executable, str(program), "serve"),
            *("--port", "0", "--no-browser", "--data", str(tmp_path / "data"), "--lang", "zh"),
        ],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    killer = threading.Timer(BUILD_SECONDS, process.kill)
    killer.start()
    try:
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address and "Ctrl-C" in said, (said, process.stderr.read())
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        client = Client(address[0])
        assert client.get("/healthz")["status"] == "ok"
        assert client.get("/api/v1/exercises")["chapters"]
        with client.open(f"/zh/{page}") as shown:
            scripts = re.findall(rb'(?:src|href)="(/static/[^"]+)"', shown.read())
        assert scripts
        for script in scripts:
            with client.open(script.decode()) as response:
                assert response.read()
        os.kill(process.pid, number)
        _, errors = process.communicate(timeout=END_SECONDS)
        assert process.returncode == 0 and "已停止" in errors and "Traceback" not in errors
        assert all(ended(int(child)) for child in children)
    finally:
        killer.cancel()
        process.kill()
        process.wait(END_SECONDS)


@pytest.fixture
def program(tmp_path, monkeypatch, capsys):
    copy_course(tmp_path)
    clean(monkeypatch, tmp_path)
    return Program(tmp_path, capsys)


def test_the_command_says_what_to_do_about_a_taken_port(program):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = program.run("serve", "--port", str(port))
        assert code == 2 and not out
        assert f"Port {port} is taken" in err and f"serve --port {port + 1}" in err
        _, _, err = program.run("serve", "--port", str(port), "--lang", "zh")
        assert f"端口 {port} 已被占用" in err


def test_the_command_refuses_data_that_it_cannot_use(program, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = program.run("serve", "--port", "0", "--data", str(tmp_path / "file"))
    assert code == 2 and "file cannot be used for data" in err
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "site.sqlite3").write_text("no database " * 100)
    code, _, err = program.run("serve", "--port", "0", "--data", str(broken))
    assert code == 2 and "cannot be used" in err and "Traceback" not in err
    server = Server(settings(tmp_path, workers=0))
    code, _, err = program.run("serve", "--port", "0", "--data", str(tmp_path / "data"))
    assert code == 2 and "Another start of the site works with" in err
    server.close()


def test_the_command_refuses_an_address_that_is_none(program):
    code, _, err = program.run("serve", "--port", "0", "--host", "192.0.2.1")
    assert code == 2 and "cannot listen on 192.0.2.1" in err
