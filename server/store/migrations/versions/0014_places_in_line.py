"""Stays keep where they stand: at the front, with the least people, or let go by an operator."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

MARKS = ("is_first", "wants_to_begin")


def upgrade() -> None:
    for name in MARKS:
        op.add_column(
            "tickets", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.add_column("tickets", sa.Column("sent_on_at", UtcDateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("tickets", "sent_on_at")
    for name in reversed(MARKS):
        op.drop_column("tickets", name)
