"""Plans of episodes: the next task of a session, by its study's plan or of a data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET, convert

from episodes.houses.files import tasks_file
from episodes.rules import profile_named
from matchmaking.assignment.group_plan import GroupPlan
from matchmaking.matches import Match
from matchmaking.study.treatment import Treatment
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
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.settings import Settings
from server.store.database import Database
from server.store.identifiers import new_id
from server.store.models import EpisodeRow, SessionRow
from server.store.sessions import vacated_seats
from server.store.study_groups import attempts_of, plan_of_session


class PlannedEpisode(NamedTuple):
    """An episode to play, with the task that it is of."""

    spec: EpisodeSpec
    choice: Choice


class Source(NamedTuple):
    """Source that the next episode of a session is chosen from."""

    plan: GroupPlan | None
    tasks: Sequence[TaskInfo]


class EpisodePlans:
    """Plans of the episodes of all sessions."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self.tasks = TaskSource(settings.data_dir, settings.dataset)
        self._sets: dict[str, TaskSource] = {}
        self._plans: dict[str, GroupPlan | None] = {}
        """Plans by session."""

    async def first(self, match: Match, seed: int) -> PlannedEpisode:
        """Return the first episode of a match. Raises SeriesError: there is no task for it."""
        source = await self._source(match.plan)
        if match.plan is not None:
            return self._planned(match.plan, source.tasks, ())
        tasks = playable(source.tasks, match.team)
        if is_tutorial(match.team):
            choice = Choice(tutorial_task(tasks), 0)
            return PlannedEpisode(self._episode(choice), choice)
        choice = next_choice(tasks, seed, (), bodies=len(match.team.occupied))
        return PlannedEpisode(self._episode(choice), choice)

    async def source(self, session_id: str) -> Source:
        """Return what the next episode of a session is chosen from. Raises SeriesError."""
        if session_id not in self._plans:
            async with self._database.transaction() as db:
                self._plans[session_id] = await plan_of_session(db, session_id)
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
        return PlannedEpisode(self._episode(choice), choice)

    def dataset_of(self, plan: GroupPlan | None) -> str:
        """Return the path of the data set that a session plays, below the data directory."""
        if plan is None:
            return self._settings.dataset
        data_dir = self._settings.data_dir
        return str(tasks_file(data_dir, plan.task_set).relative_to(data_dir))

    def forget(self, session_id: str) -> None:
        """Forget a session that is over."""
        self._plans.pop(session_id, None)

    async def _source(self, plan: GroupPlan | None) -> Source:
        if plan is None:
            return Source(None, await self.tasks.all())
        if plan.task_set not in self._sets:
            name = self.dataset_of(plan)
            self._sets[plan.task_set] = TaskSource(self._settings.data_dir, name)
        return Source(plan, await self._sets[plan.task_set].all())

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
            self.dataset_of(plan),
            task_id,
            following.try_index,
            plan.limit_s or self._settings.time_limit_s,
            seed=following.task.seed,
            without=without(treatment),
            delay_ms=treatment.latency_ms or UNSET,
        )
        return PlannedEpisode(spec, choice)

    def _episode(self, choice: Choice) -> EpisodeSpec:
        return EpisodeSpec(
            new_id("epi"),
            self._settings.dataset,
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
