"""Rows that are older than the time for which their kind is kept: how they are found and removed.

Each function removes what ended before ``before``, and returns how many rows went of which kind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, CursorResult, Delete, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.personal.key_folder import ForgottenError, KeysError
from server.store.codings import remove_codings
from server.store.missing_keys import take_marks
from server.store.models import (
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    PropositionRow,
    RecordingRow,
    SessionRow,
    TicketRow,
)
from server.store.operator_models import OperatorSignInRow
from server.store.sealed_rows import keys_of, person_of, sealed_object
from server.store.study_models import StudyRunRow
from server.store.visit_models import (
    AnswerRow,
    DraftRow,
    IdentityRow,
    SignRow,
    TroubleRow,
    VisitRow,
)

# Open play


async def outdated_open_sessions(db: AsyncSession, before: datetime, member: str) -> list[str]:
    """Return the sessions of open play of a server that closed before a time, the oldest first.

    None may have been opened while somebody in it visited a study: what is practised there is the
    study's. Whoever plays openly before their visit or after it plays openly.
    """
    of_study = exists().where(
        OccupancyRow.session_id == SessionRow.session_id,
        OccupancyRow.participant_id == VisitRow.participant_id,
        _while_visiting(),
    )
    named = exists().where(VisitRow.session_id == SessionRow.session_id)
    reported = exists().where(TroubleRow.session_id == SessionRow.session_id)
    found = await db.scalars(
        select(SessionRow.session_id)
        .join(MatchRow, MatchRow.match_id == SessionRow.match_id)
        .where(
            MatchRow.study.is_(None),
            SessionRow.member == member,
            SessionRow.state == "closed",
            SessionRow.closed_at < before,
            ~of_study,
            ~named,
            ~reported,
        )
        .order_by(SessionRow.closed_at, SessionRow.session_id)
    )
    return list(found)


def _while_visiting() -> ColumnElement[bool]:
    """Return whether a session was opened while a visit went on."""
    return (SessionRow.opened_at >= VisitRow.arrived_at) & (
        VisitRow.ended_at.is_(None) | (SessionRow.opened_at <= VisitRow.ended_at)
    )


async def remove_sessions(db: AsyncSession, session_ids: Collection[str]) -> None:
    """Remove sessions of open play with all that the database has of them; files are elsewhere."""
    ids = list(session_ids)
    episodes = select(EpisodeRow.episode_id).where(EpisodeRow.session_id.in_(ids))
    asked = select(SessionRow.match_id).where(SessionRow.session_id.in_(ids))
    matches = list(await db.scalars(asked))
    await remove_codings(db, ids)
    for removed in (
        delete(PropositionRow).where(PropositionRow.episode_id.in_(episodes)),
        delete(EpisodeRow).where(EpisodeRow.session_id.in_(ids)),
        delete(OccupancyRow).where(OccupancyRow.session_id.in_(ids)),
        delete(RecordingRow).where(RecordingRow.session_id.in_(ids)),
        delete(SessionRow).where(SessionRow.session_id.in_(ids)),
        delete(TicketRow).where(TicketRow.match_id.in_(matches)),
        delete(MatchRow).where(MatchRow.match_id.in_(matches)),
    ):
        await db.execute(removed.execution_options(synchronize_session=False))


async def remove_loose_rows(db: AsyncSession, before: datetime) -> Mapping[str, int]:
    """Remove stays in the lobby and groups of open play that no session keeps."""
    seated = exists().where(OccupancyRow.ticket_id == TicketRow.ticket_id)
    opened = exists().where(SessionRow.match_id == TicketRow.match_id)
    in_study = exists().where(VisitRow.participant_id == TicketRow.participant_id)
    tickets = delete(TicketRow).where(TicketRow.left_at < before, ~seated, ~opened, ~in_study)
    played = exists().where(SessionRow.match_id == MatchRow.match_id)
    waited = exists().where(TicketRow.match_id == MatchRow.match_id)
    groups = delete(MatchRow).where(
        MatchRow.study.is_(None), MatchRow.formed_at < before, ~played, ~waited
    )
    # In this order: a row keeps those that it names.
    return {
        "stays in the lobby": await _count(db, tickets),
        "groups": await _count(db, groups),
    }


async def remove_people(db: AsyncSession, before: datetime, at_most: int | None = None) -> int:
    """Remove people of open play of whom no row is left, with their keys; return how many.

    A transaction that is taken back brings no key back, and need not: nothing is left that theirs
    opens, and whoever comes again gets another where `unmark_people` was committed before.
    """
    people = await loose_people(db, before, at_most)
    removed = delete(ParticipantRow).where(ParticipantRow.participant_id.in_(people))
    count = await _count(db, removed)
    if (keys := keys_of(db)) is not None:
        # Before the commit: after a crash the next run would not find who has no row any more.
        await asyncio.to_thread(keys.destroy, people)
    return count


async def unmark_people(db: AsyncSession, before: datetime, at_most: int | None = None) -> None:
    """Note that people have no key who are to be removed: theirs are destroyed before a commit."""
    await take_marks(db, await loose_people(db, before, at_most))


async def loose_people(db: AsyncSession, before: datetime, at_most: int | None = None) -> list[str]:
    """Return the people of open play of whom nothing but their own row is kept."""
    found = await db.scalars(
        select(ParticipantRow.participant_id)
        .where(
            ParticipantRow.created_at < before,
            ~exists().where(VisitRow.participant_id == ParticipantRow.participant_id),
            ~exists().where(TicketRow.participant_id == ParticipantRow.participant_id),
            ~exists().where(OccupancyRow.participant_id == ParticipantRow.participant_id),
        )
        .order_by(ParticipantRow.participant_id)
        .limit(at_most)
    )
    return list(found)


async def _count(db: AsyncSession, removed: Delete) -> int:
    """Remove rows, and return how many."""
    result = await db.execute(removed.execution_options(synchronize_session=False))
    return cast("CursorResult[Any]", result).rowcount


# Studies


async def studies_over(db: AsyncSession, before: datetime) -> list[str]:
    """Return the studies of which all versions were closed, the last of them before a time."""
    found = await db.execute(
        select(
            StudyRunRow.study,
            func.count(),
            func.count(StudyRunRow.closed_at),
            func.max(StudyRunRow.closed_at),
        ).group_by(StudyRunRow.study)
    )
    over = []
    for study, n_runs, n_closed, closed_at in found:
        if n_runs == n_closed and closed_at is not None and closed_at < before:
            over.append(study)
    return sorted(over)


async def remove_drafts(db: AsyncSession, before: datetime) -> Mapping[str, int]:
    """Remove fields that were filled in and not sent."""
    removed = delete(DraftRow).where(DraftRow.saved_at < before)
    return {"drafts": await _count(db, removed)}


async def remove_problem_reports(db: AsyncSession, before: datetime) -> Mapping[str, int]:
    """Remove reports of problems."""
    removed = delete(TroubleRow).where(TroubleRow.reported_at < before)
    return {"reports of problems": await _count(db, removed)}


async def remove_identities(db: AsyncSession, before: datetime) -> Mapping[str, int]:
    """Forget who people are at the recruiters of studies that are over; their visits stay.

    The keyed hash stays: a further version of the study takes nobody twice.
    """
    rows = await db.scalars(
        select(IdentityRow)
        .where(IdentityRow.study.in_(await studies_over(db, before)))
        .execution_options(populate_existing=True)
    )
    known = [row for row in rows if row.external_id or row.parameters]
    for row in known:
        emptied = await _no_parameters(db, row.visit_id)
        # Not by the row, which without a key reads as if it had no parameters.
        await db.execute(
            update(IdentityRow)
            .where(IdentityRow.visit_id == row.visit_id)
            .values(external_id=None, parameters=emptied)
            .execution_options(synchronize_session=False)
        )
    return {"ids at recruiters": len(known)}


async def _no_parameters(db: AsyncSession, visit_id: str) -> dict[str, Any]:
    """Return empty parameters as they are stored: sealed, or they look like an older release's."""
    try:
        return await sealed_object(db, await person_of(db, visit_id), {})
    except (ForgottenError, KeysError):
        return {}


