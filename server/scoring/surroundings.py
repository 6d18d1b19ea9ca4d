"""Our explanation for a session: the same words online and when its recording is scored."""

from __future__ import annotations

from episodes.evaluation import (
    EvaluationTask,
    Surroundings,
    Verdict,
    WorldWhere,
    explained,
    player_names,
    surroundings_of,
)
from episodes.world import WorldState
from server.sessions.core import SessionCore


def surroundings_of_core(core: SessionCore) -> Surroundings:
    """What a session's header keeps, so that it can be explained again."""
    simulator = core.simulator
    return surroundings_of(simulator.scene, simulator.catalogue, core.names.labels)


def explained_verdict(
    verdict: Verdict, task: EvaluationTask, world: WorldState, surroundings: Surroundings
) -> Verdict:
    """A verdict with its account (`Verdict.account`). Never raises."""
    where = WorldWhere(world, surroundings)
    return explained(verdict, task, where, player_names(surroundings, where))
