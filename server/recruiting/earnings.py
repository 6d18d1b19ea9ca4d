"""Earnings of visits, from what is stored of them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import distinct, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study.pay import Owed
from matchmaking.visit_times import Stay, VisitTimes, times_of
from matchmaking.visits import Place
from server.store.models import EpisodeRow
from server.store.visit_models import VisitRow
from server.store.visits import steps_of


class Earnings(NamedTuple):
    """Earnings of a visit that has ended, with the times that they were reckoned from."""

    owed: Owed
    times: VisitTimes
    successes: int
    is_at_ceiling: bool
    """Whether its time would have earned more than the study pays for the time of one visit."""

    def hourly(self) -> float | None:
        """Return what an hour earned, in minor units; None: it took no time."""
        return self.owed.total * 3600 / self.times.spent_s if self.times.spent_s else None


async def earnings_of(
    db: AsyncSession, visit: VisitRow, study: Study, now: datetime
) -> Earnings | None:
    """Return what a visit has earned; None: it goes on."""
    if visit.ending is None or visit.place != Place.ENDED:
        return None
    steps = [
        Stay(Place(step.place), step.at.timestamp()) for step in await steps_of(db, visit.visit_id)
    ]
    times = times_of(visit.arrived_at.timestamp(), steps, now.timestamp())
    successes = 0
    if visit.session_id is not None:
        # A task once, and practice not at all.
        successes = (
            await db.scalar(
                select(func.count(distinct(EpisodeRow.task_id))).where(
                    EpisodeRow.session_id == visit.session_id,
                    EpisodeRow.success.is_(True),
                    EpisodeRow.task_id.not_in(study.tasks.practice),
                )
            )
            or 0
        )
    ending = Ending(visit.ending)
    owed = study.owed(ending, spent_s=times.spent_s, waited_s=times.waited_s, successes=successes)
    unbounded = study.pay.owed(
        ending,
        spent_s=times.spent_s,
        waited_s=times.waited_s,
        successes=successes,
        is_flat=study.minutes is not None,
    )
    return Earnings(owed, times, successes, is_at_ceiling=owed != unbounded)