async def remove_study_answers(db: AsyncSession, before: datetime) -> Mapping[str, int]:
    """Remove answers and signs of studies that are over."""
    visits = select(VisitRow.visit_id).where(VisitRow.study.in_(await studies_over(db, before)))
    counts = {}
    for name, table in (("answers", AnswerRow), ("signs", SignRow), ("drafts", DraftRow)):
        counts[name] = await _count(db, delete(table).where(table.visit_id.in_(visits)))
    return counts


async def outdated_study_sessions(db: AsyncSession, before: datetime, member: str) -> list[str]:
    """Return the sessions of studies that are over whose recordings lie on a server still."""
    removed = exists().where(
        RecordingRow.session_id == SessionRow.session_id, RecordingRow.file == ""
    )
    over = await studies_over(db, before)
    practised = exists().where(
        OccupancyRow.session_id == SessionRow.session_id,
        OccupancyRow.participant_id == VisitRow.participant_id,
        VisitRow.study.in_(over),
        _while_visiting(),
    )
    found = await db.scalars(
        select(SessionRow.session_id)
        .join(MatchRow, MatchRow.match_id == SessionRow.match_id)
        .where(
            MatchRow.study.in_(over)
            # What was practised has no study of its own.
            | (MatchRow.study.is_(None) & practised),
            SessionRow.member == member,
            SessionRow.state == "closed",
            SessionRow.closed_at < before,
            ~removed,
        )
        .order_by(SessionRow.session_id)
    )
    return list(found)


# Operators


async def remove_sign_ins(db: AsyncSession, before: datetime) -> Mapping[str, int]:
    """Remove sign-ins of operators that have ended."""
    removed = delete(OperatorSignInRow).where(OperatorSignInRow.ends_at < before)
    return {"sign-ins": await _count(db, removed)}
