"""Alembic's entry: runs the migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from web.site.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite can change a table only by copying it.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
