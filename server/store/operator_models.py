"""Tables of operators: accounts, sign-ins of their browsers, and the log of what they did."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.models import Base, Word

OperatorName = String(64)


class OperatorRow(Base):
    """Account of an operator. Of the password only an Argon2id hash is kept.

    Who signs in with OpenID Connect is known by three columns (`server.operator_accounts.Identity`)
    that are None for everybody else.
    """

    __tablename__ = "operators"
    __table_args__ = (
        Index("ix_operators_identity", "oidc_issuer", "oidc_claim", "oidc_value", unique=True),
    )

    name: Mapped[str] = mapped_column(OperatorName, primary_key=True)
    role: Mapped[str] = mapped_column(Word)
    """`server.operator_accounts.Role`, as a word."""
    password_hash: Mapped[str] = mapped_column(Text)
    """Empty: the account has no password."""
    added_at: Mapped[datetime]
    password_at: Mapped[datetime]
    """Time at which the password was set; that of the account where there is none."""
    oidc_issuer: Mapped[str | None] = mapped_column(String(255))
    oidc_claim: Mapped[str | None] = mapped_column(Word)
    oidc_value: Mapped[str | None] = mapped_column(String(255))


class OperatorSignInRow(Base):
    """Sign-in of a browser with an account, known by a cookie of which only the hash is kept."""

    __tablename__ = "operator_sign_ins"

    sign_in: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the cookie, in hex."""
    operator: Mapped[str] = mapped_column(ForeignKey(OperatorRow.name), index=True)
    began_at: Mapped[datetime]
    used_at: Mapped[datetime]
    """Time at which somebody last opened a page or pressed a button, to the minute."""
    ends_at: Mapped[datetime]


class OperatorActRow(Base):
    """Act of an operator. Rows are added only: the database refuses to change or remove one."""

    __tablename__ = "operator_acts"
    __table_args__ = (
        Index("ix_operator_acts_who", "who", "act_id"),
        Index("ix_operator_acts_study", "study", "act_id"),
    )

    act_id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(OperatorName)
    """Name of the account; of others ``token``, ``link``, ``this machine``, ``command line``."""
    act: Mapped[str] = mapped_column(Word)
    """`server.store.operator_acts.Act`."""
    target: Mapped[str] = mapped_column(String(255))
    """Id or name of the thing that it was done to: a session, a study, an account; empty: none."""
    study: Mapped[str | None] = mapped_column(String(64))
    """Name of the study that it concerns; None: none."""
    outcome: Mapped[str] = mapped_column(Word)
    """``done``, ``refused`` or ``too late``."""
    detail: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Anything else about it, in words."""
