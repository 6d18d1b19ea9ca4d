"""Episodes say for how long operators watched them; of those before it is not known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("episodes", sa.Column("watched_s", sa.Double()))


def downgrade() -> None:
    op.drop_column("episodes", "watched_s")
