"""The expert's plan as a list of steps for one person alone."""

from __future__ import annotations

from server.robots.baselines.expert.goals import plan
from server.robots.baselines.scripted_player import Done, PutAnywhere, Step
from server.sessions.core import SessionCore


def solve(core: SessionCore) -> list[Step]:
    """Return steps that solve the task, ending with `Done`. Raises UnsolvableError."""
    goals = plan(core)
    steps: list[Step] = []
    for number, goal in enumerate(goals):
        steps += goal.ways[0]
        if goal.keeps_in_hand:
            following = goals[number + 1] if number + 1 < len(goals) else None
            if following is None or following.thing != goal.thing:
                steps.append(PutAnywhere())
    return [*steps, Done()]
