"""Goals of a task's propositions: this thing there, that one washed, and what has to come first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from episodes.dataset.vocabulary import (
    DEFAULT_L2_THRESHOLD_M,
    DIFFERENT_ARG,
    GROUPS_ARG,
    SAME_ARG,
)
from server.robots.baselines.expert.choices import PLACED, Choices
from server.robots.baselines.expert.order import Order, UnsolvableError, signature_of
from server.robots.baselines.scripted_player import Change, Put, Step, Take
from server.sessions.core import SessionCore
from server.skills.errands import Relation

_VERB: dict[str, Any] = {
    "is_clean": "clean",
    "is_filled": "fill",
    "is_powered_on": "power_on",
    "is_powered_off": "power_off",
}
_RELATION: dict[str, Relation] = {"is_on_top": "on", "is_inside": "within"}
PLACES_TRIED = 4


@dataclass(eq=False)
class Goal:
    """A goal to bring about. ``ways`` are lists of steps that bring it about, the best first."""

    thing: str
    propositions: set[int]
    ways: list[list[Step]] = field(default_factory=list)
    needs: set[int] = field(default_factory=set)
    """Numbers of the goals that have to be reached first."""
    after: set[int] = field(default_factory=set)
    """Goals of them that the task's order puts first: out of order it would be broken."""
    for_people: bool = False
    """Whether only a human body can do it."""
    lasts: bool = False
    """Whether what it brings about has to hold at the end."""
    keeps_in_hand: bool = False
    """The thing is in the hand afterwards."""

    @property
    def puts(self) -> bool:
        return any(isinstance(step, Put) for step in self.ways[0])


@dataclass(eq=False)
class _Placing:
    """A goal that puts something down, while the plan is made."""

    goal: Goal
    near: str | None = None
    near_m: float = DEFAULT_L2_THRESHOLD_M
    """Distance within which the task wants it (m)."""
    floor: bool = False
    target: str | None = None


def plan(core: SessionCore) -> list[Goal]:
    """Plan the goals of a task as it stands, each after all that it needs.

    Raises UnsolvableError.
    """
    return _Planner(core).plan()


def has_ties(core: SessionCore) -> bool:
    """Tell whether one choice of a place binds several things of a task."""
    tied = any(c.type in (SAME_ARG, DIFFERENT_ARG) for c in core.task.evaluation_constraints)
    return tied or any(_is_same(p.args) for p in core.task.evaluation_propositions)


def tied_propositions(core: SessionCore, indices: Set[int]) -> set[int]:
    """Return the propositions whose place has to be the same as that of any of some, by index."""
    found = {i for i in indices if _is_same(core.task.evaluation_propositions[i].args)}
    for constraint in core.task.evaluation_constraints:
        members = set(constraint.args.get("proposition_indices", ()))
        if constraint.type == SAME_ARG and members & indices:
            found |= members
    return found


def follow_choices(core: SessionCore, goals: Sequence[Goal], theirs: Set[str]) -> list[Goal]:
    """Let goals lead to the places that somebody has chosen since they were planned.

    ``theirs`` are the things that others have put somewhere. Returns the goals that lead elsewhere
    now; one whose thing is not chosen any more stays as it is.
    """
    planner = _Planner(core)
    planner.choices.settle(core, theirs)
    try:
        found = {(g.thing, frozenset(g.propositions)): g for g in planner.plan()}
    except UnsolvableError:
        return []
    changed = []
    for goal in goals:
        now = found.get((goal.thing, frozenset(goal.propositions)))
        if now is not None and now.ways[0] not in goal.ways:
            goal.ways = now.ways
            changed.append(goal)
    return changed


