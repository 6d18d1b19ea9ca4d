"""Store of a server's draws: its database, the seed of its key, and its sets of tasks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

from episodes.houses.files import tasks_file
from matchmaking.assignment.exposure import Exposures
from matchmaking.assignment.records import Record
from matchmaking.study import Study
from matchmaking.study_key import StudyKey
from server.lobby.study_draws import Stored
from server.store.attempts import ATTEMPT_S, attempt
from server.store.closed_cells import closed_cells
from server.store.database import Database
from server.store.draws import append_draws, draws_of
from server.store.study_groups import (
    Course,
    courses_of,
    ended_visits,
    exposures_of,
    started_groups,
)


class StoredDraws:
    """Draws in a database. ``seed_of`` is known to this server alone, ``tasks_of`` reads a set."""

    def __init__(
        self,
        database: Database,
        seed_of: Callable[[StudyKey], str],
        tasks_of: Callable[[Study], Awaitable[Sequence[str]]],
    ) -> None:
        self._database, self._seed_of, self._tasks_of = database, seed_of, tasks_of

    async def load(self, study: Study) -> Stored:
        """Return the draws of a study so far."""
        tasks = await self._tasks_of(study)
        async with self._database.transaction() as db:
            records = await draws_of(db, study.key)
            started = await started_groups(db, study.key)
            closed = await closed_cells(db, study.key)
        return Stored(self._seed_of(study.key), tasks, records, started, closed)

    async def append(self, key: StudyKey, first: int, records: Sequence[Record]) -> None:
        """Store further records, the first of which has the number ``first``."""
        await attempt(self._append(key, first, records), ATTEMPT_S)

    async def _append(self, key: StudyKey, first: int, records: Sequence[Record]) -> None:
        async with self._database.transaction() as db:
            await append_draws(db, key, first, records)

    async def exposures(self, study: Study, people: Iterable[str]) -> Exposures:
        """Return what some participants have met of the set of a study's tasks."""
        dataset = tasks_file(Path(), study.tasks.set).as_posix()
        async with self._database.transaction() as db:
            return Exposures(await exposures_of(db, list(people), dataset))

    async def courses(self, study: Study, places: Sequence[int]) -> dict[int, Course]:
        """Return the courses of groups by their places."""
        if not places:
            return {}
        async with self._database.transaction() as db:
            return await courses_of(db, study.key, places)

    async def closed(self, key: StudyKey) -> frozenset[str]:
        """Return the conditions of a study that an operator closed."""
        async with self._database.transaction() as db:
            return await closed_cells(db, key)

    async def ended(self, people: Sequence[str]) -> dict[str, str]:
        """Return those of some participants whose visits have ended, with their endings."""
        if not people:
            return {}
        async with self._database.transaction() as db:
            return dict(await ended_visits(db, people))
