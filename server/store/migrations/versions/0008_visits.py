"""Visits: where each stands, what it agreed to and answered, and who it is at the recruiter."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "visits",
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("participant_id", sa.String(length=32), nullable=False),
        sa.Column("study", sa.String(length=64), nullable=False),
        sa.Column("study_version", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=32), nullable=False),
        sa.Column("recruiter", sa.String(length=32), nullable=False),
        sa.Column("language", sa.String(length=32), nullable=False),
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(length=32), nullable=True),
        sa.Column("n_steps", sa.Integer(), nullable=False),
        sa.Column("arrived_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("here_since", UtcDateTime(timezone=True), nullable=False),
        sa.Column("ended_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("session_id", sa.String(length=32), nullable=True),
        sa.Column("occasion", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.participant_id"],
            name=op.f("fk_visits_participant_id_participants"),
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.session_id"], name=op.f("fk_visits_session_id_sessions")
        ),
        sa.PrimaryKeyConstraint("visit_id", name=op.f("pk_visits")),
        sa.UniqueConstraint("participant_id", name=op.f("uq_visits_participant_id")),
    )
    with op.batch_alter_table("visits", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_visits_place"), ["place"], unique=False)
        batch_op.create_index(batch_op.f("ix_visits_study"), ["study"], unique=False)

    op.create_table(
        "answers",
        sa.Column("answer_id", sa.Integer(), nullable=False),
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("page", sa.String(length=64), nullable=False),
        sa.Column("occasion", sa.String(length=32), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=64), nullable=False),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("is_identifying", sa.Boolean(), nullable=False),
        sa.Column("answered_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_answers_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_answers")),
        sa.UniqueConstraint(
            "visit_id", "page", "occasion", "attempt", "question", name=op.f("uq_answers_visit_id")
        ),
    )
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_answers_visit_id"), ["visit_id"], unique=False)

    op.create_table(
        "consents",
        sa.Column("consent_id", sa.Integer(), nullable=False),
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=32), nullable=False),
        sa.Column("text_digest", sa.String(length=64), nullable=False),
        sa.Column("given_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("research", sa.Boolean(), nullable=False),
        sa.Column("sharing", sa.Boolean(), nullable=False),
        sa.Column("training", sa.Boolean(), nullable=False),
        sa.Column("replay", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_consents_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("consent_id", name=op.f("pk_consents")),
    )
    with op.batch_alter_table("consents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_consents_visit_id"), ["visit_id"], unique=False)

    op.create_table(
        "drafts",
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("page", sa.String(length=128), nullable=False),
        sa.Column("fields", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("saved_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_drafts_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("visit_id", "page", name=op.f("pk_drafts")),
    )
    op.create_table(
        "identities",
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("study", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=32), nullable=False),
        sa.Column("recruiter", sa.String(length=32), nullable=False),
        sa.Column("external_id", sa.String(length=255), nullable=True),
        sa.Column("parameters", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_identities_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("visit_id", name=op.f("pk_identities")),
        sa.UniqueConstraint(
            "study", "mode", "recruiter", "external_id", name=op.f("uq_identities_study")
        ),
    )
    op.create_table(
        "signs",
        sa.Column("sign_id", sa.Integer(), nullable=False),
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("page", sa.String(length=64), nullable=False),
        sa.Column("detail", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("seen_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_signs_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("sign_id", name=op.f("pk_signs")),
    )
    with op.batch_alter_table("signs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_signs_visit_id"), ["visit_id"], unique=False)

    op.create_table(
        "troubles",
        sa.Column("trouble_id", sa.Integer(), nullable=False),
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reported_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.session_id"], name=op.f("fk_troubles_session_id_sessions")
        ),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_troubles_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("trouble_id", name=op.f("pk_troubles")),
    )
    with op.batch_alter_table("troubles", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_troubles_visit_id"), ["visit_id"], unique=False)

    op.create_table(
        "visit_steps",
        sa.Column("visit_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(length=32), nullable=False),
        sa.Column("from_place", sa.String(length=32), nullable=False),
        sa.Column("from_page", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("ending", sa.String(length=32), nullable=True),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["visit_id"], ["visits.visit_id"], name=op.f("fk_visit_steps_visit_id_visits")
        ),
        sa.PrimaryKeyConstraint("visit_id", "number", name=op.f("pk_visit_steps")),
    )


def downgrade() -> None:
    op.drop_table("visit_steps")
    with op.batch_alter_table("troubles", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_troubles_visit_id"))

    op.drop_table("troubles")
    with op.batch_alter_table("signs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_signs_visit_id"))

    op.drop_table("signs")
    op.drop_table("identities")
    op.drop_table("drafts")
    with op.batch_alter_table("consents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_consents_visit_id"))

    op.drop_table("consents")
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_answers_visit_id"))

    op.drop_table("answers")
    with op.batch_alter_table("visits", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_visits_study"))
        batch_op.drop_index(batch_op.f("ix_visits_place"))

    op.drop_table("visits")
