"""The self-test: which questions of a chapter a learner has answered, and which of them rightly."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("learner", sa.String(32), sa.ForeignKey("learners.id"), primary_key=True),
        sa.Column("chapter", sa.String(100), primary_key=True),
        sa.Column("question", sa.String(100), primary_key=True),
        sa.Column("tried", sa.DateTime, nullable=False),
        sa.Column("right", sa.DateTime),
    )


def downgrade() -> None:
    op.drop_table("answers")
