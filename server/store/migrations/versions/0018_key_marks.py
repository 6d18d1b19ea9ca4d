"""Each person's row says by a mark which key theirs is, so that a lost one is noticed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("participants", sa.Column("key_mark", sa.String(16)))


def downgrade() -> None:
    op.drop_column("participants", "key_mark")
