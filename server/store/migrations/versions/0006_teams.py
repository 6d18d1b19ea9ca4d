"""Teams: matches and tickets name theirs, and policies have rows among the occupants of seats."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_SEATS = sa.table(
    "occupancies",
    sa.column("session_id", sa.String()),
    sa.column("seat_id", sa.String()),
    sa.column("policy", sa.Text()),
    sa.column("since", UtcDateTime(timezone=True)),
    sa.column("until", UtcDateTime(timezone=True)),
)
_SESSIONS = sa.table(
    "sessions",
    sa.column("session_id", sa.String()),
    sa.column("spec", sa.JSON()),
    sa.column("opened_at", UtcDateTime(timezone=True)),
    sa.column("closed_at", UtcDateTime(timezone=True)),
)


def upgrade() -> None:
    op.add_column("matches", sa.Column("team", sa.Text(), nullable=False, server_default=""))
    op.add_column("tickets", sa.Column("team", sa.Text(), nullable=False, server_default=""))
    op.add_column("tickets", sa.Column("seat", sa.String(32), nullable=False, server_default=""))
    # Whole names of policies, with their options, are longer than a word.
    with op.batch_alter_table("occupancies") as batch:
        batch.alter_column("policy", existing_type=sa.String(32), type_=sa.Text())
    _add_policies()


def _add_policies() -> None:
    """Add rows for the policies of older sessions, which had none: their specification has them."""
    connection = op.get_bind()
    rows = connection.execute(
        sa.select(
            _SESSIONS.c.session_id, _SESSIONS.c.spec, _SESSIONS.c.opened_at, _SESSIONS.c.closed_at
        )
    ).all()
    policies = [
        {
            "session_id": session_id,
            "seat_id": seat_id,
            "policy": policy,
            "since": opened_at,
            "until": closed_at,
        }
        for session_id, spec, opened_at, closed_at in rows
        for seat_id, policy in _policies(spec)
    ]
    if policies:
        connection.execute(_SEATS.insert(), policies)


def _policies(spec: Any) -> list[tuple[str, str]]:
    return [
        (seat["seat"]["seat_id"], seat["policy"])
        for seat in (spec or {}).get("seats", [])
        if seat.get("occupied") and seat.get("policy")
    ]


def downgrade() -> None:
    # Older releases have no such rows, and no room for long names.
    op.execute(_SEATS.delete().where(_SEATS.c.policy.is_not(None)))
    with op.batch_alter_table("occupancies") as batch:
        batch.alter_column("policy", existing_type=sa.Text(), type_=sa.String(32))
    # In place: what other tables refer to cannot be made anew.
    for table, column in (("tickets", "seat"), ("tickets", "team"), ("matches", "team")):
        op.drop_column(table, column)
