"""Plans of episodes: the next task of a session, by its study's plan or of a data set."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import structlog
from msgspec import UNSET, convert

from episodes.bodies import SeatKind
from episodes.dataset import DatasetError
from episodes.houses.files import tasks_file
from episodes.rules import profile_named
from episodes.teams import Team
from matchmaking.assignment.group_plan import GroupPlan
from matchmaking.matches import Match
from matchmaking.study import Study
from matchmaking.study.pages import Tutorial
from matchmaking.study.treatment import Treatment
from matchmaking.study_key import StudyKey
from matchmaking.tutorials import is_tutorial
from server.hosting.task_series import (
    Choice,
    SeriesError,
    TaskInfo,
    TaskSource,
    for_those_left,
    next_choice,
    playable,
    tutorial_task,
)
from server.hosting.tutorial_tasks import NoTutorialTaskError, tutorial_set, tutorial_tasks
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.store.database import Database
from server.store.identifiers import new_id
from server.store.models import EpisodeRow, SessionRow
from server.store.sessions import session_row, vacated_seats
from server.store.study_groups import attempts_of, plan_of_session
from server.store.visits import study_key_of, visit_of

log = structlog.get_logger(__name__)


class PlannedEpisode(NamedTuple):
    """An episode to play, with the task that it is of."""

    spec: EpisodeSpec
    choice: Choice


class Source(NamedTuple):
    """Source that the next episode of a session is chosen from."""

    plan: GroupPlan | None
    tasks: Sequence[TaskInfo]
    dataset: str
    """Path of their data set, below the data directory."""


class EpisodePlans:
    """Plans of the episodes of all sessions."""

    def __init__(
        self, settings: Settings, database: Database, studies: Mapping[StudyKey, Study]
    ) -> None:
        """Wire the plans; ``studies`` say what their tutorials may be held in."""
        self._settings, self._database, self._studies = settings, database, studies
        self.tasks = TaskSource(settings.data_dir, settings.dataset)
        self._sets: dict[str, TaskSource] = {}
        self._plans: dict[str, GroupPlan | None] = {}
        """Plans by session."""
        self._practised: dict[tuple[StudyKey, SeatKind], list[str]] = {}
        """Tasks of the tutorials of studies."""

    async def first(self, match: Match, seed: int) -> PlannedEpisode:
        """Return the first episode of a match. Raises SeriesError: there is no task for it."""
        source = await self._source(match.plan)
        if match.plan is not None:
            return self._planned(match.plan, source.tasks, ())
        if is_tutorial(match.team):
            people = {a.seat_id: a.participant_id for a in match.assignments}
            source = await self._tutorial(match.team, people) or source
            choice = Choice(tutorial_task(playable(source.tasks, match.team)), 0)
        else:
            tasks = playable(source.tasks, match.team)
            choice = next_choice(tasks, seed, (), bodies=len(match.team.occupied))
        return PlannedEpisode(self._episode(source.dataset, choice), choice)

    async def source(self, session_id: str) -> Source:
        """Return what the next episode of a session is chosen from. Raises SeriesError."""
        async with self._database.transaction() as db:
            if session_id not in self._plans:
                self._plans[session_id] = await plan_of_session(db, session_id)
            row = await session_row(db, session_id)
        team = None if row is None else convert(row.spec, SessionSpec).team
        if row is not None and team is not None and is_tutorial(team):
            people = {o.seat_id: o.participant_id for o in row.occupancies}
            source = await self._tutorial(team, people)
            if source is not None:
                return source
        return await self._source(self._plans[session_id])

    def next(self, source: Source, row: SessionRow, *, again: bool) -> PlannedEpisode:
        """Return the next episode of a session. Raises SeriesError: there is none.

        A study's plan says itself how often a task is tried.
        """
        if source.plan is not None:
            return self._planned(source.plan, source.tasks, row.episodes)
        team = convert(row.spec, SessionSpec).team
        played = [episode.task_id for episode in row.episodes]
        # Who has left for good takes no part: nobody gets a task for two alone.
        vacated = vacated_seats(row)
        left = for_those_left(source.tasks, team, vacated)
        bodies = len(team.occupied) - len(vacated)
        choice = next_choice(left, row.seed, played, bodies=bodies, again=again)
        return PlannedEpisode(self._episode(source.dataset, choice), choice)

    def forget(self, session_id: str) -> None:
        """Forget a session that is over."""
        self._plans.pop(session_id, None)

    async def _source(self, plan: GroupPlan | None) -> Source:
        if plan is None:
            return Source(None, await self.tasks.all(), self._settings.dataset)
        return Source(plan, await self._set(plan.task_set), self._path_of(plan.task_set))

    async def _set(self, name: str) -> Sequence[TaskInfo]:
        if name not in self._sets:
            self._sets[name] = TaskSource(self._settings.data_dir, self._path_of(name))
        return await self._sets[name].all()

    def _path_of(self, task_set: str) -> str:
        data_dir = self._settings.data_dir
        return str(tasks_file(data_dir, task_set).relative_to(data_dir))

    async def _tutorial(self, team: Team, people: Mapping[str, str | None]) -> Source | None:
        """Return what the tutorial of a study is chosen from; None: it is in no study.

        ``people`` are participants by seat.
        """
        (seat,) = (seat for seat in team.occupied if seat.seat_id in team.people)
        async with self._database.transaction() as db:
            visit = await visit_of(db, people.get(seat.seat_id))
        if visit is None or visit.ending is not None:
            return None
        study = self._studies.get(study_key_of(visit))
        if study is None or study.page_of(Tutorial) is None:
            return None
        key, data_dir = (study.key, seat.kind), self._settings.data_dir
        own = self._settings.dataset_path
        file = tutorial_set(study, data_dir, own)
        try:
            if key not in self._practised:
                self._practised[key] = await asyncio.to_thread(
                    tutorial_tasks, study, seat.kind, data_dir, own
                )
        except (DatasetError, NoTutorialTaskError) as error:
            if file == own:
                # It was opened before this was looked at, and its people practise as they did.
                log.warning("tutorial.task_is_measured", study=study.name, reason=str(error))
                return None
            raise SeriesError(f"the tutorial of {study.name} has no task: {error}") from error
        tasks = await (self.tasks.all() if file == own else self._set(study.tasks.set))
        found = [task for task in tasks if task.task_id in self._practised[key]]
        return Source(None, found, str(file.relative_to(data_dir)))

    def _planned(
        self, plan: GroupPlan, tasks: Sequence[TaskInfo], episodes: Sequence[EpisodeRow]
    ) -> PlannedEpisode:
        following = plan.next_task(attempts_of(episodes))
        if following is None:
            raise SeriesError("the study has no further task for this group")
        by_id: Mapping[str, TaskInfo] = {task.task_id: task for task in tasks}
        task_id = following.task.task_id
        if task_id not in by_id:
            raise SeriesError(f"the set {plan.task_set} has no task {task_id!r} any more")
        treatment = following.condition.treatment
        choice = Choice(by_id[task_id], following.try_index)
        spec = EpisodeSpec(
            new_id("epi"),
            self._path_of(plan.task_set),
            task_id,
            following.try_index,
            plan.limit_s or self._settings.time_limit_s,
            seed=following.task.seed,
            without=without(treatment),
            delay_ms=treatment.latency_ms or UNSET,
        )
        return PlannedEpisode(spec, choice)

    def _episode(self, dataset: str, choice: Choice) -> EpisodeSpec:
        return EpisodeSpec(
            new_id("epi"),
            dataset,
            choice.task.task_id,
            choice.try_index,
            self._settings.time_limit_s,
        )


PARTNER_VIEW = ("partner_view", "partner_status", "map")
"""Parts of the interface that show where the partner is, and what they do."""


def without(treatment: Treatment) -> tuple[str, ...]:
    """Return the parts of the interface that a treatment takes away from its rule profile's."""
    taken = [*(() if treatment.chat else ("chat",))]
    if not treatment.partner_view:
        taken += PARTNER_VIEW
    features = profile_named(treatment.profile).features
    return tuple(feature for feature in taken if feature in features)
