"""At most one open seat of a participant, kept by the database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime
from server.wall_clock import utc_now

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEX = "uq_occupancies_open_participant_id"


def upgrade() -> None:
    seats = sa.table(
        "occupancies",
        sa.column("occupancy_id", sa.Integer()),
        sa.column("participant_id", sa.String()),
        sa.column("until", UtcDateTime(timezone=True)),
    )
    is_open = sa.and_(seats.c.until.is_(None), seats.c.participant_id.is_not(None))
    # Who sat in two sessions, as one could between tasks, keeps the later seat.
    latest = (
        sa.select(sa.func.max(seats.c.occupancy_id))
        .where(is_open)
        .group_by(seats.c.participant_id)
        .scalar_subquery()
    )
    op.execute(
        seats.update().where(is_open, seats.c.occupancy_id.not_in(latest)).values(until=utc_now())
    )
    op.create_index(
        INDEX,
        "occupancies",
        ["participant_id"],
        unique=True,
        sqlite_where=sa.text("until IS NULL"),
        postgresql_where=sa.text("until IS NULL"),
    )


def downgrade() -> None:
    op.drop_index(INDEX, "occupancies")
