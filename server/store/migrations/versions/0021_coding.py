"""Researchers put codes of a codebook on moments and stretches of episodes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "codebooks",
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("added_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_codebooks"),
    )
    op.create_table(
        "coder_notes",
        sa.Column("note_id", sa.String(32), nullable=False),
        sa.Column("episode_id", sa.String(32), nullable=False),
        sa.Column("codebook", sa.String(48), nullable=False),
        sa.Column("code", sa.String(48), nullable=False),
        sa.Column("coder", sa.String(64), nullable=False),
        sa.Column("first_tick", sa.Integer(), nullable=False),
        sa.Column("last_tick", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made_key", sa.String(32), nullable=False),
        sa.Column("changed_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episodes.episode_id"], name="fk_coder_notes_episode_id_episodes"
        ),
        sa.ForeignKeyConstraint(
            ["codebook"], ["codebooks.name"], name="fk_coder_notes_codebook_codebooks"
        ),
        sa.PrimaryKeyConstraint("note_id", name="pk_coder_notes"),
        sa.UniqueConstraint("coder", "made_key", name="uq_coder_notes_coder_made_key"),
    )
    op.create_index("ix_coder_notes_episode_id", "coder_notes", ["episode_id"])
    op.create_index("ix_coder_notes_codebook", "coder_notes", ["codebook"])
    op.create_table(
        "codings",
        sa.Column("episode_id", sa.String(32), nullable=False),
        sa.Column("codebook", sa.String(48), nullable=False),
        sa.Column("coder", sa.String(64), nullable=False),
        sa.Column("first_tick", sa.Integer(), nullable=False),
        sa.Column("start_tick", sa.Integer(), nullable=False),
        sa.Column("last_tick", sa.Integer(), nullable=False),
        sa.Column("finished_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["episode_id"], ["episodes.episode_id"], name="fk_codings_episode_id_episodes"
        ),
        sa.ForeignKeyConstraint(
            ["codebook"], ["codebooks.name"], name="fk_codings_codebook_codebooks"
        ),
        sa.PrimaryKeyConstraint("episode_id", "codebook", "coder", name="pk_codings"),
    )


def downgrade() -> None:
    op.drop_table("codings")
    op.drop_table("coder_notes")
    op.drop_table("codebooks")
