"""Doorway manners: nobody stops in a doorway, and whoever is already in it goes first."""

from __future__ import annotations

from collections.abc import Iterable

from episodes.poses import Vec3
from server.robots.policies.shared.walking_distances import Ways, flat

DOORWAY_M = 1.0
"""Distance from the middle of a door within which a body blocks it (m)."""


def door_at(ways: Ways, point: Vec3) -> Vec3 | None:
    """Return the middle of the door that a body at ``point`` blocks, or None."""
    near = [door for door, _ in ways.doors if flat(door, point) <= DOORWAY_M]
    return min(near, key=lambda door: flat(door, point), default=None)


def must_yield(ways: Ways, here: Vec3, partners: Iterable[Vec3], goal: Vec3) -> bool:
    """Tell whether a partner is in the door that this body is about to go through.

    That is so where the partner is nearer to the door, and the door lies on this body's way to
    ``goal``. Distances to the door are straight lines (m).
    """
    return any(_goes_first(ways, here, partner, goal) for partner in partners)


def _goes_first(ways: Ways, here: Vec3, partner: Vec3, goal: Vec3) -> bool:
    if (door := door_at(ways, partner)) is None:
        return False
    mine, theirs = flat(here, door), flat(partner, door)
    is_near = theirs < mine <= 2 * DOORWAY_M
    on_the_way = mine + ways.metres(door, goal) <= ways.metres(here, goal) + DOORWAY_M
    return is_near and on_the_way


def aside(ways: Ways, here: Vec3, room_id: str) -> str | None:
    """Return the furniture or floor to step to out of a doorway; None where no door is blocked.

    It is the nearest one in the room that blocks no door itself.
    """
    if door_at(ways, here) is None:
        return None
    among = [
        key for key in ways.in_room.get(room_id, ()) if door_at(ways, ways.places[key]) is None
    ]
    return min(among, key=lambda key: flat(here, ways.places[key]), default=None)
