"""Operators have accounts, and what they do is logged in rows that stay as they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from server.store.types import UtcDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_REFUSAL = "the log of operators is added to, and never changed"


def upgrade() -> None:
    op.create_table(
        "operators",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("added_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("password_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_operators"),
    )
    op.create_table(
        "operator_sign_ins",
        sa.Column("sign_in", sa.String(64), nullable=False),
        sa.Column("operator", sa.String(64), nullable=False),
        sa.Column("began_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("used_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("ends_at", UtcDateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["operator"], ["operators.name"], name="fk_operator_sign_ins_operator_operators"
        ),
        sa.PrimaryKeyConstraint("sign_in", name="pk_operator_sign_ins"),
    )
    op.create_index("ix_operator_sign_ins_operator", "operator_sign_ins", ["operator"])
    op.create_table(
        "operator_acts",
        sa.Column("act_id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("target", sa.String(255), nullable=False),
        sa.Column("study", sa.String(64)),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("act_id", name="pk_operator_acts"),
    )
    op.create_index("ix_operator_acts_who", "operator_acts", ["who", "act_id"])
    op.create_index("ix_operator_acts_study", "operator_acts", ["study", "act_id"])
    _refuse_changes()


def _refuse_changes() -> None:
    """Have the database itself refuse to change or remove rows of the log."""
    if op.get_bind().dialect.name == "sqlite":
        # INSERT OR REPLACE removes the row that is in its way, and no trigger sees that.
        replaces = "WHEN EXISTS (SELECT 1 FROM operator_acts WHERE act_id = NEW.act_id) "
        for event, when in (("UPDATE", ""), ("DELETE", ""), ("INSERT", replaces)):
            op.execute(
                f"CREATE TRIGGER operator_acts_no_{event.lower()} BEFORE {event} ON operator_acts "
                f"{when}BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION operator_acts_stay() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER operator_acts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_acts "
        "FOR EACH STATEMENT EXECUTE FUNCTION operator_acts_stay()"
    )


def downgrade() -> None:
    op.drop_table("operator_acts")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION operator_acts_stay()")
    op.drop_index("ix_operator_sign_ins_operator", table_name="operator_sign_ins")
    op.drop_table("operator_sign_ins")
    op.drop_table("operators")
