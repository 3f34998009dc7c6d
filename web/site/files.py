"""`/static/…` and `/runtime/…`: the built front end and the in-page runtime, as files.

Names that change with the content are kept by browsers for ever: the front end's files have their hash
in the name, the runtime's have the digest of all of it in the path.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from flask import Blueprint, Response, request, send_file
from werkzeug.security import safe_join

from web.site.errors import not_found
from web.site.site import current_site

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
# esbuild's `[name]-[hash]`.
HASHED = re.compile(r"-[A-Z0-9]{8}\.")
MANIFEST = "manifest.json"
# Browsers compile WebAssembly while it arrives only under its own type, and run no module or worker
# of another; the system's table knows neither everywhere.
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
DEFAULT_TYPE = "application/octet-stream"
DIGEST_LENGTH = 16


def runtime_digest(folder: Path) -> str:
    """A name for this very build of the runtime; empty if there is none."""
    try:
        manifest = (folder / MANIFEST).read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(manifest).hexdigest()[:DIGEST_LENGTH]


def runtime_address(folder: Path) -> str:
    """Where the page finds the runtime's files, with a final slash; they never change there."""
    digest = runtime_digest(folder)
    return f"/runtime/{digest}/" if digest else "/runtime/"


def make_blueprint() -> Blueprint:
    """A new one for each app."""
    blueprint = Blueprint("files", __name__)

    @blueprint.get("/static/<path:name>")
    def static(name: str) -> Response:
        keep = FOR_EVER if HASHED.search(name) else ASK_AGAIN
        return send(current_site().settings.static, name, keep)

    @blueprint.get("/runtime/<path:name>")
    def runtime(name: str) -> Response:
        folder = current_site().settings.runtime
        first, _, rest = name.partition("/")
        if rest and first == runtime_digest(folder):
            return send(folder, rest, FOR_EVER)
        return send(folder, name, ASK_AGAIN)

    return blueprint


def send(folder: Path, name: str, keep: str) -> Response:
    """A file of the folder, compressed where that lies beside it and is accepted. Raises `Problem`."""
    path = safe_join(str(folder), name)
    if path is None or not os.path.isfile(path):
        raise not_found()
    has_packed = os.path.isfile(f"{path}.gz")
    use_packed = has_packed and request.accept_encodings["gzip"] > 0
    response = send_file(
        f"{path}.gz" if use_packed else path,
        mimetype=TYPES.get(Path(name).suffix, DEFAULT_TYPE),
        download_name=Path(name).name,
    )
    response.headers["Cache-Control"] = keep
    if use_packed:
        response.headers["Content-Encoding"] = "gzip"
    if has_packed:
        response.vary.add("Accept-Encoding")
    return response
