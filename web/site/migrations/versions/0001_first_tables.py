"""The first tables: learners, their progress, submissions, and results as they come."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "learners",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_table(
        "progress",
        sa.Column("learner", sa.String(32), sa.ForeignKey("learners.id"), primary_key=True),
        sa.Column("exercise", sa.String(200), primary_key=True),
        sa.Column("hints", sa.Integer, nullable=False),
        sa.Column("solution_asked", sa.Boolean, nullable=False),
        sa.Column("solved", sa.DateTime),
        sa.Column("tried", sa.DateTime),
        sa.Column("passed_tests", sa.Integer, nullable=False),
        sa.Column("tests", sa.Integer, nullable=False),
    )
    op.create_table(
        "submissions",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("learner", sa.String(32), sa.ForeignKey("learners.id"), nullable=False),
        sa.Column("exercise", sa.String(200), nullable=False),
        sa.Column("suite", sa.String(16), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("source_digest", sa.String(64), nullable=False),
        sa.Column("tests_digest", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("queued", sa.DateTime, nullable=False),
        sa.Column("started", sa.DateTime),
        sa.Column("finished", sa.DateTime),
        sa.Column("worker", sa.String(32)),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("replaced_by", sa.String(32)),
        sa.Column("reused", sa.Boolean, nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("outcome", sa.String(16)),
        sa.Column("passed_tests", sa.Integer, nullable=False),
        sa.Column("tests", sa.Integer, nullable=False),
    )
    op.create_index("submissions_by_learner", "submissions", ["learner", "exercise", "number"])
    op.create_index("submissions_by_state", "submissions", ["state", "queued"])
    op.create_index(
        "submissions_by_content",
        "submissions",
        ["source_digest", "tests_digest", "exercise", "suite"],
    )
    op.create_table(
        "results",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("submission", sa.Integer, sa.ForeignKey("submissions.number"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.UniqueConstraint("submission", "position", name="results_in_order"),
    )


def downgrade() -> None:
    for table in ("results", "submissions", "progress", "learners"):
        op.drop_table(table)
