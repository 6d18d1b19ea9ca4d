"""Tables of visits: where each stands, what it agreed to and answered, and who it is elsewhere.

What a recruiter knows people by is in `IdentityRow` alone, so that nothing else can leak it. That,
and what people wrote, is sealed under a key of each (`server.store.sealed_rows`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.store.models import (
    Base,
    Id,
    ParticipantRow,
    SessionRow,
    Word,
)

Name = String(64)
"""Name of a study, a page or a question."""


class StudyRow(Base):
    """Study as it was opened, one row for each form that a version has had."""

    __tablename__ = "studies"

    study: Mapped[str] = mapped_column(Name, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the value as JSON, in hex."""
    value: Mapped[dict[str, Any]]
    """`matchmaking.study.Study` as it was opened."""
    opened_at: Mapped[datetime]


class VisitRow(Base):
    """Arrival of a participant in a study, and where it stands (`matchmaking.visits`)."""

    __tablename__ = "visits"

    visit_id: Mapped[str] = mapped_column(Id, primary_key=True)
    participant_id: Mapped[str] = mapped_column(
        ForeignKey(ParticipantRow.participant_id), unique=True
    )
    study: Mapped[str] = mapped_column(Name, index=True)
    study_version: Mapped[int]
    mode: Mapped[str] = mapped_column(Word)
    """``live``, ``pilot`` or ``test``."""
    recruiter: Mapped[str] = mapped_column(Word)
    language: Mapped[str] = mapped_column(Word)
    place: Mapped[str] = mapped_column(Word, index=True)
    page: Mapped[int]
    """Position in the study's pages; their number when the visit has ended."""
    ending: Mapped[str | None] = mapped_column(Word)
    n_steps: Mapped[int] = mapped_column(default=0)
    """Steps taken so far: whoever moves the visit says how many they had seen."""
    arrived_at: Mapped[datetime]
    here_since: Mapped[datetime]
    """Time since when it stands at its place."""
    ended_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    """Time of a withdrawal, which may come after the end and then changes no ending."""
    session_id: Mapped[str | None] = mapped_column(ForeignKey(SessionRow.session_id))
    """Session that the group plays in."""
    occasion: Mapped[str] = mapped_column(Id, default="")
    """Episode that the questions between tasks are about, or were last."""


class VisitStepRow(Base):
    """A step of a visit: which event led from where to where."""

    __tablename__ = "visit_steps"

    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """Position among the steps of the visit, from 1."""
    event: Mapped[str] = mapped_column(Word)
    from_place: Mapped[str] = mapped_column(Word)
    from_page: Mapped[int]
    place: Mapped[str] = mapped_column(Word)
    page: Mapped[int]
    ending: Mapped[str | None] = mapped_column(Word)
    at: Mapped[datetime]


class IdentityRow(Base):
    """A participant as the recruiter knows them. For payments, and for who comes again."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("study", "mode", "recruiter", "external_hash"),)

    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), primary_key=True)
    study: Mapped[str] = mapped_column(Name)
    mode: Mapped[str] = mapped_column(Word)
    recruiter: Mapped[str] = mapped_column(Word)
    external_id: Mapped[str | None] = mapped_column(Text)
    """Id of the person there, sealed; None: the recruiter has none, or they were forgotten."""
    external_hash: Mapped[str | None] = mapped_column(String(64))
    """Keyed hash of the recruiter and the id, which stays: who comes twice is known by it."""
    parameters: Mapped[dict[str, Any]]
    """Parameters of the link as they came, by the names that they had; sealed."""


class ConsentRow(Base):
    """Consent of a participant, with an answer for each thing that was asked."""

    __tablename__ = "consents"

    consent_id: Mapped[int] = mapped_column(primary_key=True)
    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), index=True)
    version: Mapped[str] = mapped_column(Name)
    language: Mapped[str] = mapped_column(Word)
    text_digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the text that was shown, in hex."""
    given_at: Mapped[datetime]
    research: Mapped[bool]
    sharing: Mapped[bool]
    training: Mapped[bool]
    replay: Mapped[bool]


class AnswerRow(Base):
    """An answer to a question of a page, in one attempt at it."""

    __tablename__ = "answers"
    __table_args__ = (UniqueConstraint("visit_id", "page", "occasion", "attempt", "question"),)

    answer_id: Mapped[int] = mapped_column(primary_key=True)
    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), index=True)
    page: Mapped[str] = mapped_column(Name)
    occasion: Mapped[str] = mapped_column(Id, default="")
    """Episode that a page between tasks asks about; empty: the page comes once."""
    attempt: Mapped[int]
    """Count of attempts at the page, from 1."""
    question: Mapped[str] = mapped_column(Name)
    value: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    """Answer in the question's own form, words sealed; None: it was left out."""
    is_identifying: Mapped[bool]
    """Whether it may tell who somebody is, so that no export but the payments has it."""
    answered_at: Mapped[datetime]


class DraftRow(Base):
    """Fields of a page that is not finished, so that a reload brings them back."""

    __tablename__ = "drafts"

    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), primary_key=True)
    page: Mapped[str] = mapped_column(String(128), primary_key=True)
    fields: Mapped[dict[str, Any]]
    """Fields by their names, sealed."""
    saved_at: Mapped[datetime]


class TroubleRow(Base):
    """A trouble that a participant reported from a page, for the operator."""

    __tablename__ = "troubles"

    trouble_id: Mapped[int] = mapped_column(primary_key=True)
    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), index=True)
    place: Mapped[str] = mapped_column(Word)
    page: Mapped[int]
    session_id: Mapped[str | None] = mapped_column(ForeignKey(SessionRow.session_id))
    text: Mapped[str] = mapped_column(Text)
    """Report in the participant's own words, sealed."""
    reported_at: Mapped[datetime]
    told_at: Mapped[datetime | None]
    """Time at which the operator was told; None: not yet."""


class StudyPauseRow(Base):
    """A pause of a study's recruiting, which it began itself."""

    __tablename__ = "study_pauses"

    pause_id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(Name, index=True)
    mode: Mapped[str] = mapped_column(Word)
    cause: Mapped[str] = mapped_column(Word)
    """`matchmaking.recruiting_limits.Cause`."""
    text: Mapped[str] = mapped_column(Text)
    """Cause in a sentence, for the operator."""
    paused_at: Mapped[datetime]
    told_at: Mapped[datetime | None]
    resumed_at: Mapped[datetime | None]
    """Time since when it takes people again; None: it does not."""


class SignRow(Base):
    """A sign of a script, a shared account or inattention, for the researcher."""

    __tablename__ = "signs"

    sign_id: Mapped[int] = mapped_column(primary_key=True)
    visit_id: Mapped[str] = mapped_column(ForeignKey(VisitRow.visit_id), index=True)
    kind: Mapped[str] = mapped_column(Word)
    page: Mapped[str] = mapped_column(Name)
    detail: Mapped[dict[str, Any]]
    seen_at: Mapped[datetime]
