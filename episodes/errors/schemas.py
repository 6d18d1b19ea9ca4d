"""Preconditions and effects of each skill, in symbols (section 3.6 of the EAI notes).

The same table serves people's actions (``pick`` is ``Pick``) and skills as a model calls them.
Being near is not in it: skills walk by themselves, and people are told by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from episodes.bodies import SeatKind
from episodes.errors.literals import Literal
from episodes.rules.verbs import VERB_TABLE
from episodes.scene import Catalogue, Scene, Template

FLOOR_PREFIX = "floor"


class Action(NamedTuple):
    """A called skill: PARTNR's name and its arguments."""

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"


class Entity(NamedTuple):
    """Possible uses of a thing. ``surfaces`` holds ``on`` and ``within``."""

    movable: bool = False
    openable: bool = False
    surfaces: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    is_room: bool = False


class Domain(NamedTuple):
    """Things of a scene by name, and who may change states (None: everybody)."""

    entities: Mapping[str, Entity]
    state_changers: frozenset[SeatKind] | None = None
    kinds: Mapping[str, SeatKind] = {}

    def may_change_states(self, seat: str) -> bool:
        changers = self.state_changers
        return changers is None or self.kinds.get(seat) in changers


def domain_of(
    scene: Scene,
    catalogue: Catalogue,
    objects: Mapping[str, object],
    kinds: Mapping[str, SeatKind],
    state_changers: frozenset[SeatKind],
) -> Domain:
    """Return the domain of an episode from its scene, the handles of its objects and its seats."""
    entities = {f.handle: _entity(catalogue.templates[f.template]) for f in scene.furniture}
    for handle in objects:
        entities[handle] = _entity(catalogue.of_handle(handle))
    for room in scene.rooms:
        entities[room.room_id] = Entity(is_room=True)
    return Domain(entities, state_changers, kinds)


def _entity(template: Template) -> Entity:
    movable = template.kind == "object"
    surfaces = frozenset({"on"} if movable else {r.kind for r in template.receptacles})
    return Entity(movable, bool(template.parts), surfaces, frozenset(template.affords))


Affords = Callable[[Domain, str, tuple[str, ...]], str | None]
"""A check of whether things of this kind can be used so; a word for the record, or None."""
Literals = Callable[[Domain, str, tuple[str, ...]], tuple[Literal, ...]]


class ActionSchema(NamedTuple):
    """A skill's schema. ``redundant`` is what must hold for the action to be unnecessary."""

    arities: tuple[int, ...]
    affords: Affords
    redundant: Literals
    preconditions: Literals
    things: tuple[int, ...]
    """Positions of the arguments that name entities of the scene."""


def _nothing(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    return ()


def _always(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
    return None


def _pick_affords(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
    return None if domain.entities[args[0]].movable else "not_movable"


def _pick_needs(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    thing = args[0]
    return (
        Literal("hand_empty", (seat,)),
        Literal("not_held_by_partner", (seat, thing)),
        Literal("accessible", (thing,)),
    )


def _is_floor(name: str) -> bool:
    return name.startswith(FLOOR_PREFIX)


def _place_affords(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
    relation, target = args[1], args[2]
    if _is_floor(target):
        return None if relation == "on" else "no_surface"
    entity = domain.entities[target]
    if entity.is_room:
        return None if relation == "on" else "no_surface"
    return None if relation in entity.surfaces else "no_surface"


def _place_needs(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    needs = [Literal("holding", (seat, args[0]))]
    target = domain.entities.get(args[2])
    if args[1] == "within" and target is not None and target.openable:
        needs.append(Literal("is_open", (args[2],)))
    return tuple(needs)


def _place_done(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    return (Literal(args[1], (args[0], args[2])),)


def _rearrange_affords(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
    return _pick_affords(domain, seat, args) or _place_affords(domain, seat, args)


def _open_affords(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
    return None if domain.entities[args[0]].openable else "not_openable"


def _changes(state: str) -> Affords:
    def affords(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
        if state not in domain.entities[args[0]].states:
            return f"no_{state}"
        return None if domain.may_change_states(seat) else "agent_capability"

    return affords


def _one(name: str) -> Literals:
    return lambda domain, seat, args: (Literal(name, (args[0],)),)


def _touch(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    return (
        Literal("not_held_by_partner", (seat, args[0])),
        Literal("accessible", (args[0],)),
    )


def _pour_needs(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    return (Literal("holding_filled", (seat, args[0])), *_touch(domain, seat, args))


def _held(domain: Domain, seat: str, args: tuple[str, ...]) -> tuple[Literal, ...]:
    return (Literal("holding", (seat, args[0])),)


def _room_affords(domain: Domain, seat: str, args: tuple[str, ...]) -> str | None:
    return None if domain.entities[args[0]].is_room else "not_a_room"


def _state_skill(state: str, done: str | None = None) -> ActionSchema:
    return ActionSchema((1,), _changes(state), _one(done or state), _touch, (0,))


_PLACE_ARITIES = (3, 5)
"""Numbers of arguments: PARTNR's five, or three without spatial constraint and reference."""

SCHEMAS: Final[dict[str, ActionSchema]] = {
    "Navigate": ActionSchema((1,), _always, _nothing, _nothing, (0,)),
    "Explore": ActionSchema((1,), _room_affords, _nothing, _nothing, (0,)),
    "Open": ActionSchema((1,), _open_affords, _one("is_open"), _nothing, (0,)),
    "Close": ActionSchema((1,), _open_affords, _one("is_closed"), _nothing, (0,)),
    "Pick": ActionSchema((1,), _pick_affords, _held, _pick_needs, (0,)),
    "Place": ActionSchema(_PLACE_ARITIES, _place_affords, _place_done, _place_needs, (0, 2)),
    "Rearrange": ActionSchema(_PLACE_ARITIES, _rearrange_affords, _place_done, _pick_needs, (0, 2)),
    "Clean": _state_skill("is_clean"),
    "Fill": _state_skill("is_filled"),
    "Pour": ActionSchema((1,), _changes("is_filled"), _one("is_filled"), _pour_needs, (0,)),
    "PowerOn": _state_skill("is_powered_on"),
    "PowerOff": _state_skill("is_powered_on", "is_powered_off"),
    "Wait": ActionSchema((0, 1), _always, _nothing, _nothing, ()),
    "Done": ActionSchema((0,), _always, _nothing, _nothing, ()),
}

SKILL_OF: Final = {verb: row.skill for verb, row in VERB_TABLE.items()}
"""PARTNR's name for each verb of a session."""


def expand(action: Action) -> tuple[Action, ...]:
    """Return the steps of a composite skill, or any other skill itself."""
    if action.name != "Rearrange" or len(action.args) not in _PLACE_ARITIES:
        return (action,)
    thing, _, target = action.args[:3]
    return (
        Action("Navigate", (thing,)),
        Action("Pick", (thing,)),
        Action("Navigate", (target,)),
        Action("Place", action.args),
    )
