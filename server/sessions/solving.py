"""Steps that solve a task, derived from its propositions and constraints.

Simple and honest: enough for one person with full knowledge; not PARTNR's heuristic expert.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from episodes.dataset import Episode
from episodes.dataset.model import Proposition
from episodes.dataset.vocabulary import (
    DIFFERENT_ARG,
    GROUPS_ARG,
    PREDICATES,
    SAME_ARG,
    TEMPORAL,
    PredicateSignature,
)
from server.sessions.core import SessionCore
from server.sessions.scripted import Change, Done, Put, PutAnywhere, Step, Take

_RELATION = {"is_on_top": "on", "is_inside": "within", "is_on_floor": "floor"}
_VERB = {
    "is_clean": "clean",
    "is_filled": "fill",
    "is_powered_on": "power_on",
    "is_powered_off": "power_off",
}


class UnsolvableError(Exception):
    """A task that this solver has no steps for: says which proposition."""


class _Goal:
    """One thing to bring about: an object at a place, or a state."""

    def __init__(self, prop: int, thing: str, steps: list[Step], keeps_in_hand: bool) -> None:
        self.prop = prop
        self.thing = thing
        self.steps = steps
        self.keeps_in_hand = keeps_in_hand
        """The object is in the hand afterwards."""

    @property
    def takes_from_hand(self) -> bool:
        return any(isinstance(s, Put) for s in self.steps)


def solve(core: SessionCore) -> list[Step]:
    """Steps for one person, ending with `Done`. Raises UnsolvableError."""
    plan = _Plan(core)
    goals = plan.goals()
    steps: list[Step] = []
    for number, goal in enumerate(goals):
        steps += goal.steps
        if goal.keeps_in_hand:
            following = goals[number + 1] if number + 1 < len(goals) else None
            if following is None or following.thing != goal.thing:
                steps.append(PutAnywhere())
    return [*steps, Done()]


def order_of(episode: Episode) -> list[int]:
    """The propositions in an order that the temporal constraints allow, neighbours about the same
    thing together."""
    count = len(episode.evaluation_propositions)
    before: list[set[int]] = [set() for _ in range(count)]
    for constraint in episode.evaluation_constraints:
        if constraint.type == TEMPORAL:
            for a, b in constraint.args.get("dag_edges", ()):
                before[b].add(a)
    order: list[int] = []
    while len(order) < count:
        free = [i for i in range(count) if i not in order and before[i] <= set(order)]
        if not free:
            raise UnsolvableError("the temporal constraints go round in a circle")
        last = _things(episode.evaluation_propositions[order[-1]]) if order else set()
        # Stay with what is in the hand; else the order of the task.
        free.sort(key=lambda i: not (_things(episode.evaluation_propositions[i]) & last))
        order.append(free[0])
    return order


def _signature(proposition: Proposition) -> PredicateSignature:
    return PREDICATES[proposition.function_name]


def _things(proposition: Proposition) -> set[str]:
    first = proposition.args.get(_signature(proposition).first, ())
    return {h for group in first for h in (group if isinstance(group, list) else [group])}


class _Plan:
    def __init__(self, core: SessionCore) -> None:
        self.core = core
        self.episode = core.episode
        self.propositions: Sequence[Proposition] = core.episode.evaluation_propositions
        self.chosen: dict[tuple[int, str], str] = {}
        """What was chosen for an argument of a proposition."""
        self.placed: set[str] = set()
        self.near: dict[str, str] = {}
        """Next to what an object has to stand when it is placed."""

    def goals(self) -> list[_Goal]:
        order = order_of(self.episode)
        self._plan_neighbours(order)
        goals: list[_Goal] = []
        for index in order:
            goals += self._goals_of(index)
        return _stand_together(goals, self.near)

    def _plan_neighbours(self, order: Sequence[int]) -> None:
        """Objects that are placed anyway are placed next to what they belong to."""
        moved = {t for i in order for t in self._picked(i) if self._places(i)}
        for index in order:
            proposition = self.propositions[index]
            if proposition.function_name != "is_next_to":
                continue
            b = proposition.args["entity_handles_b"][0]
            for a in self._picked(index):
                if a in moved:
                    self.near[a] = b
                elif b in moved:
                    self.near[b] = a

    def _places(self, index: int) -> bool:
        return self.propositions[index].function_name in (*_RELATION, "is_in_room")

    def _picked(self, index: int) -> list[str]:
        """As many of a proposition's first list as it wants, tied choices first."""
        proposition = self.propositions[index]
        if _signature(proposition).is_clustered:
            return []
        first = _signature(proposition).first
        things: list[str] = list(proposition.args[first])
        tied = self._tied(index, first, things)
        things.sort(key=lambda t: t not in tied)
        return things[: int(proposition.args.get("number") or 1)]

    def _goals_of(self, index: int) -> list[_Goal]:
        proposition = self.propositions[index]
        name = proposition.function_name
        if _signature(proposition).is_clustered:
            return self._cluster(index)
        goals = []
        picked = self._picked(index)
        for thing in picked:
            if name in _VERB:
                goals.append(self._state(index, name, thing))
            elif self._places(index):
                goals.append(self._place(index, name, thing))
            elif name == "is_next_to":
                if self.near.get(thing) or thing in self.near.values():
                    continue
                goals.append(self._beside(index, thing, proposition.args["entity_handles_b"][0]))
            elif not self._holds_already(proposition, thing):
                raise UnsolvableError(f"nothing makes a thing {name.removeprefix('is_')}")
        if picked:
            self.chosen.setdefault((index, _signature(proposition).first), picked[0])
        return goals

    def _holds_already(self, proposition: Proposition, thing: str) -> bool:
        state = _signature(proposition).state
        if state is None:
            return False
        return self.core.world.states.get((thing, state)) is False

    def _state(self, index: int, name: str, thing: str) -> _Goal:
        verb: Any = _VERB[name]
        template = self.core.view.template(thing)
        wet = verb == "fill" or (verb == "clean" and template.cleaned_under_faucet)
        return _Goal(index, thing, [Change(verb, thing)], wet and template.kind == "object")

    def _place(self, index: int, name: str, thing: str) -> _Goal:
        near = self.near.get(thing)
        if name == "is_on_floor":
            put = Put("", "floor", near)
        elif name == "is_in_room":
            put = self._in_room(self._choose(index, "room_ids"), near)
        else:
            target = self._choose(index, "receptacle_handles")
            relation = "on" if name == "is_on_top" else "within"
            put = Put(target, "on" if relation == "on" else "within", near)
        return _Goal(index, thing, [Take(thing), put], False)

    def _in_room(self, room: str, near: str | None) -> Put:
        for furniture in self.core.simulator.scene.furniture:
            surfaces = self.core.surfaces.of[furniture.handle]
            if furniture.room_id == room and any(s.receptacle.kind == "on" for s in surfaces):
                return Put(furniture.handle, "on", near)
        return Put(room, "floor", near)

    def _beside(self, index: int, thing: str, other: str) -> _Goal:
        support = self.core.world.supports.get(other, "")
        furniture = support.partition("|")[0]
        if other in self.core.surfaces.of:
            put = Put("", "floor", other)
        elif furniture in self.core.surfaces.of:
            surface = self.core.surfaces.by_name[support]
            put = Put(furniture, surface.receptacle.kind, other)
        else:
            put = Put("", "floor", other)
        return _Goal(index, thing, [Take(thing), put], False)

    def _cluster(self, index: int) -> list[_Goal]:
        args = self.propositions[index].args
        groups: list[list[str]] = args[GROUPS_ARG]
        numbers = args.get("number") or [1] * len(groups)
        if isinstance(numbers, int):
            numbers = [numbers] * len(groups)
        members: list[str] = []
        for group, number in zip(groups, numbers, strict=True):
            members += [h for h in group if h not in members][:number]
        return [self._beside(index, member, members[0]) for member in members[1:]]

    def _choose(self, index: int, argument: str) -> str:
        """One of an argument's values, as the ties with other propositions want it."""
        options: list[str] = list(self.propositions[index].args[argument])
        choice = (self._tied(index, argument, options) or options)[0]
        self.chosen[index, argument] = choice
        return choice

    def _tied(self, index: int, argument: str, options: list[str]) -> list[str]:
        """The options that agree with what tied propositions chose or can choose."""
        left = list(options)
        for constraint in self.episode.evaluation_constraints:
            if constraint.type not in (SAME_ARG, DIFFERENT_ARG):
                continue
            members = list(
                zip(
                    constraint.args["proposition_indices"],
                    constraint.args["arg_names"],
                    strict=True,
                )
            )
            if (index, argument) not in members:
                continue
            for other in members:
                if other == (index, argument):
                    continue
                chosen = self.chosen.get(other)
                if constraint.type == SAME_ARG:
                    allowed = [chosen] if chosen else self.propositions[other[0]].args[other[1]]
                    left = [o for o in left if o in allowed]
                elif chosen:
                    left = [o for o in left if o != chosen]
        return left


def _stand_together(goals: list[_Goal], near: dict[str, str]) -> list[_Goal]:
    """Place what others are to stand next to before them, within one step of the order."""
    result = list(goals)
    for number, goal in enumerate(result):
        other = near.get(goal.thing)
        if other is None or not goal.takes_from_hand:
            continue
        later = next(
            (
                k
                for k in range(number + 1, len(result))
                if result[k].thing == other and result[k].takes_from_hand
            ),
            None,
        )
        if later is not None:
            result[number], result[later] = result[later], result[number]
    return result
