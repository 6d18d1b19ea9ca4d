"""Tables of coding: codebooks, notes of coders on episodes, and which episodes a coder finished."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.store.models import Base, EpisodeRow, Id
from server.store.operator_models import OperatorName

Key = String(48)


class CodebookRow(Base):
    """Codebook as it was added. It stays as it is: notes mean what its definitions say."""

    __tablename__ = "codebooks"

    name: Mapped[str] = mapped_column(Key, primary_key=True)
    value: Mapped[dict[str, Any]]
    """`server.coding.codebook.Codebook`."""
    added_at: Mapped[datetime]


class CoderNoteRow(Base):
    """Note of a coder on a moment or a stretch of an episode."""

    __tablename__ = "coder_notes"
    __table_args__ = (UniqueConstraint("coder", "made_key", name="uq_coder_notes_coder_made_key"),)

    note_id: Mapped[str] = mapped_column(Id, primary_key=True)
    episode_id: Mapped[str] = mapped_column(ForeignKey(EpisodeRow.episode_id), index=True)
    codebook: Mapped[str] = mapped_column(ForeignKey(CodebookRow.name), index=True)
    code: Mapped[str] = mapped_column(Key)
    coder: Mapped[str] = mapped_column(OperatorName)
    """Name of the account, also when it has been removed."""
    first_tick: Mapped[int]
    last_tick: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    made_key: Mapped[str] = mapped_column(String(32))
    """Random word of the page that made it: what is sent twice is one note."""
    changed_at: Mapped[datetime]


class CodingRow(Base):
    """Episode that a coder has looked through with a codebook, to the end."""

    __tablename__ = "codings"

    episode_id: Mapped[str] = mapped_column(ForeignKey(EpisodeRow.episode_id), primary_key=True)
    codebook: Mapped[str] = mapped_column(ForeignKey(CodebookRow.name), primary_key=True)
    coder: Mapped[str] = mapped_column(OperatorName, primary_key=True)
    first_tick: Mapped[int]
    """First tick of the episode."""
    start_tick: Mapped[int]
    """Tick at which the task's time began."""
    last_tick: Mapped[int]
    """Last tick of the episode."""
    finished_at: Mapped[datetime]
