"""The trial of a task in simulation: whether it is what it says, and whether it can be done.

Each task is loaded and looked at, solved by two experts, left alone, and done wrongly, all on the
unpaced runner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from episodes.dataset import DatasetError, Task
from server.research.task_sets.violations import Way, explains, violations, violator
from server.robots.baselines.expert import UnsolvableError, experts
from server.robots.baselines.scripted_player import BodyPlayer, Done, Rest, ScriptedPlayer
from server.sessions.core import SessionCore
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.contract import Simulator, SimulatorError
from server.worker.unpaced_runner import run

MAX_TICKS = 18_000
"""Ten minutes: an expert that takes longer has not solved a task for people."""
IDLE_TICKS = 5
HUMAN = "human_0"

Fault = Literal[
    "",
    "does not load",
    "overlap at the start",
    "no plan",
    "not solved by two experts",
    "done by nobody",
    "not failed when done wrongly",
    "wrong explanation",
    "cannot be done wrongly",
]
MakeSimulator = Callable[[], Simulator]


class Tried(msgspec.Struct, frozen=True):
    """Result of trying a task. ``fault`` is empty for a good one, ``detail`` says more.

    ``ticks`` is how long the experts took, ``solved`` whether they did (None: not tried),
    ``way`` how it was done wrongly, ``share`` the robot's share of the propositions.
    """

    task_id: str
    fault: Fault
    detail: str = ""
    ticks: int = 0
    solved: bool | None = None
    way: Way | None = None
    share: float | None = None


def try_task(task: Task, simulator: MakeSimulator, seed: int = 0) -> Tried:
    """Put a task through everything; the first fault ends it."""
    try:
        core = _core(task, simulator, seed)
    except (DatasetError, SimulatorError, ValueError) as error:
        return Tried(task.task_id, "does not load", str(error))
    fault, detail = _at_the_start(core)
    if not fault:
        fault, detail = _left_alone(task, simulator, seed)
    if fault:
        return Tried(task.task_id, fault, detail)
    try:
        players = experts(core, seed)
        result = _run(core, players)
    except UnsolvableError as error:
        return Tried(task.task_id, "no plan", str(error), solved=False)
    if result is None or not result.verdict.success:
        failures = [str(p.failure) for p in players if p.failure is not None]
        detail = failures[0] if failures else _explanation(result)
        return Tried(task.task_id, "not solved by two experts", detail, core.tick, False)
    outcome = Tried(task.task_id, "", "", result.ticks, True, share=_robots_share(result))
    return _done_wrongly(outcome, task, simulator, seed)


def _core(task: Task, simulator: MakeSimulator, seed: int, *, solo: bool = False) -> SessionCore:
    spec = SessionSpec.solo("ses_trial", seed) if solo else SessionSpec.pair("ses_trial", seed)
    episode_spec = EpisodeSpec("epi_trial", "trial", task.task_id)
    return SessionCore(spec, episode_spec, task, simulator())


def _run(core: SessionCore, players: Sequence[BodyPlayer]) -> EpisodeResult | None:
    try:
        return run(core, players, MAX_TICKS)
    finally:
        core.close()


def _explanation(result: EpisodeResult | None) -> str:
    if result is None:
        return f"not finished after {MAX_TICKS} ticks"
    return result.verdict.explanation.replace("\n", " ")


def _robots_share(result: EpisodeResult) -> float | None:
    by = [p.by_seat for p in result.verdict.propositions if p.by_seat is not None]
    return sum(seat != HUMAN for seat in by) / len(by) if by else None


def _at_the_start(core: SessionCore) -> tuple[Fault, str]:
    simulator = core.simulator
    for handle, pose in simulator.objects().items():
        others = simulator.overlapping(handle, pose)
        if others:
            return "overlap at the start", f"{handle} is in {', '.join(sorted(others))}"
    verdict = core.verdict()
    if verdict.status != "ok":
        return "does not load", verdict.reason or "it cannot be evaluated"
    return "", ""


def _left_alone(task: Task, simulator: MakeSimulator, seed: int) -> tuple[Fault, str]:
    core = _core(task, simulator, seed)
    idle = [ScriptedPlayer(s, [Rest(IDLE_TICKS), Done()]) for s in core.state.occupied()]
    result = _run(core, idle)
    if result is None or result.verdict.percent_complete != 0.0:
        held = (
            [] if result is None else [p.text for p in result.verdict.propositions if p.satisfied]
        )
        return "done by nobody", "; ".join(held)
    return "", ""


def _done_wrongly(outcome: Tried, task: Task, simulator: MakeSimulator, seed: int) -> Tried:
    detail = ""
    for violation in violations(task):
        core = _core(task, simulator, seed, solo=True)
        misread = _core(violation.misread, simulator, seed, solo=True)
        try:
            player = violator(violation, HUMAN, misread)
        except UnsolvableError as error:
            detail = str(error)
            continue
        result = _run(core, [player])
        if player.failure is not None or result is None:
            detail = str(player.failure or "not finished")
            continue
        outcome = msgspec.structs.replace(outcome, way=violation.way)
        if result.verdict.success:
            return msgspec.structs.replace(
                outcome, fault="not failed when done wrongly", detail=violation.way
            )
        if not explains(violation.way, task, result.verdict):
            return msgspec.structs.replace(
                outcome,
                fault="wrong explanation",
                detail=f"{violation.way}: {_explanation(result)}",
            )
        return outcome
    return msgspec.structs.replace(outcome, fault="cannot be done wrongly", detail=detail)
