"""`Settings`: everything that one start of the site is told, as typed values, and where its data lies."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec

from judge.grade import WEAKEST_TIER

ROOT = Path(__file__).resolve().parents[2]
SECRET_BYTES = 32


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """Requests per minute. The learner's are low, for one person clicks; an address may be a class's."""

    learner_submissions: int = 30
    address_submissions: int = 120
    learner_changes: int = 120
    address_changes: int = 480
    address_reads: int = 3000


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One start of the site.

    `root` holds `exercises/` and `reference/`; `data` the database and the secret key. `workers` are
    processes, `gradings` how many each grades at a time. `queue_limit` counts submissions that wait.
    `threads` answer requests; a few of them are never given to event streams. `hosts` are names by
    which the site may be called beside `localhost`, this machine's name and any numeric address.
    """

    data: Path
    root: Path = ROOT
    host: str = "127.0.0.1"
    port: int = 8000
    hosts: tuple[str, ...] = ()
    workers: int = 1
    gradings: int = msgspec.field(default_factory=lambda: os.cpu_count() or 1)
    queue_limit: int = 64
    threads: int = 40
    require_tier: int = WEAKEST_TIER
    https: bool = False
    database_url: str | None = None
    runtime: Path = ROOT / ".cache" / "page" / "runtime"
    static: Path = ROOT / ".cache" / "page" / "static"
    rates: Rates = Rates()

    @property
    def database(self) -> str:
        """The database's address in SQLAlchemy's form: SQLite in the data folder, unless told otherwise."""
        return self.database_url or f"sqlite:///{self.database_file}"

    @property
    def database_file(self) -> Path:
        return self.data.absolute() / "site.sqlite3"


def make_data_folder(settings: Settings) -> None:
    """Make the data folder and an empty database if missing, for this user alone. Raises `OSError`."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if settings.database_url is None:
        # SQLite would let everybody read it; the files it makes beside follow this one.
        settings.database_file.touch(mode=0o600)


def secret_key(settings: Settings) -> bytes:
    """The key that signs learners' cookies, 32 bytes; drawn at the first start. Raises `OSError`.

    It stays the same between starts, or every learner would lose their submissions.
    """
    path = settings.data / "secret.key"
    drawn = path.with_name(f"secret.key.{os.getpid()}")
    if not path.exists():
        descriptor = os.open(drawn, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
        try:
            # A link appears whole or not at all, and never over the key of another start.
            os.link(drawn, path)
        except FileExistsError:
            pass
        finally:
            drawn.unlink()
    key = path.read_bytes()
    if len(key) != SECRET_BYTES:
        raise OSError(f"{path} does not hold a key of {SECRET_BYTES} bytes")
    return key
