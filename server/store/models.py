"""Tables of the database. Ids are ours (`matchmaking.identifiers`); times are instants in UTC."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from server.store.types import UtcDateTime

Id = String(32)
Word = String(32)
"""A value of a small vocabulary: state, kind, reason."""
Seat = String(32)
Member = String(32)
"""Name of the server that a row belongs to, among those that share the database."""


class Base(DeclarativeBase):
    # Named constraints, because a migration can only change what has a name.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcDateTime,
        dict[str, Any]: JSON(none_as_null=True),
    }


class ParticipantRow(Base):
    """A person, known by a cookie of which only the hash is kept."""

    __tablename__ = "participants"

    participant_id: Mapped[str] = mapped_column(Id, primary_key=True)
    cookie_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    forgotten_at: Mapped[datetime | None]
    """Time at which they were forgotten: their key is destroyed, and no browser is theirs."""
    key_mark: Mapped[str | None] = mapped_column(String(16))
    """Word by which their key is known again (`server.store.key_marks`); None: none was made."""


class MatchRow(Base):
    """A group formed by a matchmaker, with the seed that drew the seats and the tasks."""

    __tablename__ = "matches"

    match_id: Mapped[str] = mapped_column(Id, primary_key=True)
    policy: Mapped[str] = mapped_column(Word)
    seed: Mapped[int]
    formed_at: Mapped[datetime]
    n_waiting: Mapped[int]
    """People in the lobby when it was formed, these included."""
    team: Mapped[str] = mapped_column(Text, default="", server_default="")
    """The team that plays, written out; empty: its session's occupancies say so (rows of older
    releases)."""
    study: Mapped[str | None] = mapped_column(String(64), index=True)
    """Name of the study that it belongs to; None: open play."""
    study_version: Mapped[int | None]
    study_mode: Mapped[str | None] = mapped_column(Word)
    cell: Mapped[str | None] = mapped_column(String(64))
    """Condition of that study; None: it was not formed as one."""
    is_substituted: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether a policy has a place that the condition has for a person, or had it for a while."""
    decision: Mapped[dict[str, Any] | None]
    """`matchmaking.matches.Decision`; None in rows of older releases."""
    place: Mapped[int | None]
    """Place of the study's ledger of draws; None: it has no condition."""
    plan: Mapped[dict[str, Any] | None]
    """`matchmaking.assignment.group_plan.GroupPlan`; None: the session chooses its tasks."""


class TicketRow(Base):
    """A stay in the lobby."""

    __tablename__ = "tickets"

    ticket_id: Mapped[str] = mapped_column(Id, primary_key=True)
    participant_id: Mapped[str] = mapped_column(
        ForeignKey(ParticipantRow.participant_id), index=True
    )
    wish: Mapped[str] = mapped_column(Word)
    code: Mapped[str] = mapped_column(String(16), default="", index=True)
    team: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Name of the team that was asked for; empty: what the wish says."""
    seat: Mapped[str] = mapped_column(Seat, default="", server_default="")
    """Place that the invitation's link named; empty: any."""
    robot: Mapped[str] = mapped_column(Text, default="", server_default="")
    """Policy that was asked for (wish ``robot``), by its whole name."""
    rtt_ms: Mapped[float | None]
    """Median of the participant's round trips; None: not measured."""
    is_first: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether it stands before those who came earlier, because its group fell apart."""
    wants_to_begin: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether it waits for no more people than the least."""
    sent_on_at: Mapped[datetime | None]
    """Time from which it waits no longer, because an operator said so."""
    state: Mapped[str] = mapped_column(Word)
    member: Mapped[str] = mapped_column(Member, server_default="main")
    joined_at: Mapped[datetime]
    left_at: Mapped[datetime | None]
    n_waiting_at_join: Mapped[int]
    match_id: Mapped[str | None] = mapped_column(ForeignKey(MatchRow.match_id))


class SessionRow(Base):
    """A session of a match: one simulator, its seats, a series of episodes."""

    __tablename__ = "sessions"

    session_id: Mapped[str] = mapped_column(Id, primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey(MatchRow.match_id), unique=True)
    state: Mapped[str] = mapped_column(Word, index=True)
    """``open`` or ``closed``."""
    member: Mapped[str] = mapped_column(Member, server_default="main")
    seed: Mapped[int]
    simulator: Mapped[str] = mapped_column(Word)
    profile: Mapped[str] = mapped_column(Word)
    semantics: Mapped[str] = mapped_column(Word)
    dataset: Mapped[str] = mapped_column(String(255))
    spec: Mapped[dict[str, Any]]
    """`server.sessions.spec.SessionSpec` as it was opened."""
    opened_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    close_reason: Mapped[str | None] = mapped_column(Word)

    occupancies: Mapped[list[OccupancyRow]] = relationship(order_by="OccupancyRow.seat_id")
    episodes: Mapped[list[EpisodeRow]] = relationship(
        back_populates="session", order_by="EpisodeRow.order_index"
    )


