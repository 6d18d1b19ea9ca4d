"""Status of a study for its researcher: conditions, attrition, waits, spending; no outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.attrition import Flow, flows
from matchmaking.study import Study
from matchmaking.study_key import StudyKey
from server.recruiting.draw_seed import DrawSeed
from server.recruiting.payments import amount, payments_of
from server.research.studies.task_choice import tasks_of
from server.store.draws import draws_of
from server.store.models import TicketRow
from server.store.visit_models import ConsentRow, VisitRow


class Arm(NamedTuple):
    """A condition, or an order of conditions, with what became of its groups."""

    name: str
    target: int
    flow: Flow


class Status(NamedTuple):
    """Status of a version of a study in one mode."""

    arms: Sequence[Arm]
    arrived: int
    consented: int
    places: Mapping[str, int]
    """Visits that go on, by where they stand."""
    endings: Mapping[str, int]
    waits_s: Sequence[float]
    """Times of stays in the lobby that are over."""
    spent: int
    cap: int | None
    currency: str


async def status_of(
    db: AsyncSession, study: Study, data_dir: Path, secret_key: str, now: datetime
) -> Status:
    """Return the status of a study. Raises LedgerError: its ledger is not what the key gives."""
    key = study.key
    tasks = [task.task_id for task in tasks_of(study, data_dir)]
    seed = DrawSeed(secret_key)(key)
    assignment = Assignment(study, seed, tasks, await draws_of(db, key))
    found = flows(assignment.ledger)
    nothing = Flow(0, 0, 0, 0, 0, {})
    arms = [
        Arm(f"{stratum}: {arm.name}" if stratum else arm.name, arm.target, flow)
        for stratum, some in assignment.match_arms.items()
        for arm in some
        for flow in (found.get((stratum, arm.name), nothing),)
    ]
    visits = list(await db.scalars(select(VisitRow).where(*_visits_of(key))))
    consented = await db.scalars(
        select(ConsentRow.visit_id)
        .join(VisitRow, VisitRow.visit_id == ConsentRow.visit_id)
        .where(*_visits_of(key), ConsentRow.research)
        .distinct()
    )
    paid = await payments_of(db, study.name, now, study.mode)
    return Status(
        arms,
        len(visits),
        len(consented.all()),
        Counter(visit.place for visit in visits if visit.ending is None or visit.ended_at is None),
        Counter(visit.ending or "" for visit in visits if visit.ended_at is not None),
        await _waits_s(db, visits),
        paid.total,
        study.pay.cap,
        study.pay.currency,
    )


def status_lines(status: Status, *, is_closed: bool) -> Iterator[str]:
    """Yield the status as lines to print: a table of conditions, and a flow after CONSORT."""
    width = max(len(arm.name) for arm in status.arms)
    yield (f"{'condition':<{width}}  target  drawn  given up  begun  completed  lost  under way")
    for name, target, flow in status.arms:
        yield (
            f"{name:<{width}}  {target:>6}  {flow.drawn:>5}  {flow.given_up:>8}  {flow.begun:>5}"
            f"  {flow.completed:>9}  {flow.lost:>4}  {flow.under_way:>9}"
        )
    for name, _, flow in status.arms:
        if flow.reasons:
            told = ", ".join(f"{reason} {n}" for reason, n in sorted(flow.reasons.items()))
            yield f"left {name}: {told}"
    yield f"people: {status.arrived} arrived, {status.consented} consented"
    for title, counts in (("now at", status.places), ("ended as", status.endings)):
        if counts:
            told = ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
            yield f"{title}: {told}"
    if status.waits_s:
        yield (
            f"waits: {len(status.waits_s)}, median {median(status.waits_s):.0f} s, longest "
            f"{max(status.waits_s):.0f} s"
        )
    cap = "" if status.cap is None else f" of {amount(status.cap)}"
    yield f"owed so far: {amount(status.spent)}{cap} {status.currency}"
    if not is_closed:
        yield "outcomes: hidden until the study is closed"


async def _waits_s(db: AsyncSession, visits: Sequence[VisitRow]) -> list[float]:
    people = {visit.participant_id for visit in visits}
    rows = await db.execute(
        select(TicketRow.participant_id, TicketRow.joined_at, TicketRow.left_at).where(
            TicketRow.left_at.is_not(None), TicketRow.wish == "study"
        )
    )
    return [
        (left_at - joined_at).total_seconds()
        for who, joined_at, left_at in rows
        if who in people and left_at is not None
    ]


def _visits_of(key: StudyKey) -> tuple[ColumnElement[bool], ...]:
    return (
        VisitRow.study == key.name,
        VisitRow.study_version == key.version,
        VisitRow.mode == key.mode,
    )
