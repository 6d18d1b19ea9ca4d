"""Tied places at the end: whether things that were first put apart stand together now.

A tie is judged by what each proposition used when it first came true. Who notices that two things
should be at one place, and moves one of them, has done what was asked, too late for the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from episodes.evaluation.account import Expectation, Named, Situation, TieRule, Used
from episodes.evaluation.remedies import StepOf, is_right

NowOf = Callable[[Expectation], tuple[Situation, ...]]
_PLACED = ("is_on_top", "is_inside", "is_in_room")
TOO_LATE = "Moving one of them afterwards changes nothing."


def is_kept_at_end(tie: TieRule, step_of: StepOf, now_of: NowOf) -> bool:
    """Tell whether a broken tie of places is kept by where the things are now.

    Only where every member is right now; ties of things, not of places, never are.
    """
    places = [_place_now(member, step_of(member.index), now_of) for member in tie.members]
    found = [place for place in places if place is not None]
    if len(found) < len(places) or len(found) < 2:
        return False
    if tie.same:
        return len({place.handle for place in found}) == 1
    return all(a.handle != b.handle for a, b in combinations(found, 2))


def _place_now(used: Used, step: Expectation, now_of: NowOf) -> Named | None:
    """Return the one place where as many of a member's things as it wants are right now."""
    if used.group != 1 or step.predicate not in _PLACED:
        return None
    right = [at for at in now_of(step) if at.thing in step.groups[0] and is_right(step, at)]
    if len(right) < step.numbers[0]:
        return None
    places = {at.room if step.predicate == "is_in_room" else at.entity for at in right}
    return places.pop() if len(places) == 1 else None
