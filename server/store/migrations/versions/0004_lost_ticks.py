"""Episodes say how much of them was played and then lost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "episodes", sa.Column("lost_ticks", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    with op.batch_alter_table("episodes") as batch:
        batch.drop_column("lost_ticks")
