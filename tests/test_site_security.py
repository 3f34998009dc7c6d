"""What the site lets in and what it lets out."""

from __future__ import annotations

import gzip

import pytest
from site_parts import SOLUTION, Visitor, make_app, site_of

from web.site import Rates
from web.site.files import runtime_address

# --- headers, names, forged requests ------------------------------------------------------------


@pytest.fixture
def app(tmp_path):
    static, runtime = tmp_path / "static", tmp_path / "runtime"
    for folder in (static, runtime / "deep"):
        folder.mkdir(parents=True)
    (static / "site-ABCDEFGH.js").write_text("console.log(1)\n" * 50)
    (static / "site-ABCDEFGH.js.gz").write_bytes(gzip.compress(b"console.log(1)\n" * 50))
    (static / "manifest.json").write_text("{}")
    (runtime / "manifest.json").write_text("{}")
    (runtime / "pyodide.asm.wasm").write_bytes(b"\0asm")
    (runtime / "pyodide.mjs").write_text("export {}")
    (runtime / "deep" / "numpy.whl").write_bytes(b"PK")
    (tmp_path / "secret.txt").write_text("secret")
    app = make_app(tmp_path, static=static, runtime=runtime, hosts=("practice.example",))
    yield app
    site_of(app).database.close()


@pytest.fixture
def visitor(app):
    return Visitor(app)


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/api/v1/exercises",
        "/api/v1/nothing",
        "/static/site-ABCDEFGH.js",
        "/static/no",
        "/healthz",
    ],
)
def test_every_answer_has_the_headers(visitor, address):
    headers = visitor.get(address).headers
    policy = headers["Content-Security-Policy"]
    assert "unsafe-inline" not in policy and "'unsafe-eval'" not in policy
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Cache-Control"]


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True),
        ("LOCALHOST:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.1.7", True),
        ("practice.example", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example:80", False),
        ("practice.example@evil.example", False),
        ("[localhost]", False),
        ("a b", False),
        ("", False),
    ],
)
def test_the_site_answers_only_to_its_own_names(app, host, known):
    response = app.test_client().get("/api/v1/exercises", headers={"Host": host})
    assert (response.status_code == 200) is known
    if not known:
        assert response.status_code == 400 and response.json["error"]["code"] == "foreign_host"


def test_what_changes_something_needs_the_token(app, visitor):
    body = {"exercise": "ch1/double", "source": SOLUTION}
    other = Visitor(app)
    for token in (None, "", "x", other.token):
        headers = {} if token is None else {"X-CSRFToken": token}
        for address in (
            "submissions",
            "exercises/ch1/double/hints",
            "exercises/ch1/double/solution",
        ):
            response = visitor.client.post(f"/api/v1/{address}", json=body, headers=headers)
            assert response.status_code == 403 and response.json["error"]["code"] == "forged"
    form = {"csrf_token": visitor.token}
    assert visitor.client.post("/api/v1/submissions", data=form).status_code == 415
    assert visitor.get("/api/v1/submissions").json["submissions"] == []


def test_too_many_requests_are_put_off(tmp_path):
    rates = Rates(
        learner_submissions=2,
        address_submissions=3,
        learner_changes=4,
        address_changes=10**6,
        address_reads=8,
    )
    app = make_app(tmp_path, rates=rates)
    one, other, third = Visitor(app), Visitor(app), Visitor(app)

    def submit(visitor):
        body = {"exercise": "ch1/double", "source": "a = 1"}
        return visitor.post("/api/v1/submissions", body)

    assert [submit(one).status_code for _ in range(3)] == [202, 202, 429]
    # Who comes as somebody else each time still comes from the same address.
    assert submit(other).status_code == 202
    refused = submit(third)
    assert refused.status_code == 429 and refused.json["error"]["code"] == "too_many_requests"
    assert 0 < int(refused.headers["Retry-After"]) <= 61
    changes = [one.post("/api/v1/exercises/ch1/relay/hints").status_code for _ in range(3)]
    assert changes[-1] == 429
    reads = [other.get("/api/v1/exercises").status_code for _ in range(8)]
    assert reads[0] == 200 and reads[-1] == 429
    site_of(app).database.close()


# --- files --------------------------------------------------------------------------------------


def test_files_that_never_change_are_kept_for_ever(app, visitor):
    response = visitor.get("/static/site-ABCDEFGH.js")
    assert response.mimetype == "text/javascript"
    assert "immutable" in response.headers["Cache-Control"]
    assert visitor.get("/static/manifest.json").headers["Cache-Control"] == "no-cache"
    assert visitor.get("/runtime/pyodide.mjs").headers["Cache-Control"] == "no-cache"
    base = runtime_address(site_of(app).settings.runtime)
    response = visitor.get(f"{base}pyodide.mjs")
    assert response.mimetype == "text/javascript" and response.data == b"export {}"
    assert "immutable" in response.headers["Cache-Control"]
    assert visitor.get(f"{base}pyodide.asm.wasm").mimetype == "application/wasm"
    assert visitor.get(f"{base}deep/numpy.whl").mimetype == "application/zip"
    # Another build has another address.
    (site_of(app).settings.runtime / "manifest.json").write_text('{"changed": 1}')
    assert runtime_address(site_of(app).settings.runtime) != base
    assert visitor.get(f"{base}pyodide.mjs").status_code == 404


def test_files_are_compressed_for_who_takes_that_and_not_sent_twice(visitor):
    plain = visitor.get("/static/site-ABCDEFGH.js")
    packed = visitor.get("/static/site-ABCDEFGH.js", headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert packed.mimetype == "text/javascript"
    assert (
        "Accept-Encoding" in packed.headers["Vary"] and "Accept-Encoding" in plain.headers["Vary"]
    )
    refused = visitor.get("/static/site-ABCDEFGH.js", headers={"Accept-Encoding": "gzip;q=0"})
    assert "Content-Encoding" not in refused.headers
    for response, encoding in ((plain, ""), (packed, "gzip")):
        headers = {"If-None-Match": response.headers["ETag"], "Accept-Encoding": encoding}
        again = visitor.get("/static/site-ABCDEFGH.js", headers=headers)
        assert again.status_code == 304 and not again.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert "Set-Cookie" not in plain.headers


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "deep/../../secret.txt",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "site-ABCDEFGH.js%00",
        "deep",
        "",
        "x" * 5000,
    ],
)
def test_no_other_file_is_sent(visitor, path):
    for folder in ("static", "runtime"):
        response = visitor.get(f"/{folder}/{path}")
        assert response.status_code == 404 and b"root:" not in response.data, path
        assert b"secret" not in response.data.replace(b"secret.txt", b"")
