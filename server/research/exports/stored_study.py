"""All that the database holds of a version of a study in one mode, read at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.assignment.records import Record
from matchmaking.study_key import StudyKey
from server.coding.notes import Coding
from server.research.studies.manifest import Manifest
from server.research.studies.opening import manifest_of
from server.store.closed_cells import Closing, closings_of
from server.store.codings import finished_codings
from server.store.draws import draws_of
from server.store.missing_keys import check_keys
from server.store.model_readings import readings_of
from server.store.models import (
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    PropositionRow,
    SessionRow,
    TicketRow,
)
from server.store.study_models import ModelReadingRow, StudyRunRow
from server.store.study_runs import Unblinding, key_of, unblindings_of
from server.store.visit_models import AnswerRow, ConsentRow, SignRow, VisitRow, VisitStepRow


class StoredStudy(NamedTuple):
    """Rows of a study, each kind in the order of its ids."""

    manifest: Manifest
    key: StudyKey
    is_closed: bool
    unblindings: Sequence[Unblinding]
    draws: Sequence[Record]
    visits: Sequence[VisitRow]
    steps: Sequence[VisitStepRow]
    consents: Sequence[ConsentRow]
    answers: Sequence[AnswerRow]
    signs: Sequence[SignRow]
    tickets: Sequence[TicketRow]
    """Stays in the lobby of those who visit."""
    matches: Sequence[MatchRow]
    sessions: Sequence[SessionRow]
    occupancies: Sequence[OccupancyRow]
    episodes: Sequence[EpisodeRow]
    propositions: Sequence[PropositionRow]
    readings: Sequence[ModelReadingRow]
    """Readings of the models that its robots ask, in the order of time."""
    codings: Sequence[Coding] = ()
    """Episodes that coders have finished, with their notes."""
    closings: Sequence[Closing] = ()
    """Closings and openings of its cells by operators, in the order of time."""


async def stored_study(db: AsyncSession, run: StudyRunRow) -> StoredStudy:
    """Read what is stored of a run of a study. Raises KeysError where keys are missing."""
    key = key_of(run)
    await check_keys(db, key.name)
    mine, group = _visits_of(key), _matches_of(key)
    visits = select(VisitRow.visit_id).where(*mine)
    matches = select(MatchRow.match_id).where(*group)
    sessions = select(SessionRow.session_id).where(SessionRow.match_id.in_(matches))
    episodes = select(EpisodeRow.episode_id).where(EpisodeRow.session_id.in_(sessions))
    people = select(VisitRow.participant_id).where(*mine)
    return StoredStudy(
        manifest_of(run),
        key,
        run.closed_at is not None,
        await unblindings_of(db, run),
        await draws_of(db, key),
        (await db.scalars(select(VisitRow).where(*mine).order_by(VisitRow.visit_id))).all(),
        (
            await db.scalars(
                select(VisitStepRow)
                .where(VisitStepRow.visit_id.in_(visits))
                .order_by(VisitStepRow.visit_id, VisitStepRow.number)
            )
        ).all(),
        (
            await db.scalars(
                select(ConsentRow)
                .where(ConsentRow.visit_id.in_(visits))
                .order_by(ConsentRow.consent_id)
            )
        ).all(),
        (
            await db.scalars(
                select(AnswerRow)
                .where(AnswerRow.visit_id.in_(visits))
                .order_by(AnswerRow.visit_id, AnswerRow.answer_id)
            )
        ).all(),
        (
            await db.scalars(
                select(SignRow)
                .where(SignRow.visit_id.in_(visits))
                .order_by(SignRow.visit_id, SignRow.sign_id)
            )
        ).all(),
        (
            await db.scalars(
                select(TicketRow)
                .where(TicketRow.participant_id.in_(people))
                .order_by(TicketRow.ticket_id)
            )
        ).all(),
        (await db.scalars(select(MatchRow).where(*group).order_by(MatchRow.match_id))).all(),
        (
            await db.scalars(
                select(SessionRow)
                .where(SessionRow.match_id.in_(matches))
                .order_by(SessionRow.session_id)
            )
        ).all(),
        (
            await db.scalars(
                select(OccupancyRow)
                .where(OccupancyRow.session_id.in_(sessions))
                .order_by(OccupancyRow.session_id, OccupancyRow.seat_id, OccupancyRow.occupancy_id)
            )
        ).all(),
        (
            await db.scalars(
                select(EpisodeRow)
                .where(EpisodeRow.session_id.in_(sessions))
                .order_by(EpisodeRow.session_id, EpisodeRow.order_index)
            )
        ).all(),
        (
            await db.scalars(
                select(PropositionRow)
                .where(PropositionRow.episode_id.in_(episodes))
                .order_by(PropositionRow.episode_id, PropositionRow.proposition_index)
            )
        ).all(),
        await readings_of(db, key),
        await finished_codings(db, *group),
        await closings_of(db, key),
    )


def _visits_of(key: StudyKey) -> tuple[ColumnElement[bool], ...]:
    return (
        VisitRow.study == key.name,
        VisitRow.study_version == key.version,
        VisitRow.mode == key.mode,
    )


def _matches_of(key: StudyKey) -> tuple[ColumnElement[bool], ...]:
    return (
        MatchRow.study == key.name,
        MatchRow.study_version == key.version,
        MatchRow.study_mode == key.mode,
    )
