"""Data of one person as they get them: answers, chat, times and payment, and nobody else's."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.privacy.own_chat import OwnLine, Stay, own_chat
from server.recording.recordings import RecordingError
from server.recruiting.earnings import earnings_of
from server.settings import Settings
from server.store import Database
from server.store.models import (
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    RecordingRow,
    SessionRow,
    TicketRow,
)
from server.store.studies import opened_version
from server.store.study_groups import attempts_of, plan_of
from server.store.visit_models import (
    AnswerRow,
    ConsentRow,
    DraftRow,
    IdentityRow,
    SignRow,
    TroubleRow,
    VisitRow,
)
from server.store.visits import steps_of, study_key_of, visit_of

NOT_HERE = (
    "what others wrote or did in the same sessions",
    "your movements, which stand in recordings together with those of the others",
    "exports of a study that were handed out already",
)
"""Parts that the file does not have, in words."""
NOT_YET = (
    "until your part in the study has its end: how tries ended, and signs of inattention or of "
    "programs"
)
NOT_TOLD = "how tries ended of which the study tells its people nothing"
VERDICT = "end_reason percent_complete success"
"""Columns of a try that tell what became of it, which a condition may withhold."""


async def own_data(
    settings: Settings, database: Database, participant_id: str, now: datetime
) -> dict[str, Any] | None:
    """Return all that is kept of a participant, fit for JSON; None: nothing is.

    What a study withholds from its people it withholds here: nothing of how tries ended while
    somebody's visit goes on, and then what their condition shows. Logs are read in a thread, one
    after the other. Raises DatabaseError.
    """
    async with database.transaction() as db:
        person = await db.get(ParticipantRow, participant_id)
        if person is None:
            return None
        visit = await visit_of(db, participant_id)
        goes_on = visit is not None and visit.ended_at is None
        sessions = await _sessions(db, participant_id, settings.member, goes_on)
        tasks = [task for session in sessions for task in session["tasks"]]
        left_out = [NOT_YET] if goes_on else []
        if not goes_on and any("success" not in task for task in tasks):
            left_out.append(NOT_TOLD)
        data = {
            "made_at": now.isoformat(),
            "not_in_this_file": [*NOT_HERE, *left_out],
            "known_since": person.created_at.isoformat(),
            "stays_in_the_lobby": await _stays(db, participant_id),
            "study": None if visit is None else await _study(db, visit, now),
            "sessions": sessions,
        }
        seats = await _seats(db, participant_id)
    for session in sessions:
        if "server" in session:
            continue
        stays = seats[session["session_id"]]
        session["chat"] = await _chat(settings, session["session_id"], stays)
    return data


async def _stays(db: AsyncSession, participant_id: str) -> list[dict[str, Any]]:
    rows = await db.scalars(
        select(TicketRow)
        .where(TicketRow.participant_id == participant_id)
        .order_by(TicketRow.ticket_id)
    )
    return [_row(row, "wish team seat robot state joined_at left_at rtt_ms") for row in rows]


async def _seats(db: AsyncSession, participant_id: str) -> dict[str, list[Stay]]:
    rows = await db.scalars(
        select(OccupancyRow)
        .where(OccupancyRow.participant_id == participant_id)
        .order_by(OccupancyRow.occupancy_id)
    )
    found: dict[str, list[Stay]] = {}
    for row in rows:
        until = None if row.until is None else row.until.timestamp()
        stay = Stay(row.seat_id, row.since.timestamp(), until)
        found.setdefault(row.session_id, []).append(stay)
    return found


async def _sessions(
    db: AsyncSession, participant_id: str, member: str, goes_on: bool
) -> list[dict[str, Any]]:
    """Return the sessions in which somebody had a seat, with their tasks and times.

    ``goes_on``: their visit has no end yet. One whose recording lies on another server than
    ``member`` has that server's name, and says so where its lines of chat would be.
    """
    found: dict[str, dict[str, Any]] = {}
    rows = await db.execute(
        select(OccupancyRow, SessionRow)
        .join(SessionRow, SessionRow.session_id == OccupancyRow.session_id)
        .where(OccupancyRow.participant_id == participant_id)
        .order_by(SessionRow.opened_at, OccupancyRow.occupancy_id)
    )
    for seat, session in rows:
        entry = found.setdefault(
            session.session_id, _row(session, "session_id opened_at closed_at") | {"seats": []}
        )
        entry["seats"].append(_row(seat, "seat_id since until"))
        if session.member != member:
            entry["server"] = session.member
            entry["chat"] = [{"text": f"(on another server, {session.member}: ask for it there)"}]
    for session_id, entry in found.items():
        episodes = list(
            await db.scalars(
                select(EpisodeRow)
                .where(EpisodeRow.session_id == session_id)
                .order_by(EpisodeRow.order_index)
            )
        )
        recording = await db.get(RecordingRow, session_id)
        entry["recording"] = "removed" if recording is not None and not recording.file else "kept"
        told = set() if goes_on else await _told(db, session_id, episodes)
        entry["tasks"] = [
            _row(one, "task_text opened_at ended_at")
            | (_row(one, VERDICT) if one.episode_id in told else {})
            for one in episodes
        ]
    return list(found.values())


async def _told(db: AsyncSession, session_id: str, episodes: list[EpisodeRow]) -> set[str]:
    """Return the tries of a session whose people are told what became of them."""
    match = await db.scalar(
        select(MatchRow)
        .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
        .where(SessionRow.session_id == session_id)
    )
    if match is None or match.study is None:
        return {one.episode_id for one in episodes}
    plan, attempts = plan_of(match), attempts_of(episodes)
    if plan is None:
        return set()
    return {one.episode_id for one in episodes if plan.explanation(one.task_id, attempts) != "none"}


async def _study(db: AsyncSession, visit: VisitRow, now: datetime) -> dict[str, Any]:
    """Return what a study keeps of somebody, signs once their visit has ended."""
    signs = {}
    if visit.ended_at is not None:
        signs["signs"] = await _of_visit(db, SignRow, visit, "kind page detail seen_at")
    identity = await db.get(IdentityRow, visit.visit_id)
    return {
        **_row(
            visit,
            "study study_version mode recruiter language place ending arrived_at ended_at "
            "withdrawn_at",
        ),
        "at_the_recruiter": {} if identity is None else dict(identity.parameters),
        "payment": await _payment(db, visit, now),
        "steps": [_row(step, "event place at") for step in await steps_of(db, visit.visit_id)],
        "consents": await _of_visit(
            db, ConsentRow, visit, "version language given_at research sharing training replay"
        ),
        "answers": await _of_visit(db, AnswerRow, visit, "page question attempt value answered_at"),
        "not_sent_yet": await _of_visit(db, DraftRow, visit, "page fields saved_at"),
        "reports": await _of_visit(db, TroubleRow, visit, "text place reported_at"),
        **signs,
    }


async def _payment(db: AsyncSession, visit: VisitRow, now: datetime) -> dict[str, Any] | None:
    """Return what is owed for a visit; None while it goes on, and where nothing is paid."""
    study = await opened_version(db, study_key_of(visit))
    earned = None if study is None else await earnings_of(db, visit, study, now)
    if study is None or earned is None or not study.pay.is_paid:
        return None
    return {
        "currency": study.pay.currency,
        **{f"{part}_minor_units": amount for part, amount in earned.owed._asdict().items()},
        "total_minor_units": earned.owed.total,
        "spent_s": round(earned.times.spent_s),
        "waited_s": round(earned.times.waited_s),
    }


async def _of_visit(
    db: AsyncSession, table: type[Any], visit: VisitRow, names: str
) -> list[dict[str, Any]]:
    rows = await db.scalars(
        select(table)
        .where(table.visit_id == visit.visit_id)
        .order_by(*table.__table__.primary_key.columns)
    )
    return [_row(row, names) for row in rows]


async def _chat(settings: Settings, session_id: str, stays: list[Stay]) -> list[dict[str, Any]]:
    try:
        lines = await asyncio.to_thread(
            own_chat, settings.log_path(session_id), settings.archive_dir, stays
        )
    except RecordingError:
        # What cannot be read is told of all the same.
        return [{"text": "(the recording cannot be read: ask the people who run this server)"}]
    return [_line(line) for line in lines]


def _line(line: OwnLine) -> dict[str, Any]:
    return {"at": line.at.isoformat(), "text": line.text}


def _row(row: Any, names: str) -> dict[str, Any]:
    """Return columns of a row, by their names with spaces between them; times in ISO 8601."""
    values: Mapping[str, Any] = {name: getattr(row, name) for name in names.split()}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }
