"""Yielding: nobody stands in a doorway, and who is already in it goes first."""

from __future__ import annotations

from episodes.poses import Vec3
from server.robots.policies.cohab.walking_distances import Ways, flat

DOORWAY_M = 1.0
"""So near to the middle of a door a body is in its way."""


def door_at(ways: Ways, point: Vec3) -> Vec3 | None:
    """The middle of the door in whose way a body at a point is."""
    near = [door for door, _ in ways.doors if flat(door, point) <= DOORWAY_M]
    return min(near, key=lambda door: flat(door, point), default=None)


def must_yield(ways: Ways, here: Vec3, partner: Vec3 | None, goal: Vec3) -> bool:
    """Whether the partner stands in the door that this body is about to go through: it is nearer
    to the door, and the door is on the way (m, straight)."""
    if partner is None or (door := door_at(ways, partner)) is None:
        return False
    mine, theirs = flat(here, door), flat(partner, door)
    is_near = theirs < mine <= 2 * DOORWAY_M
    on_the_way = mine + ways.metres(door, goal) <= ways.metres(here, goal) + DOORWAY_M
    return is_near and on_the_way


def aside(ways: Ways, here: Vec3, room_id: str) -> str | None:
    """The furniture (or floor) to step to out of a doorway: the nearest in the room that is in
    nobody's way. None where the body is in no door's way."""
    if door_at(ways, here) is None:
        return None
    among = [
        key for key in ways.in_room.get(room_id, ()) if door_at(ways, ways.places[key]) is None
    ]
    return min(among, key=lambda key: flat(here, ways.places[key]), default=None)
