"""The intents: what an occupant of a seat may ask for.

Intents of one tick apply in order of arrival. Every refused one gets a reason that a person can
read (`episodes.rules`). Angles in radians, distances in metres, speeds in m/s.
"""

from __future__ import annotations

import msgspec

from episodes.poses import Vec3
from episodes.rules import TargetVerb

LARGEST = 1e4
"""The largest length (m), speed (m/s) or angle (rad) that can be meant."""


class Drive(msgspec.Struct, frozen=True, tag="drive", array_like=True):
    """A walk at this velocity until the next one: ``forward`` and ``strafe`` (right) in m/s."""

    forward: float
    strafe: float


class Look(msgspec.Struct, frozen=True, tag="look", array_like=True):
    """A turn of the body to ``yaw`` and the view to ``pitch``, as fast as the body can."""

    yaw: float
    pitch: float


class Act(msgspec.Struct, frozen=True, tag="act", array_like=True):
    """An action ``verb`` on an entity.

    ``part`` chooses the link for open and close (None: the default one, the first that the verb
    would change).
    """

    intent_id: int
    verb: TargetVerb
    target: str
    part: int | None = None
    by_skill: bool = False
    """Whether a skill asked, whose rules can differ from those of people (PARTNR's do)."""
    client_ms: int = -1
    """The clock of the page that asked, for the log; -1: none."""


class Place(msgspec.Struct, frozen=True, tag="place", array_like=True):
    """A wish to put what the hand holds down at ``point`` (on a surface), turned to ``yaw``.

    ``target`` is what the point is on, as the player sees it: an entity, or None for the floor. The
    session lowers the object from just above the point and judges where it lands.
    """

    intent_id: int
    point: Vec3
    yaw: float
    target: str | None = None
    by_skill: bool = False
    client_ms: int = -1


class Say(msgspec.Struct, frozen=True, tag="say", array_like=True):
    text: str


class Ready(msgspec.Struct, frozen=True, tag="ready", array_like=True):
    """The word that the occupant has loaded and wants to begin."""


class Finish(msgspec.Struct, frozen=True, tag="finish", array_like=True):
    """The word that the occupant thinks the task is done (or, with false, no longer does)."""

    finished: bool = True


class Select(msgspec.Struct, frozen=True, tag="select", array_like=True):
    """Selection of an occupant: its available actions are kept up to date for it."""

    target: str | None = None
    part: int | None = None


Intent = Drive | Look | Act | Place | Say | Ready | Finish | Select


def _numbers_of(intent: Intent) -> tuple[float, ...]:
    """Return every number of an intent that enters the world."""
    match intent:
        case Drive(forward, strafe):
            return (forward, strafe)
        case Look(yaw, pitch):
            return (yaw, pitch)
        case Place():
            return (*intent.point, intent.yaw)
    return ()


def check_numbers(intent: Intent) -> None:
    """Check that every number of an intent is finite and within any house.

    No other may get into the world or the log. Raises ValueError.
    """
    for number in _numbers_of(intent):
        # A NaN fails the comparison too.
        if not abs(number) <= LARGEST:
            raise ValueError(f"expected numbers up to {LARGEST:g}, got {intent}")
