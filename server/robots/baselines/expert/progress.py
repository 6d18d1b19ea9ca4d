"""Progress of goals: which of them are done, whoever did it.

A proposition may ask for several things (two of three toys), and a goal is about one of them: it
is done when that one is as the proposition wants it.
"""

from __future__ import annotations

from collections.abc import Set

from server.robots.baselines.expert.goals import Goal
from server.robots.baselines.expert.lying import lies_as_wanted
from server.robots.baselines.expert.order import signature_of
from server.robots.baselines.scripted_player import Put
from server.sessions.core import SessionCore


def missing(core: SessionCore) -> set[int]:
    """Return the propositions of a task of which anything is missing, by index."""
    return {p.original for p in core.verdict().propositions if not p.satisfied}


def is_done(core: SessionCore, goal: Goal, lacking: Set[int]) -> bool:
    """Tell whether nothing is missing of what a goal is for, or its thing is as it should be.

    ``lacking`` is what `missing` returned.
    """
    return all(_does_its_part(core, goal, index) for index in sorted(goal.propositions & lacking))


def is_right(core: SessionCore, goal: Goal) -> bool:
    """Tell whether a goal's thing is now as all that the goal is for want it."""
    return all(_does_its_part(core, goal, index) for index in sorted(goal.propositions))


def is_put(core: SessionCore, goal: Goal) -> bool:
    """Tell whether a thing lies where a goal would put it, if only beside what is missing."""
    surface = core.view.receptacle_of(goal.thing)
    return surface is not None and any(
        end.next_to is None
        and (end.target, end.relation) == (surface.furniture.handle, surface.receptacle.kind)
        for end in _ends(goal)
    )


def _does_its_part(core: SessionCore, goal: Goal, index: int) -> bool:
    """Tell whether a goal's thing is as a proposition wants it, whatever else that wants."""
    proposition = core.task.evaluation_propositions[index]
    signature, facts = signature_of(proposition), core.scorer.facts
    if signature.state is None and goal.thing in core.world.holders:
        # Whoever holds it may yet carry it elsewhere.
        return False
    if signature.is_clustered:
        beside = {(end.next_to, end.near_m) for end in _ends(goal) if end.next_to is not None}
        try:
            return any(facts.gap(goal.thing, other) <= near_m for other, near_m in beside)
        except LookupError:
            # A question without an answer, which the verdict reports once it is needed.
            return False
    if signature.same and proposition.args.get(signature.same) and not is_put(core, goal):
        # The others come to where the plan has them.
        return False
    return lies_as_wanted(core, proposition, goal.thing)


def _ends(goal: Goal) -> list[Put]:
    return [way[-1] for way in goal.ways if isinstance(way[-1], Put)]
