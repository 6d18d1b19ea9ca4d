"""Groups of a study: what became of them, what their people have met, and how long they waited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.assignment.exposure import Exposure
from matchmaking.assignment.group_plan import Attempt, GroupPlan
from matchmaking.matches import Decision
from matchmaking.study_key import StudyKey
from server.sessions.events import LAST_REASONS
from server.store.models import EpisodeRow, MatchRow, OccupancyRow, SessionRow, TicketRow
from server.store.visit_models import VisitRow


class Course(NamedTuple):
    """Course of a group so far."""

    people: tuple[str, ...]
    is_complete: bool
    """Whether all its tasks are done."""
    is_substituted: bool
    """Whether a policy had a place that the condition has for a person, if only for a while."""
    closed: str | None
    """Reason for which its session is closed; None: it is open."""


class Started(NamedTuple):
    """A group whose session was opened, with the waits of its people until it was there (s)."""

    place: int
    people: tuple[str, ...]
    waits_s: tuple[float, ...]
    others_s: tuple[float, ...] = ()
    """Times after the question at which the others of each were ready."""


def plan_of(match: MatchRow) -> GroupPlan | None:
    """Return the plan of a match; None: its session chooses its tasks."""
    return None if match.plan is None else msgspec.convert(match.plan, GroupPlan)


async def plan_of_session(db: AsyncSession, session_id: str) -> GroupPlan | None:
    """Return the plan of a session's group; None: the session chooses its tasks."""
    match = await db.scalar(
        select(MatchRow)
        .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
        .where(SessionRow.session_id == session_id)
    )
    return None if match is None else plan_of(match)


def attempts_of(episodes: Iterable[EpisodeRow]) -> list[Attempt]:
    """Return the attempts that episodes are, in their order; one that was left is not judged."""
    return [
        Attempt(e.task_id, None if _is_open(e) else bool(e.success))
        for e in sorted(episodes, key=lambda episode: episode.order_index)
    ]


def has_played_all(plan: GroupPlan | None, episodes: Iterable[EpisodeRow]) -> bool:
    """Tell whether a group has played all tasks of its plan; without a plan none is the last."""
    return plan is not None and plan.is_done(attempts_of(episodes))


def _is_open(episode: EpisodeRow) -> bool:
    return episode.verdict is None or episode.end_reason in LAST_REASONS


async def started_groups(db: AsyncSession, key: StudyKey) -> list[Started]:
    """Return all groups of a study that had a place and a session, in the order of their places."""
    rows = await db.execute(
        select(MatchRow, TicketRow.participant_id, TicketRow.joined_at)
        .join(TicketRow, TicketRow.match_id == MatchRow.match_id)
        .where(*_of(key))
        .order_by(MatchRow.place, TicketRow.ticket_id)
    )
    people: defaultdict[int, list[tuple[str, float]]] = defaultdict(list)
    decisions: dict[int, Decision | None] = {}
    for match, participant_id, joined_at in rows:
        assert match.place is not None, "only those with a place were asked for"
        waited_s = max(0.0, (match.formed_at - joined_at).total_seconds())
        people[match.place].append((participant_id, waited_s))
        decisions[match.place] = msgspec.convert(match.decision, Decision | None)
    return [_started(place, found, decisions[place]) for place, found in people.items()]


def _started(place: int, found: Sequence[tuple[str, float]], decision: Decision | None) -> Started:
    people = tuple(who for who, _ in found)
    if decision is None:
        # Rows of older releases do not say when the group was there.
        return Started(place, people, tuple(wait_s for _, wait_s in found))
    return Started(place, people, decision.waits_s, decision.others_ready_s)


async def courses_of(db: AsyncSession, key: StudyKey, places: Collection[int]) -> dict[int, Course]:
    """Return the courses of groups by their places."""
    found = {}
    wanted = sorted(places)
    for first in range(0, len(wanted), 500):
        rows = await db.execute(
            select(MatchRow, SessionRow)
            .join(SessionRow, SessionRow.match_id == MatchRow.match_id)
            .where(*_of(key), MatchRow.place.in_(wanted[first : first + 500]))
        )
        for match, session in rows.all():
            assert match.place is not None, "only those with a place were asked for"
            found[match.place] = await _course(db, match, session)
    return found


async def _course(db: AsyncSession, match: MatchRow, session: SessionRow) -> Course:
    people = await db.scalars(
        select(TicketRow.participant_id)
        .where(TicketRow.match_id == match.match_id)
        .order_by(TicketRow.ticket_id)
    )
    found = await db.scalars(select(EpisodeRow).where(EpisodeRow.session_id == session.session_id))
    episodes = list(found)
    return Course(
        tuple(people),
        has_played_all(plan_of(match), episodes),
        match.is_substituted or any(episode.is_substituted for episode in episodes),
        None if session.state == "open" else session.close_reason or "closed",
    )


async def exposures_of(db: AsyncSession, people: Collection[str], dataset: str) -> list[Exposure]:
    """Return what participants have met of a data set: tasks, houses, partners, conditions.

    Tasks of another set are others, whatever their ids.
    """
    mine = select(OccupancyRow.session_id).where(OccupancyRow.participant_id.in_(sorted(people)))
    seats: defaultdict[str, set[str]] = defaultdict(set)
    for session_id, person, policy in await db.execute(
        select(OccupancyRow.session_id, OccupancyRow.participant_id, OccupancyRow.policy).where(
            OccupancyRow.session_id.in_(mine)
        )
    ):
        seats[session_id].add(person or policy or "")
    episodes = await db.execute(
        select(EpisodeRow, MatchRow)
        .join(SessionRow, SessionRow.session_id == EpisodeRow.session_id)
        .join(MatchRow, MatchRow.match_id == SessionRow.match_id)
        .where(EpisodeRow.session_id.in_(mine), EpisodeRow.dataset == dataset)
        .order_by(EpisodeRow.opened_at, EpisodeRow.episode_id)
    )
    return [
        Exposure(
            participant_id=person,
            house=episode.scene_id or "",
            task_id=episode.task_id,
            partners=tuple(sorted(seats[episode.session_id] - {person, ""})),
            condition=_condition(match, episode.task_id),
            try_index=episode.try_index,
            at=episode.opened_at.timestamp(),
        )
        for episode, match in episodes.all()
        for person in sorted(seats[episode.session_id] & set(people))
    ]


async def ended_visits(db: AsyncSession, people: Sequence[str]) -> Mapping[str, str]:
    """Return the endings of those of some participants whose visits have ended."""
    rows = await db.execute(
        select(VisitRow.participant_id, VisitRow.ending).where(
            VisitRow.participant_id.in_(people), VisitRow.ended_at.is_not(None)
        )
    )
    return {person: ending or "ended" for person, ending in rows}


def _condition(match: MatchRow, task_id: str) -> str:
    plan = plan_of(match)
    played = None if plan is None else plan.condition_of(task_id)
    return match.cell or "" if played is None else played.cell


def _of(key: StudyKey) -> tuple[ColumnElement[bool], ...]:
    return (
        MatchRow.study == key.name,
        MatchRow.study_version == key.version,
        MatchRow.study_mode == key.mode,
        MatchRow.place.is_not(None),
    )
