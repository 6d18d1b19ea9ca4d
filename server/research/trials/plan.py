"""Plan of a trial: one run for each policy, partner, task and repetition."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import product
from typing import Literal

import msgspec

from server.robots.policy_spec import RobotError
from server.robots.registry.registry import check_pair, spec_of

NOBODY = "nobody"
"""Name of a seat that stays empty: a person alone."""


class TrialError(Exception):
    """A trial cannot be run; the text says what was expected and what came."""


class Trial(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings that decide what is run; kept beside its recordings."""

    robots: tuple[str, ...]
    """Policies for the robot's seat (``nobody``: it stays empty)."""
    partners: tuple[str, ...]
    """Policies for the human's seat."""
    dataset: str
    """Path below the data directory."""
    tasks: tuple[str, ...]
    repetitions: int = 1
    seed: int = 0
    profile: str = "cohabit"
    simulator: Literal["household"] = "household"
    max_ticks: int = 20_000
    latency_s: float | None = None
    """Seconds that every decision is charged with; None: the time that it took."""
    end_on_success: bool = True
    model: str = ""


class Run(msgspec.Struct, frozen=True):
    """An episode of a trial."""

    robot: str
    partner: str
    task_id: str
    repetition: int

    @property
    def key(self) -> str:
        """Name of its recording: the same run has the same in every process."""
        text = "\n".join((self.robot, self.partner, self.task_id, str(self.repetition)))
        return hashlib.sha256(text.encode()).hexdigest()[:20]


def runs_of(trial: Trial) -> list[Run]:
    """Return all runs, neighbours about the same task."""
    return [
        Run(robot, partner, task, repetition)
        for task in trial.tasks
        for repetition in range(trial.repetitions)
        for partner in trial.partners
        for robot in trial.robots
    ]


def check(trial: Trial, known_tasks: Sequence[str]) -> None:
    """Check that a trial names what there is. Raises TrialError."""
    for name in (*trial.robots, *trial.partners):
        if name == NOBODY:
            continue
        try:
            spec_of(name)
        except RobotError as error:
            raise TrialError(str(error)) from error
    for what, values in (("robots", trial.robots), ("partners", trial.partners),
                         ("tasks", trial.tasks)):  # fmt: skip
        if not values:
            raise TrialError(f"expected at least one of {what}")
        if len(set(values)) < len(values):
            raise TrialError(f"{what} names something twice: {', '.join(values)}")
    if NOBODY in trial.robots and NOBODY in trial.partners:
        raise TrialError("nobody in both seats plays nothing")
    for robot, partner in product(trial.robots, trial.partners):
        _check_pair(robot, partner)
    missing = [t for t in trial.tasks if t not in set(known_tasks)]
    if missing:
        raise TrialError(f"{trial.dataset} has no task {', '.join(missing)}")


def _check_pair(robot: str, partner: str) -> None:
    try:
        check_pair(*("" if name == NOBODY else name for name in (robot, partner)))
    except RobotError as error:
        raise TrialError(
            f"{error}; name it for both seats, in a trial of its own (--robot NAME --partner NAME)"
        ) from error
