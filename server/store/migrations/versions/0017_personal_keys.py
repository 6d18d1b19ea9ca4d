"""Personal words are sealed: ids at recruiters are known by a keyed hash, people can be forgotten.

What older rows hold is sealed by `Database.upgrade`, which has the keys.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("participants", sa.Column("forgotten_at", UtcDateTime(timezone=True)))
    with op.batch_alter_table("identities") as batch:
        batch.add_column(sa.Column("external_hash", sa.String(64), nullable=True))
        batch.alter_column("external_id", existing_type=sa.String(255), type_=sa.Text())
        batch.drop_constraint("uq_identities_study", type_="unique")
        batch.create_unique_constraint(
            "uq_identities_study", ["study", "mode", "recruiter", "external_hash"]
        )


def downgrade() -> None:
    with op.batch_alter_table("identities") as batch:
        batch.drop_constraint("uq_identities_study", type_="unique")
        batch.create_unique_constraint(
            "uq_identities_study", ["study", "mode", "recruiter", "external_id"]
        )
        batch.alter_column("external_id", existing_type=sa.Text(), type_=sa.String(255))
        batch.drop_column("external_hash")
    op.drop_column("participants", "forgotten_at")
