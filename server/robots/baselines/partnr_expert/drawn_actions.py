"""Actions that PARTNR's heuristic expert draws from a task: which thing goes where, or changes.

Source: section 5 of the notes on partnr-planner (points 1 to 6). Where several entities would do,
one is drawn, whether or not there is room or it can be reached.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Final, NamedTuple

from episodes.dataset.model import Constraint, Proposition
from episodes.dataset.vocabulary import (
    DIFFERENT_ARG,
    PREDICATES,
    SAME_ARG,
    TEMPORAL,
    TERMINAL,
)
from episodes.names import floor_key
from episodes.rules import TargetVerb
from server.robots.baselines.expert.order import UnsolvableError
from server.sessions.core import SessionCore
from server.skills.errands import Relation

VERBS: Final[Mapping[str, TargetVerb]] = {
    "is_clean": "clean",
    "is_filled": "fill",
    "is_powered_on": "power_on",
    "is_powered_off": "power_off",
}
NEXT_TO, ON_FLOOR, IN_ROOM = "is_next_to", "is_on_floor", "is_in_room"
Slot = tuple[int, str]
"""A proposition and one of its arguments."""


class Rearrange(NamedTuple):
    """A thing that is put on or in furniture or on a floor (a key), perhaps next to another."""

    thing: str
    relation: Relation
    target: str
    beside: str | None = None


class Change(NamedTuple):
    """A thing or a piece of furniture whose state is changed, which only people can."""

    verb: TargetVerb
    target: str


Action = Rearrange | Change


def groups_of(task_constraints: Sequence[Constraint], count: int) -> list[list[int]]:
    """Return the topological generations of the temporal constraint.

    Propositions that are missing from it join the first. Raises CycleError.
    """
    sorter: TopologicalSorter[int] = TopologicalSorter()
    named: set[int] = set()
    for constraint in task_constraints:
        if constraint.type == TEMPORAL:
            for before, after in constraint.args["dag_edges"]:
                sorter.add(after, before)
                named |= {before, after}
    sorter.prepare()
    groups: list[list[int]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        sorter.done(*ready)
        groups.append(ready)
    rest = [n for n in range(count) if n not in named]
    if not groups:
        return [rest]
    groups[0] = sorted([*groups[0], *rest])
    return groups


class Drawing:
    """A drawing of all actions of a task."""

    def __init__(self, core: SessionCore, rng: random.Random) -> None:
        self._core, self._rng = core, rng
        task = core.task
        self._props: Sequence[Proposition] = task.evaluation_propositions
        self.groups = groups_of(task.evaluation_constraints, len(self._props))
        self._apart: list[list[Slot]] = []
        self._tied: dict[Slot, Slot] = {}
        """Union-find over slots that are to have the same entity."""
        terminal: set[int] = set()
        for constraint in task.evaluation_constraints:
            if constraint.type == TERMINAL:
                terminal |= set(constraint.args["proposition_indices"])
            elif constraint.type in (SAME_ARG, DIFFERENT_ARG):
                args = constraint.args
                slots = list(zip(args["proposition_indices"], args["arg_names"], strict=True))
                if constraint.type == SAME_ARG:
                    self._tie(slots)
                else:
                    self._apart.append(slots)
        for dependency in task.evaluation_proposition_dependencies:
            dependents = dependency.proposition_indices
            is_next_to = [self._props[n].function_name == NEXT_TO for n in dependents]
            if dependency.relation_type == "while_satisfied" and is_next_to == [True]:
                heads = (*dependents, *dependency.depends_on)
                self._tie([(n, "receptacle_handles") for n in heads])
        self._terminal = terminal
        self._drawn: dict[Slot, list[str]] = {}
        self._used: set[str] = set()
        """Things of earlier terminal propositions."""
        self._sent: dict[str, str] = {}
        """Furniture or floor to which each thing was sent last."""

    def actions(self) -> list[list[Action]]:
        """Return the actions by group, in the order in which they are handed out.

        Raises UnsolvableError where a proposition is none that this expert knows.
        """
        last = {n for n, p in enumerate(self._props) if p.function_name == NEXT_TO}
        ranked = sorted(
            range(len(self._props)), key=lambda n: (n in last, n not in self._terminal, n)
        )
        found = {n: self._actions_of(n) for n in ranked}
        return [self._in_order(found[n] for n in self._ranked(group)) for group in self.groups]

    def _ranked(self, group: Iterable[int]) -> list[int]:
        """Return placements, then what stands next to them, then changes of state."""

        def rank(n: int) -> tuple[bool, bool, int]:
            name = self._props[n].function_name
            return (name in VERBS, name == NEXT_TO, n)

        return sorted(group, key=rank)

    def _in_order(self, found: Iterable[list[Action]]) -> list[Action]:
        """Join actions; of two that take a thing to one place, the one next to something stays."""
        actions: list[Action] = []
        for one in (action for several in found for action in several):
            if isinstance(one, Rearrange):
                same = [
                    a for a in actions
                    if isinstance(a, Rearrange) and (a.thing, a.target) == (one.thing, one.target)
                ]  # fmt: skip
                if same and one.beside is None:
                    continue
                actions = [a for a in actions if a not in same]
            actions.append(one)
        return actions

    # One proposition

    def _actions_of(self, n: int) -> list[Action]:
        p = self._props[n]
        name = p.function_name
        if name in VERBS:
            things = self._draw((n, "object_handles"), self._free(n, "object_handles"))
            return [Change(VERBS[name], thing) for thing in things]
        if name == NEXT_TO:
            return [*self._next_to(n, p)]
        if name not in PREDICATES or PREDICATES[name].state or PREDICATES[name].is_clustered:
            raise UnsolvableError(f"PARTNR's expert knows no way to {name}")
        if name == ON_FLOOR and self._has_pair(n, IN_ROOM):
            # Its room says which floor.
            return []
        things = self._draw((n, "object_handles"), self._free(n, "object_handles"))
        slot = (n, PREDICATES[name].second or "floor")
        targets = self._draw_places(slot, self._places(n, p), len(things), self._is_one(p))
        if n in self._terminal:
            self._used |= set(things)
        self._sent.update(zip(things, targets, strict=True))
        wanted: Relation = "within" if name == "is_inside" else "on"
        return [
            Rearrange(thing, self._relation(wanted, target), target)
            for thing, target in zip(things, targets, strict=True)
        ]

    def _next_to(self, n: int, p: Proposition) -> Iterable[Action]:
        """Yield the action that puts one side next to the other, or the other way round."""
        first, second = "entity_handles_a", "entity_handles_b"
        moved = {h for h in self._sent if h in p.args[first]}
        if moved:
            # What has been placed stays; the other side comes to it.
            first, second = second, first
        things = self._draw((n, first), self._free(n, first))
        beside = self._draw((n, second), [h for h in p.args[second] if h not in things])
        for thing in things:
            reference = next((h for h in beside if h in moved), beside[0] if beside else "")
            if not reference or thing not in self._core.world.objects:
                continue
            target = self._sent.get(reference) or self._where(reference)
            self._sent[thing] = target
            yield Rearrange(thing, self._relation("on", target), target, reference)

    def _where(self, reference: str) -> str:
        """Return the furniture or floor on which something stands now."""
        core = self._core
        rooms = {f.handle: f.room_id for f in core.simulator.scene.furniture}
        if reference in rooms:
            return floor_key(rooms[reference])
        surface = core.view.receptacle_of(reference)
        if surface is not None:
            return surface.furniture.handle
        at = core.world.pose(reference).position
        around = [r.room_id for r in core.simulator.scene.rooms if r.contains(at)]
        return floor_key(around[0] if around else core.simulator.scene.rooms[0].room_id)

    def _places(self, n: int, p: Proposition) -> list[str]:
        scene = self._core.simulator.scene
        if p.function_name == ON_FLOOR:
            return [floor_key(room.room_id) for room in scene.rooms]
        if p.function_name == IN_ROOM:
            rooms = set(p.args["room_ids"])
            floors = [floor_key(room) for room in p.args["room_ids"]]
            if self._has_pair(n, ON_FLOOR):
                return floors
            return floors + [f.handle for f in scene.furniture if f.room_id in rooms]
        return list(p.args["receptacle_handles"])

    def _has_pair(self, n: int, name: str) -> bool:
        """Tell whether another proposition of a name is about the same things."""
        things = set(self._props[n].args["object_handles"])
        return any(
            p.function_name == name and set(p.args["object_handles"]) == things for p in self._props
        )

    def _relation(self, wanted: Relation, target: str) -> Relation:
        """Return a preposition that the furniture offers."""
        offered = {s.receptacle.kind for s in self._core.surfaces.of.get(target, ())}
        if not offered:
            return "on"
        if wanted in offered:
            return wanted
        return "within" if "within" in offered else "on"

    # Drawing entities

    def _free(self, n: int, argument: str) -> list[str]:
        return [h for h in self._props[n].args[argument] if h not in self._used]

    def _is_one(self, p: Proposition) -> bool:
        return any(bool(value) for name, value in p.args.items() if name.startswith("is_same"))

    def _draw(self, slot: Slot, candidates: list[str]) -> list[str]:
        """Draw as many things as a proposition wants, each once."""
        tied = self._of_tie(slot)
        if tied is not None:
            return tied
        number = int(self._props[slot[0]].args.get("number") or 1)
        if slot[1] == "entity_handles_b":
            number = 1
        among = [h for h in candidates if h not in self._taken_by_others(slot)] or candidates
        drawn = self._rng.sample(among, min(number, len(among)))
        self._drawn[self._root(slot)] = drawn
        return drawn

    def _draw_places(
        self, slot: Slot, candidates: list[str], number: int, is_one: bool
    ) -> list[str]:
        """Draw a place for each thing, with replacement, or one for all."""
        tied = self._of_tie(slot)
        if tied:
            return [tied[0]] * number
        among = [h for h in candidates if h not in self._taken_by_others(slot)] or candidates
        if is_one:
            drawn = [self._rng.choice(among)] * number
        else:
            drawn = [self._rng.choice(among) for _ in range(number)]
        self._drawn[self._root(slot)] = drawn
        return drawn

    def _of_tie(self, slot: Slot) -> list[str] | None:
        return self._drawn.get(self._root(slot)) if slot in self._tied else None

    def _taken_by_others(self, slot: Slot) -> set[str]:
        others = (s for slots in self._apart if slot in slots for s in slots if s != slot)
        return {h for s in others for h in self._drawn.get(self._root(s), ())}

    def _tie(self, slots: Sequence[Slot]) -> None:
        for slot in slots:
            self._tied.setdefault(slot, slot)
        for slot in slots[1:]:
            self._tied[self._root(slot)] = self._root(slots[0])

    def _root(self, slot: Slot) -> Slot:
        while self._tied.get(slot, slot) != slot:
            slot = self._tied[slot]
        return slot