class OccupancyRow(Base):
    """Occupant of a seat, a participant or a policy, since when; a present one has no ``until``."""

    __tablename__ = "occupancies"
    __table_args__ = (
        Index("ix_occupancies_session_id_seat_id", "session_id", "seat_id"),
        # Nobody sits in two sessions, whatever goes wrong and whichever process stores it.
        Index(
            "uq_occupancies_open_participant_id",
            "participant_id",
            unique=True,
            sqlite_where=text("until IS NULL"),
            postgresql_where=text("until IS NULL"),
        ),
    )

    occupancy_id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[str] = mapped_column(ForeignKey(SessionRow.session_id))
    seat_id: Mapped[str] = mapped_column(Seat)
    participant_id: Mapped[str | None] = mapped_column(
        ForeignKey(ParticipantRow.participant_id), index=True
    )
    policy: Mapped[str | None] = mapped_column(Text)
    """Whole name of the policy, with its options."""
    ticket_id: Mapped[str | None] = mapped_column(ForeignKey(TicketRow.ticket_id))
    since: Mapped[datetime]
    until: Mapped[datetime | None]


class EpisodeRow(Base):
    """An attempt at a task. What it was judged with stands beside the verdict."""

    __tablename__ = "episodes"
    __table_args__ = (UniqueConstraint("session_id", "order_index"),)

    episode_id: Mapped[str] = mapped_column(Id, primary_key=True)
    session_id: Mapped[str] = mapped_column(ForeignKey(SessionRow.session_id))
    order_index: Mapped[int]
    """Place in the session, from 0."""
    dataset: Mapped[str] = mapped_column(String(255))
    task_id: Mapped[str] = mapped_column(String(64), index=True)
    try_index: Mapped[int]
    spec: Mapped[dict[str, Any] | None]
    """`server.sessions.spec.EpisodeSpec` as it was begun; None in rows of older releases."""
    task_text: Mapped[str] = mapped_column(Text, default="")
    scene_id: Mapped[str | None] = mapped_column(String(255))
    opened_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    end_reason: Mapped[str | None] = mapped_column(Word)
    ticks: Mapped[int | None]
    lost_ticks: Mapped[int] = mapped_column(default=0, server_default="0")
    """Ticks that were played while nothing could be recorded, and then lost."""
    is_substituted: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether a policy had a person's place in it."""
    watched_s: Mapped[float | None]
    """Seconds for which an operator watched it; None: played before that was noted."""
    clock: Mapped[str | None] = mapped_column(Word)
    """The rule by which the task's clock started (`ClockRule`); empty: it never did; None: the
    episode has not ended, or ended before clocks were stored."""
    clock_ticks: Mapped[int | None]
    """Ticks between the start of the episode and that of the clock."""
    percent_complete: Mapped[float | None]
    success: Mapped[bool | None]
    explanation: Mapped[str | None] = mapped_column(Text)
    verdict: Mapped[dict[str, Any] | None]
    state_digest: Mapped[str | None] = mapped_column(String(64))
    simulator: Mapped[str] = mapped_column(Word)
    profile: Mapped[str] = mapped_column(Word)
    semantics: Mapped[str] = mapped_column(Word)
    simulator_version: Mapped[str | None] = mapped_column(Word)
    profile_digest: Mapped[str | None] = mapped_column(String(64))
    scene_digest: Mapped[str | None] = mapped_column(String(64))
    evaluator_version: Mapped[str | None] = mapped_column(Word)
    server_version: Mapped[str] = mapped_column(Word)

    session: Mapped[SessionRow] = relationship(back_populates="episodes")
    propositions: Mapped[list[PropositionRow]] = relationship(
        order_by="PropositionRow.proposition_index"
    )


class PropositionRow(Base):
    """A proposition of an episode's verdict, as a row to count with."""

    __tablename__ = "propositions"

    episode_id: Mapped[str] = mapped_column(ForeignKey(EpisodeRow.episode_id), primary_key=True)
    proposition_index: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    satisfied: Mapped[bool]
    valid: Mapped[bool]
    """Whether no constraint invalidates it."""
    satisfied_tick: Mapped[int | None]
    by_seat: Mapped[str | None] = mapped_column(Seat)
    broken_tick: Mapped[int | None]
    broken_by_seat: Mapped[str | None] = mapped_column(Seat)


class RecordingRow(Base):
    """The log of a closed session, in the archive."""

    __tablename__ = "recordings"

    session_id: Mapped[str] = mapped_column(ForeignKey(SessionRow.session_id), primary_key=True)
    file: Mapped[str] = mapped_column(String(255))
    """Name in the archive's folder."""
    format: Mapped[int]
    episodes: Mapped[int]
    ticks: Mapped[int]
    log_bytes: Mapped[int]
    packed_bytes: Mapped[int]
    lost_bytes: Mapped[int]
    """Bytes of a torn end that had no right checksum and were left out."""
    sha256: Mapped[str] = mapped_column(String(64))
    """Digest of the packed file, in hex."""
    archived_at: Mapped[datetime]
