"""Plan of a task before it is put into words or propositions.

A `Plan` is a list of groups, done one after the other; a group is a list of clauses in any order:
things to a place, things side by side, things in a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from episodes.dataset.vocabulary import DIFFERENT_ARG, SAME_ARG
from episodes.scene import Affordance
from episodes.tasks.draft import Draft

Relation = Literal["on", "within", "room", "floor"]
State = Literal["is_clean", "is_filled", "is_powered_on", "is_powered_off"]
PREDICATE: dict[Relation, str] = {
    "on": "is_on_top",
    "within": "is_inside",
    "room": "is_in_room",
    "floor": "is_on_floor",
}
_PLACE: dict[Relation, str] = {
    "on": "receptacle_handles",
    "within": "receptacle_handles",
    "room": "room_ids",
}


@dataclass(frozen=True, slots=True)
class Things:
    """Objects (or furniture) that a clause is about; ``number`` of them are meant.

    ``classes`` has the class of each. ``group`` is a word for all of them (``toys``), ``source``
    the class of the room that all start in, where there is one. ``home`` is the class of the room
    that furniture stands in.
    """

    handles: tuple[str, ...]
    classes: tuple[str, ...]
    number: int
    group: str | None = None
    source: str | None = None
    home: str | None = None

    @property
    def is_choice(self) -> bool:
        """Whether several things can fill the place."""
        return self.number < len(self.handles)


@dataclass(frozen=True, slots=True)
class Target:
    """A destination. ``handles`` are furniture, or rooms for ``room`` and ``floor``; any will do.

    ``furniture`` and ``room`` are class names, empty where not said.
    """

    relation: Relation
    handles: tuple[str, ...]
    furniture: str
    room: str


@dataclass(frozen=True, slots=True)
class Move:
    """A clause that brings things to a place.

    ``together``: next to each other. ``spread``: on the same piece of the target all of them,
    or each on another. ``again``: on the piece that an earlier clause chose (a tie says which).
    """

    things: Things
    target: Target
    together: bool = False
    spread: Literal["", "same", "different"] = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A clause that brings things into a state."""

    things: Things
    state: State


Clause = Move | Change


@dataclass(frozen=True, slots=True)
class Tie:
    """Clauses (by group and place in it) that are done with the same thing or place."""

    argument: Literal["object_handles", "receptacle_handles"]
    members: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Plan:
    """Groups of clauses in their order, and ties between them."""

    groups: list[list[Clause]] = field(default_factory=lambda: [[]])
    ties: list[Tie] = field(default_factory=list)

    def count(self) -> int:
        """Count the propositions that the plan comes to."""
        return sum(proposition_count(c) for group in self.groups for c in group)


def proposition_count(clause: Clause) -> int:
    """Count the propositions that a clause becomes."""
    things = clause.things
    own = 1 if things.is_choice else len(things.handles)
    if isinstance(clause, Change):
        return own
    places = 2 if clause.target.relation == "floor" and clause.target.room else 1
    near = len(things.handles) - 1 if clause.together else 0
    return own * places + near


def write_goals(plan: Plan, draft: Draft) -> None:
    """Write the propositions, order and ties of a plan into a draft.

    As in PARTNR, what is asked of every one of several things is a proposition for each of
    them; "two of the three" is one with a number.
    """
    indices: dict[tuple[int, int], list[int]] = {}
    for number, group in enumerate(plan.groups):
        if number:
            draft.then()
        for place, clause in enumerate(group):
            indices[number, place] = _clause(clause, draft)
    for tie in plan.ties:
        members = [i for m in tie.members for i in indices[m]]
        draft.tie(SAME_ARG, tie.argument, *members)


def _clause(clause: Clause, draft: Draft) -> list[int]:
    things = clause.things
    sets: list[Sequence[str]] = [things.handles] if things.is_choice else [
        [h] for h in things.handles
    ]  # fmt: skip
    count = {"number": things.number} if things.is_choice else {}
    if isinstance(clause, Change):
        return [draft.goal(clause.state, object_handles=list(s), **count) for s in sets]
    target = clause.target
    made = []
    for handles in sets:
        args: dict[str, object] = {"object_handles": list(handles), **count}
        if target.relation in ("on", "within"):
            args |= {"receptacle_handles": list(target.handles)}
            if things.is_choice and clause.spread == "same":
                args |= {"is_same_receptacle": True}
        elif target.relation == "room":
            args |= {"room_ids": list(target.handles)}
        made.append(draft.goal(PREDICATE[target.relation], **args))
        if target.relation == "floor" and target.room:
            room = {"object_handles": list(handles), "room_ids": list(target.handles), **count}
            draft.goal("is_in_room", **room)
    if len(made) > 1 and clause.spread:
        draft.tie(SAME_ARG if clause.spread == "same" else DIFFERENT_ARG, _PLACE[target.relation],
                  *made)  # fmt: skip
    if clause.together:
        for a, b in zip(things.handles, things.handles[1:], strict=False):
            draft.goal("is_next_to", entity_handles_a=[a], entity_handles_b=[b])
    return made


AFFORDANCE: dict[State, Affordance] = {
    "is_clean": "is_clean",
    "is_filled": "is_filled",
    "is_powered_on": "is_powered_on",
    "is_powered_off": "is_powered_on",
}
"""Affordance of each state that a goal is about."""