class _Planner:
    def __init__(self, core: SessionCore) -> None:
        self.core = core
        self.propositions = core.task.evaluation_propositions
        self.order = Order(core.task)
        self.choices = Choices(core, self.order)
        self.rooms = {f.handle: f.room_id for f in core.simulator.scene.furniture}
        self.goals: list[Goal] = []
        self.placings: list[_Placing] = []

    def plan(self) -> list[Goal]:
        # States first, so that what is washed is put away after that, not before.
        for index in self._in_order(lambda name: name not in PLACED):
            if self.propositions[index].function_name in _VERB:
                self._change(index)
            elif signature_of(self.propositions[index]).state is not None:
                self._holds_already(index)
        for index in self._in_order(lambda name: name in PLACED):
            self._place(index)
        self._bring_together()
        for placing in self._near_last():
            self._choose(placing)
        self._put_back()
        return self._sorted()

    def _in_order(self, wanted: Any) -> list[int]:
        return [i for i in self.order.sequence if wanted(self.propositions[i].function_name)]

    # States

    def _change(self, index: int) -> None:
        proposition = self.propositions[index]
        verb = _VERB[proposition.function_name]
        for thing in self.choices.things(index):
            template = self.core.view.template(thing)
            wet = verb == "fill" or (verb == "clean" and template.cleaned_under_faucet)
            self.goals.append(
                Goal(
                    thing,
                    {index},
                    [[Change(verb, thing)]],
                    for_people=True,
                    keeps_in_hand=wet and template.kind == "object",
                )
            )

    def _holds_already(self, index: int) -> None:
        proposition = self.propositions[index]
        state = signature_of(proposition).state
        for thing in self.choices.things(index):
            if self.core.world.states.get((thing, state or "")) is not False:
                name = proposition.function_name.removeprefix("is_")
                raise UnsolvableError(f"proposition {index}: nothing makes {thing} {name}")

    # Placements

    def _place(self, index: int) -> None:
        """Make one goal for all placements of a thing that can hold at once."""
        for thing in self.choices.things(index):
            placing = next((p for p in self._of(thing) if self._can_join(p, index)), None)
            if placing is None:
                placing = _Placing(Goal(thing, set()))
                self.placings.append(placing)
                self.goals.append(placing.goal)
            placing.goal.propositions.add(index)
            placing.floor |= self.propositions[index].function_name == "is_on_floor"

    def _of(self, thing: str) -> list[_Placing]:
        return [p for p in self.placings if p.goal.thing == thing]

    def _can_join(self, placing: _Placing, index: int) -> bool:
        among = placing.goal.propositions
        if any(self.order.ordered(index, i) for i in among):
            return False
        return bool(self._targets({*among, index}))

    def _targets(self, indices: Iterable[int]) -> list[str]:
        """Find the furniture (or rooms, for the floor) that fits all of some placements."""
        names = {self.propositions[i].function_name for i in indices}
        rooms = self._common(indices, "room_ids")
        if "is_on_floor" in names:
            if names & set(_RELATION):
                return []
            return rooms if rooms is not None else [""]
        furniture = self._common(indices, "receptacle_handles")
        if furniture is None:
            furniture = [
                handle
                for handle in self.rooms
                if any(s.receptacle.kind == "on" for s in self.core.surfaces.of[handle])
            ]
        return [f for f in furniture if rooms is None or self.rooms.get(f) in rooms]

    def _common(self, indices: Iterable[int], argument: str) -> list[str] | None:
        """Return what all propositions that have an argument allow for it; None if none has it."""
        found: list[str] | None = None
        for index in sorted(indices):
            options = self.propositions[index].args.get(argument)
            if options is not None:
                options = self.choices.tied(index, argument, list(options))
                found = options if found is None else [o for o in found if o in options]
        return found

    # Next to each other

    def _bring_together(self) -> None:
        for index in self.order.sequence:
            proposition = self.propositions[index]
            if proposition.function_name == "is_next_to":
                others: list[str] = list(proposition.args["entity_handles_b"])
                for thing in self.choices.things(index):
                    tied = self.choices.tied(index, "entity_handles_b", others)
                    options = [o for o in tied if o != thing]
                    if not options:
                        raise UnsolvableError(f"proposition {index}: {thing} next to itself")
                    other = min(options, key=lambda o: (not self._of(o), options.index(o)))
                    self.choices.keep(index, "entity_handles_b", other)
                    self._beside(index, thing, other)
            elif signature_of(proposition).is_clustered:
                members = self._members(index)
                for member in members[1:]:
                    self._beside(index, member, members[0])

    def _members(self, index: int) -> list[str]:
        args = self.propositions[index].args
        groups: list[list[str]] = args[GROUPS_ARG]
        numbers = args.get("number") or [1] * len(groups)
        if isinstance(numbers, int):
            numbers = [numbers] * len(groups)
        members: list[str] = []
        for group, number in zip(groups, numbers, strict=True):
            # What is moved anyhow is gathered first.
            options = sorted((h for h in group if h not in members), key=lambda h: not self._of(h))
            members += options[:number]
        return members

    def _beside(self, index: int, thing: str, other: str) -> None:
        """Put one next to the other when it is placed anyhow; else move it there."""
        near_m = float(self.propositions[index].args.get("l2_threshold", DEFAULT_L2_THRESHOLD_M))
        for one, two in ((thing, other), (other, thing)):
            for placing in self._of(one):
                ordered = any(self.order.ordered(index, i) for i in placing.goal.propositions)
                if not ordered and placing.near is None:
                    placing.near, placing.near_m = two, near_m
                    placing.goal.propositions.add(index)
                    return
        movable = [h for h in (thing, other) if h in self.core.world.objects]
        if not movable:
            raise UnsolvableError(f"proposition {index}: neither {thing} nor {other} can be moved")
        if (
            not self._of(thing)
            and not self._of(other)
            and self.core.simulator.gap(thing, other) <= near_m
        ):
            return
        one = movable[0]
        beside = other if one == thing else thing
        placing = _Placing(Goal(one, {index}), near=beside, near_m=near_m)
        self.placings.append(placing)
        self.goals.append(placing.goal)

    # Where exactly

    def _near_last(self) -> list[_Placing]:
        """Sort the placings: each comes after the one that it is next to."""
        done: list[_Placing] = []
        left = list(self.placings)
        while left:
            ready = [p for p in left if not any(o in left for o in self._awaited(p))] or left[:1]
            done += ready
            left = [p for p in left if p not in ready]
        return done

    def _awaited(self, placing: _Placing) -> list[_Placing]:
        """Return the placings that put down what this one's thing is to stand next to."""
        if placing.near is None:
            return []
        mine = placing.goal.propositions
        return [
            p
            for p in self._of(placing.near)
            if p is not placing
            and not any(
                i in self.order.before[j] for i in mine for j in p.goal.propositions if i != j
            )
        ]

    def _choose(self, placing: _Placing) -> None:
        goal = placing.goal
        placed = {i for i in goal.propositions if self.propositions[i].function_name in PLACED}
        if placing.floor:
            targets = self._targets(placed)
            goal.ways = [
                [Take(goal.thing), Put(t, "floor", placing.near, placing.near_m)]
                for t in targets[:1]
            ]
        elif placed:
            goal.ways = self._on_furniture(placing, placed)
        else:
            goal.ways = [[Take(goal.thing), self._at(placing)]]
        put = goal.ways[0][-1]
        assert isinstance(put, Put)
        placing.target = put.target
        for index in placed:
            for argument in ("receptacle_handles", "room_ids"):
                options = self.propositions[index].args.get(argument, ())
                chosen = next(
                    (c for c in (put.target, self.rooms.get(put.target)) if c in options), None
                )
                if chosen is not None:
                    self.choices.keep(index, argument, chosen)

    def _on_furniture(self, placing: _Placing, placed: set[int]) -> list[list[Step]]:
        goal = placing.goal
        relations = {_RELATION[n] for i in placed
                     if (n := self.propositions[i].function_name) in _RELATION}  # fmt: skip
        options = self._targets(placed)
        preferred = self._where_is(placing.near)
        start = self.core.view.pose(goal.thing).position

        def cost(furniture: str) -> tuple[bool, bool, float]:
            away = math.dist(start, self.core.view.pose(furniture).position)
            return (furniture != preferred, not self._offers(furniture, relations), away)

        options.sort(key=cost)
        # Tied and common choices hold for others too: no second choice there.
        fixed = any(self.choices.is_tied(i) or _is_same(self.propositions[i].args) for i in placed)
        options = options[: 1 if fixed else PLACES_TRIED]
        if not options:
            raise UnsolvableError(f"there is no place for {goal.thing} that fits {sorted(placed)}")
        puts = [Put(f, self._relation(f, relations), placing.near, placing.near_m) for f in options]
        if placing.near is not None:
            # Where it cannot stand next to that, it is at least where it belongs.
            puts.append(puts[0]._replace(next_to=None))
        return [[Take(goal.thing), put] for put in puts]

    def _offers(self, furniture: str, relations: set[Relation]) -> bool:
        kinds = {s.receptacle.kind for s in self.core.surfaces.of.get(furniture, ())}
        return bool(kinds & relations) if relations else "on" in kinds

    def _relation(self, furniture: str, relations: set[Relation]) -> Relation:
        wanted: Relation = "within" if relations == {"within"} else "on"
        kinds = {s.receptacle.kind for s in self.core.surfaces.of[furniture]}
        if wanted in kinds or not kinds:
            return wanted
        return "on" if wanted == "within" else "within"

    def _where_is(self, thing: str | None) -> str | None:
        """Return the furniture on which something will be, or is, or that it is."""
        if thing is None or thing in self.core.surfaces.of:
            return thing
        targets = [p.target for p in self._of(thing) if p.target is not None]
        if targets:
            return targets[-1]
        surface = self.core.view.receptacle_of(thing)
        return None if surface is None else surface.furniture.handle

    def _at(self, placing: _Placing) -> Put:
        """Put the thing next to something, wherever that is."""
        near, near_m = placing.near, placing.near_m
        assert near is not None
        if near in self.core.surfaces.of:
            return Put("", "floor", near, near_m)
        where = self._where_is(near)
        if where is None or where not in self.core.surfaces.of:
            return Put(where or "", "floor", near, near_m)
        surface = self.core.view.receptacle_of(near)
        moved = bool(self._of(near))
        relation: Relation = "on"
        if not moved and surface is not None:
            relation = surface.receptacle.kind
        return Put(where, self._relation(where, {relation}), near, near_m)

    # Putting it together

    def _put_back(self) -> None:
        """Put back to where it was what is washed after it was put away."""
        for goal in self.goals:
            if not goal.keeps_in_hand:
                continue
            (index,) = goal.propositions
            own = self._of(goal.thing)
            earlier = [
                p for p in own if any(i in self.order.before[index] for i in p.goal.propositions)
            ]
            if earlier and len(earlier) == len(own):
                goal.ways[0].append(earlier[-1].goal.ways[0][-1])
                goal.keeps_in_hand = False

    def _sorted(self) -> list[Goal]:
        """Sort the goals: each comes after what it needs."""
        position = {index: n for n, index in enumerate(self.order.sequence)}
        left = sorted(self.goals, key=lambda g: min(position[i] for i in g.propositions))
        before: dict[int, set[int]] = {
            id(g): set().union(*(self.order.before[i] for i in g.propositions)) for g in left
        }
        awaited = {id(p.goal): {id(o.goal) for o in self._awaited(p)} for p in self.placings}
        done: list[Goal] = []

        def free(goal: Goal) -> bool:
            waiting = [g for g in left if g is not goal]
            if any(g.propositions & before[id(goal)] for g in waiting):
                return False
            if any(id(g) in awaited.get(id(goal), ()) for g in waiting):
                return False
            # What is washed and put away unordered is washed first.
            return not (goal.puts and any(g.thing == goal.thing and not g.puts
                                          and not before[id(g)] & goal.propositions
                                          for g in waiting))  # fmt: skip

        while left:
            ready = [g for g in left if free(g)] or left[:1]
            # Stay with what is in the hand; else the order of the task.
            goal = next((g for g in ready if done and g.thing == done[-1].thing), ready[0])
            left.remove(goal)
            goal.lasts = goal.propositions <= self.order.lasting
            goal.after = {n for n, g in enumerate(done) if g.propositions & before[id(goal)]}
            goal.needs = goal.after | {
                n
                for n, g in enumerate(done)
                if id(g) in awaited.get(id(goal), ()) or g.thing == goal.thing
            }
            done.append(goal)
        return done


def _is_same(args: dict[str, Any]) -> bool:
    return any(bool(value) for name, value in args.items() if name.startswith("is_same"))
