"""Plan of a trial: one run for each team, task and repetition."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from episodes.dataset import Task
from episodes.rules import as_recorded, profile_named
from episodes.seats import HUMAN, ROBOT
from episodes.tasks.team_fit import task_problem
from episodes.teams import Occupant, Team, TeamError
from server.robots.playing.model_time import TokenTime
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import spec_of
from server.robots.registry.team_checks import check_team, paper_ending
from server.sessions.spec import TICK_RATE, Ending

MOST_TICKS = 20_000
"""Ticks after which an episode of a trial ends, as PARTNR's do."""
LONGEST_TICKS = 24 * 60 * 60 * TICK_RATE


class TrialError(Exception):
    """A trial cannot be run; the text says what was expected and what came."""


class TrialValueError(TrialError, ValueError):
    """A number of a trial is out of its range, given as an option or in the trial's file."""


class Start(msgspec.Struct, frozen=True):
    """A task with the seed of its episode, which decides where bodies start."""

    task_id: str
    seed: int


class Trial(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings that decide what is run; kept beside its recordings.

    Its teams are ``teams``, or pairs: each of ``robots`` beside each of ``partners``.
    """

    robots: tuple[str, ...] = ()
    """Policies for the robot's seat (``nobody``: it stays empty)."""
    partners: tuple[str, ...] = ()
    """Policies for the human's seat."""
    dataset: str
    """Path below the data directory."""
    tasks: tuple[str, ...]
    repetitions: int = 1
    seed: int = 0
    profile: str = "cohabit"
    """The rules, with their version but for trials that are older than versions."""
    simulator: Literal["household"] = "household"
    max_ticks: int = MOST_TICKS
    latency_s: float | None = None
    """Seconds that every decision is charged with; None: as `charge` says."""
    end_on_success: bool | UnsetType = UNSET
    """Whether success ends an episode, in a trial that was begun before there was `ending`."""
    model: str = ""
    teams: tuple[str, ...] | UnsetType = UNSET
    """Whole teams, in place of robots and partners."""
    ending: Ending | UnsetType = UNSET
    """The end of episodes where no paper has one; unset: everybody has finished."""
    charge: TokenTime | UnsetType = UNSET
    """Time that model calls are charged with by their tokens; unset: what decisions took, as of
    trials that are older than this."""

    starts: tuple[Start, ...] | UnsetType = UNSET
    """Tasks with the seeds that a study had, in place of a seed for each repetition."""
    study: str | UnsetType = UNSET
    """Study that the starts are of."""
    study_version: int | UnsetType = UNSET

    digests: dict[str, str] | UnsetType = UNSET
    """Digests of what it rests on, by part; unset: it is older than these, or has not begun."""

    def __post_init__(self) -> None:
        """Check its numbers, also of a file. Raises TrialValueError."""
        if not 1 <= self.max_ticks <= LONGEST_TICKS:
            raise TrialValueError(
                f"expected max_ticks from 1 to {LONGEST_TICKS}, a day, got {self.max_ticks}"
            )
        if self.repetitions < 1:
            raise TrialValueError(f"expected one repetition or more, got {self.repetitions}")
        if self.latency_s is not None and not 0.0 <= self.latency_s < math.inf:
            raise TrialValueError(
                f"expected a latency_s of 0 or more seconds, or none, got {self.latency_s}"
            )
        if abs(self.seed) >= 2**63:
            raise TrialValueError(f"expected a seed of at most 63 bits, got {self.seed}")

    def how_it_ends(self, team: Team) -> dict[str, bool | Ending]:
        """Return the fields of a session's spec that say what ends an episode of a team."""
        if self.end_on_success is not UNSET:
            return {"end_on_success": self.end_on_success}
        ending = Ending() if self.ending is UNSET else self.ending
        return {"ending": paper_ending(team) or ending}

    def all_teams(self) -> list[Team]:
        """Return the teams that play every task. Raises TeamError for what is none."""
        if self.teams is not UNSET:
            return [Team.parse(text) for text in self.teams]
        return [pair_of(robot, partner) for partner, robot in product(self.partners, self.robots)]


class Run(msgspec.Struct, frozen=True):
    """An episode of a trial."""

    team: Team
    task_id: str
    repetition: int
    seed: int = 0
    """The trial's seed: trials that differ in it have other episodes."""
    start: int | UnsetType = UNSET
    """Seed of the episode; unset: the session's."""

    @property
    def key(self) -> str:
        """Name of its recording: the same run has the same in every process and release."""
        names = names_of_pair(self.team) or (self.team.written_out,)
        seed = (f"seed {self.seed}",) if self.seed else ()
        start = () if self.start is UNSET else (f"start {self.start}",)
        text = "\n".join((*names, self.task_id, str(self.repetition), *seed, *start))
        return hashlib.sha256(text.encode()).hexdigest()[:20]


def pair_of(robot: str, partner: str) -> Team:
    """Return the team of a robot's policy and a human's, either of which may be ``nobody``.

    Raises TeamError if both are.
    """
    return Team.of((("robot", Occupant.parse(robot)), ("human", Occupant.parse(partner))))


def names_of_pair(team: Team) -> tuple[str, str] | None:
    """Return what `pair_of` makes a team of; None: it is no pair of a robot and a human."""
    if team.seats != (ROBOT, HUMAN):
        return None
    robot, human = team.members
    return str(robot.occupant), str(human.occupant)


def title_of(team: Team) -> str:
    """Return what tells a team from the others of its trial."""
    pair = names_of_pair(team)
    return team.written_out if pair is None else " with ".join(pair)


def runs_of(trial: Trial) -> list[Run]:
    """Return all runs, neighbours about the same task."""
    teams = trial.all_teams()
    # Trials from before there was `ending` named their recordings without it.
    seed = trial.seed if trial.end_on_success is UNSET else 0
    return [
        Run(team, task, repetition, seed, start)
        for task in trial.tasks
        for repetition, start in enumerate(_seeds(trial, task))
        for team in teams
    ]


def _seeds(trial: Trial, task_id: str) -> Iterator[int | UnsetType]:
    """Yield the seeds of the episodes of a task, each as often as it is repeated."""
    seeds: list[int | UnsetType] = [UNSET]
    if trial.starts is not UNSET:
        seeds = [start.seed for start in trial.starts if start.task_id == task_id]
    for seed in seeds:
        yield from [seed] * trial.repetitions


def fill(teams: Iterable[str], robots: Sequence[str], partners: Sequence[str]) -> tuple[str, ...]:
    """Return teams with each of the policies in the places that they leave open, written out.

    Raises TrialError: a place stays open, a policy has no place, or a text is no team.
    """
    found: dict[str, str] = {}
    filled: set[str] = set()
    for text in teams:
        try:
            team = Team.parse(text)
        except TeamError as error:
            raise TrialError(str(error)) from error
        kinds = {seat_id.partition("_")[0] for seat_id, name in team.policies.items() if not name}
        filled |= kinds
        for kind, option, names in (("robot", "--robot", robots), ("human", "--partner", partners)):
            if kind in kinds and not names:
                raise TrialError(f"{team} is open as to its {kind} bodies: name a policy, {option}")
        for partner in partners if "human" in kinds else ("",):
            for robot in robots if "robot" in kinds else ("",):
                whole = team.filled(robot=robot, human=partner).written_out
                if whole in found:
                    raise TrialError(f"{whole} is named twice: as {found[whole]} and as {text}")
                found[whole] = text
    for kind, option, names in (("robot", "--robot", robots), ("human", "--partner", partners)):
        if names and kind not in filled:
            raise TrialError(
                f"no team has an open {kind} body for {option} {names[0]}: write {kind}=policy"
            )
    return tuple(found)


def check(trial: Trial, known_tasks: Sequence[str]) -> None:
    """Check that a trial names what there is. Raises TrialError."""
    if trial.teams is UNSET:
        plans = [("robots", trial.robots), ("partners", trial.partners)]
    else:
        plans = [("teams", trial.teams)]
    for name in (*trial.robots, *trial.partners):
        _check_name(name)
    for what, values in (*plans, ("tasks", trial.tasks)):
        if not values:
            raise TrialError(f"expected at least one of {what}")
        if len(set(values)) < len(values):
            raise TrialError(f"{what} names something twice: {', '.join(values)}")
    try:
        for team in trial.all_teams():
            if team.people:
                raise TrialError(
                    f"{team} has people, and a trial has none: name a policy for each body"
                )
            check_team(team)
            if paper_ending(team) and trial.ending is not UNSET and trial.ending.on_success:
                raise TrialError(
                    f"{team} ends as its paper's episodes do, not on success: leave "
                    "--ends-on-success out, or that team"
                )
    except (TeamError, RobotError) as error:
        raise TrialError(str(error)) from error
    missing = [t for t in trial.tasks if t not in set(known_tasks)]
    if missing:
        raise TrialError(f"{trial.dataset} has no task {', '.join(missing)}")


def doable(trial: Trial, tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks that all teams of a trial can do: its lines compare the same tasks.

    Raises TrialError where there is none, with what is wrong with the first.
    """
    profile, teams = profile_named(as_recorded(trial.profile)), trial.all_teams()
    problems = {
        task.task_id: next(filter(None, (task_problem(team, task, profile) for team in teams)), "")
        for task in tasks
    }
    if tasks and all(problems.values()):
        raise TrialError(f"no task of {trial.dataset} is left: {problems[tasks[0].task_id]}")
    return [task for task in tasks if not problems[task.task_id]]


def _check_name(name: str) -> None:
    if Occupant.parse(name).kind != "policy":
        return
    try:
        spec_of(name)
    except RobotError as error:
        raise TrialError(str(error)) from error
