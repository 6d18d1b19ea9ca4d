"""Seats of a session: places with a body."""

from __future__ import annotations

import msgspec

from episodes.bodies import SeatKind


class Seat(msgspec.Struct, frozen=True):
    """A place in a session; ``seat_id`` is ``<kind>_<n>``, n counting from 0 within the kind."""

    seat_id: str
    kind: SeatKind


ROBOT = Seat("robot_0", "robot")
HUMAN = Seat("human_0", "human")
PAIR: tuple[Seat, ...] = (ROBOT, HUMAN)
"""The seats of a robot and a person, in PARTNR's order: agent 0 is the robot, 1 the human."""
