"""Sessions and tickets name the server that they belong to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES = ("sessions", "tickets")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(
            table,
            sa.Column("member", sa.String(length=32), nullable=False, server_default="main"),
        )


def downgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table) as batch:
            batch.drop_column("member")
