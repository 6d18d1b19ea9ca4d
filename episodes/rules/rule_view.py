"""View of the world for rules, and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from episodes.bodies import SeatKind
from episodes.poses import Pose, Vec3
from episodes.scene import Template
from episodes.seats import Seat

TargetVerb = Literal["pick", "open", "close", "clean", "fill", "pour", "power_on", "power_off"]
"""A verb that is done to an entity: all but ``place``."""
Verb = Literal["pick", "place", "open", "close", "clean", "fill", "pour", "power_on", "power_off"]


class Refusal(NamedTuple):
    """A reason why not: ``rule`` names the precondition, ``reason`` is one line for a person."""

    rule: str
    reason: str


class Placement(NamedTuple):
    """Pose at which the held object would come to rest, and what is wrong with it.

    ``pose`` is None when there is nothing below. ``surface`` says what kind of thing it rests
    on: ``none`` is furniture where nothing is meant to stand. ``support`` is the receptacle's
    unique name, the object, or ``floor``; ``entity`` the furniture or object. ``clearance`` is
    the free height of a receptacle, ``overlaps`` what it would run into (``stage``: a wall),
    ``steady`` whether its middle is above the surface, ``walkable`` whether that is floor to
    walk on.
    """

    pose: Pose | None
    surface: Literal["receptacle", "object", "floor", "none"] = "none"
    support: str | None = None
    entity: str | None = None
    up: float = 1.0
    clearance: float | None = None
    overlaps: tuple[str, ...] = ()
    steady: bool = True
    walkable: bool = True


NOWHERE = Placement(None)


class RuleView(Protocol):
    """World as the rules see it. Entities are handles; distances are horizontal (m)."""

    def seats(self) -> Sequence[Seat]:
        """Return the seats of the session, in its order."""
        ...

    def seat_kind(self, seat: str) -> SeatKind: ...

    def held(self, seat: str) -> str | None:
        """Return the object that a seat holds."""
        ...

    def holder(self, entity: str) -> str | None:
        """Return the seat that holds an object."""
        ...

    def exists(self, entity: str) -> bool: ...

    def template(self, entity: str) -> Template: ...

    def label(self, entity: str) -> str:
        """Return what a player calls an entity: ``cup``, ``cup 2``."""
        ...

    def distance(self, seat: str, entity: str) -> float:
        """Return the distance from a body to an entity's nearest edge; 0 for what it holds."""
        ...

    def can_see(self, seat: str, entity: str) -> bool: ...

    def faucet_distance(self, seat: str) -> float:
        """Return the distance to the nearest edge of furniture with a tap that the body sees.

        It is infinite when there is none near.
        """
        ...

    def shut_in(self, entity: str) -> str | None:
        """Return the furniture in a closed part of which an object lies."""
        ...

    def inside(self, entity: str) -> str | None:
        """Return the furniture in a compartment of which an object lies, closed or open.

        Other doors of that furniture may hide the object.
        """
        ...

    def resting_on(self, entity: str) -> str | None:
        """Return an object that stands on this one."""
        ...

    def state(self, entity: str, name: str) -> bool | None:
        """Return the state of an entity; None when it cannot have the state."""
        ...

    def opened(self, entity: str, part: int) -> float:
        """Return how far a part is open: 0 closed, 1 open."""
        ...

    def obstacle(self, entity: str, part: int, opening: bool) -> str | None:
        """Return an object that a part would run into on opening or closing."""
        ...

    def reach_to(self, seat: str, point: Vec3) -> float:
        """Return the distance from a body to a point."""
        ...

    def sees_spot(self, seat: str, placement: Placement) -> bool:
        """Tell whether a body sees where the held object would come to rest."""
        ...

    def support_open(self, placement: Placement) -> bool:
        """Tell whether the receptacle that an object would stand in is accessible."""
        ...
