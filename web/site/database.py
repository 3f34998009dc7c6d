"""`Database`: one engine, sessions that read and sessions that write, and the migrations."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 20.0
# What a transaction begins with on SQLite. One that will write takes the lock at once: if it had
# read first, SQLite would refuse the change from reading to writing without waiting for its turn.
BEGIN = "sqlite_begin"
WRITING = {BEGIN: "BEGIN IMMEDIATE"}


class UnusableDatabase(OSError):
    """The file is no database, or one that a newer version of the site has made."""


class Database:
    """The site's database. Safe to use from several threads; several processes may open it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine = _open(url)
        self._writing = self._engine.execution_options(**WRITING)

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one state of the database. What it changes is not kept."""
        with Session(self._engine) as session:
            yield session

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """A session that is kept at the end of the block, or not at all if the block raises."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def check(self) -> None:
        """Ask the database something. Raises `SQLAlchemyError` if it does not answer."""
        with self._engine.connect() as connection:
            connection.execute(text("select number from submissions limit 1"))

    def migrate(self, revision: str = "head") -> None:
        """Bring the tables to `revision`. One process at a time may do so.

        Raises `UnusableDatabase`.
        """
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        # In a setting's text a percent sign begins a placeholder.
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        # A table that is changed by copying is dropped, and foreign keys would not let it go.
        engine = _open(self.url, foreign_keys=False)
        try:
            with engine.execution_options(**WRITING).begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, revision)
        except (SQLAlchemyError, CommandError) as problem:
            why = getattr(problem, "orig", None) or problem
            raise UnusableDatabase(None, f"its database cannot be used ({why})") from problem
        finally:
            engine.dispose()

    def connect(self) -> contextlib.AbstractContextManager[Connection]:
        """A connection of its own, for who wants to look at the tables themselves."""
        return self._engine.connect()

    def close(self) -> None:
        self._engine.dispose()


def _open(url: str, *, foreign_keys: bool = True) -> Engine:
    pool: dict[str, Any] = {"pool_size": 8, "max_overflow": 64}
    if not url.startswith("sqlite"):
        return create_engine(url, **pool)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, **pool)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        # The driver would begin transactions by its own rules; `begin` does it instead.
        connection.isolation_level = None
        cursor = connection.cursor()
        # Readers and one writer at a time, without waiting for each other.
        cursor.execute("PRAGMA journal_mode=WAL")
        # Enough for whatever happens to a process; only a power failure may undo the last moments.
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get(BEGIN, "BEGIN"))

    return engine
