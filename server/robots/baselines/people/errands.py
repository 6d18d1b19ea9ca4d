"""Errands of a person: what somebody who knows the goal means to bring about, as plain values.

They are read from the task once, before the start, and are all that a person has beside its view.
"""

from __future__ import annotations

from typing import NamedTuple

from episodes.names import floor_key, noun_of
from server.robots.baselines.expert.goals import Goal, plan
from server.robots.baselines.scripted_player import Change, Put
from server.sessions.core import SessionCore
from server.skills.registry import SKILLS

_SKILL_OF = {skill.verb: skill.name for skill in SKILLS.values() if skill.verb}
ALIKE = ("is_on_top", "is_inside", "is_in_room", "is_on_floor")


class Target(NamedTuple):
    """A place to put a thing: furniture or a `floor_key` (empty: the floor beside ``near``)."""

    key: str
    relation: str = "on"
    near: str = ""


class Errand(NamedTuple):
    """A change that is wanted of one thing."""

    things: tuple[str, ...]
    """Handles of things that would do, the one in mind first."""
    word: str
    """The word that people have for the thing."""
    targets: tuple[Target, ...] = ()
    """Places where it may be put, the best first; none: a state is to change."""
    accepts: frozenset[str] = frozenset()
    """Furniture and floors on which it is right; empty: wherever it is next to ``near``."""
    skill: str = ""
    """The skill that brings the state about."""
    is_wet: bool = False
    """Whether it is done at a faucet."""
    needs: frozenset[int] = frozenset()
    """Numbers of the errands that come first."""

    @property
    def thing(self) -> str:
        return self.things[0]

    @property
    def state(self) -> tuple[str, bool] | None:
        return SKILLS[self.skill].changes if self.skill else None


def errands_of(core: SessionCore) -> tuple[Errand, ...]:
    """Read what a task wants. Raises UnsolvableError where the expert has no plan for it."""
    found: list[Errand] = []
    numbers: dict[int, frozenset[int]] = {}
    for index, goal in enumerate(plan(core)):
        needs = frozenset[int]().union(*(numbers[n] for n in goal.needs))
        mine: set[int] = set()
        for errand in _parts(core, goal):
            mine.add(len(found))
            found.append(errand._replace(needs=needs))
            needs |= {len(found) - 1}
        numbers[index] = frozenset(mine)
    return tuple(found)


def _parts(core: SessionCore, goal: Goal) -> list[Errand]:
    things, accepts = _choices(core, goal)
    word = noun_of(core.simulator.catalogue.of_handle(goal.thing).class_name)
    parts: list[Errand] = []
    for step in goal.ways[0]:
        if isinstance(step, Change):
            template = core.view.template(goal.thing)
            wet = step.verb == "fill" or (step.verb == "clean" and template.cleaned_under_faucet)
            skill = _SKILL_OF[step.verb]
            is_wet = wet and template.kind == "object"
            parts.append(Errand((goal.thing,), word, skill=skill, is_wet=is_wet))
        elif isinstance(step, Put):
            puts = [way[-1] for way in goal.ways if isinstance(way[-1], Put)]
            targets = tuple(dict.fromkeys(_target(put) for put in puts))
            parts.append(Errand(things, word, targets, accepts))
    return parts


def _target(put: Put) -> Target:
    near = put.next_to or ""
    if put.relation != "floor":
        return Target(put.target, put.relation, near)
    return Target(floor_key(put.target) if put.target else "", "on", near)


def _choices(core: SessionCore, goal: Goal) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the things and the places that fit all placements of a goal."""
    things: list[str] | None = None
    rooms: set[str] | None = None
    furniture: set[str] | None = None
    is_floor = False
    for index in sorted(goal.propositions):
        wanted = core.task.evaluation_propositions[index]
        if wanted.function_name not in ALIKE:
            # What is washed or next to something is one certain thing.
            things = [goal.thing]
            continue
        options = list(wanted.args["object_handles"])
        things = options if things is None else [t for t in things if t in options]
        is_floor |= wanted.function_name == "is_on_floor"
        if "room_ids" in wanted.args:
            some = set(wanted.args["room_ids"])
            rooms = some if rooms is None else rooms & some
        if "receptacle_handles" in wanted.args:
            some = set(wanted.args["receptacle_handles"])
            furniture = some if furniture is None else furniture & some
    scene = core.simulator.scene
    if is_floor:
        keys = {floor_key(r.room_id) for r in scene.rooms if rooms is None or r.room_id in rooms}
    elif furniture is not None:
        room_of = {f.handle: f.room_id for f in scene.furniture}
        keys = {f for f in furniture if rooms is None or room_of.get(f) in rooms}
    elif rooms is not None:
        keys = {f.handle for f in scene.furniture if f.room_id in rooms}
    else:
        keys = set()
    others = [t for t in things or () if t != goal.thing]
    return (goal.thing, *others), frozenset(keys)
