"""Operators may sign in with OpenID Connect: an account knows whom a provider says it is of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("operators", sa.Column("oidc_issuer", sa.String(255)))
    op.add_column("operators", sa.Column("oidc_claim", sa.String(32)))
    op.add_column("operators", sa.Column("oidc_value", sa.String(255)))
    op.create_index(
        "ix_operators_identity",
        "operators",
        ["oidc_issuer", "oidc_claim", "oidc_value"],
        unique=True,
    )


def downgrade() -> None:
    op.drop_index("ix_operators_identity", table_name="operators")
    for column in ("oidc_value", "oidc_claim", "oidc_issuer"):
        op.drop_column("operators", column)
