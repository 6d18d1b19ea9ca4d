"""Tables of studies while they run: draws of conditions, openings, and who looked at outcomes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.models import Base, Word

Name = String(64)


class DrawRow(Base):
    """A record of a study's ledger of draws (`matchmaking.assignment.records`)."""

    __tablename__ = "draws"

    study: Mapped[str] = mapped_column(Name, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    mode: Mapped[str] = mapped_column(Word, primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """Position in the ledger, from 0."""
    record: Mapped[dict[str, Any]]


class StudyRunRow(Base):
    """Opening of a version of a study in one mode."""

    __tablename__ = "study_runs"

    study: Mapped[str] = mapped_column(Name, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    mode: Mapped[str] = mapped_column(Word, primary_key=True)
    manifest: Mapped[dict[str, Any]]
    """`server.research.studies.manifest.Manifest`, frozen when it was opened."""
    opened_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    """Time from which nobody is invited any more, and outcomes may be read."""


class UnblindingRow(Base):
    """A look at outcomes by condition before a study was closed."""

    __tablename__ = "unblindings"

    unblinding_id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(Name, index=True)
    version: Mapped[int]
    mode: Mapped[str] = mapped_column(Word)
    who: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


class ModelReadingRow(Base):
    """A reading of a model that robots of a study ask: what it is, and how it answers."""

    __tablename__ = "model_readings"

    reading_id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(Name, index=True)
    version: Mapped[int]
    mode: Mapped[str] = mapped_column(Word)
    occasion: Mapped[str] = mapped_column(Word)
    """``open``, ``daily`` or ``close``."""
    at: Mapped[datetime]
    model: Mapped[str] = mapped_column(Text)
    """Name of the model; empty: the server did not answer."""
    reading: Mapped[dict[str, Any] | None]
    """`server.robots.serving.served_model.ServedModel`; None: it could not be read."""
    text: Mapped[str] = mapped_column(Text)
    """Difference from the reading at its opening, or reason why it could not be read; empty: it is
    the same."""
