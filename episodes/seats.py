"""Seats of a session: places with a body."""

from __future__ import annotations

import re
from typing import cast

import msgspec

from episodes.bodies import BODIES, SeatKind

_SEAT_ID = re.compile(rf"({'|'.join(BODIES)})_(0|[1-9]\d*)", re.ASCII)


class Seat(msgspec.Struct, frozen=True):
    """A place in a session; ``seat_id`` is ``<kind>_<n>``, n counting from 0 within the kind."""

    seat_id: str
    kind: SeatKind

    @classmethod
    def of(cls, seat_id: str) -> Seat:
        """Return the seat with this id. Raises ValueError for what is none."""
        found = _SEAT_ID.fullmatch(seat_id)
        if found is None:
            raise ValueError(f"expected a seat such as robot_0 or human_1, got {seat_id!r}")
        return cls(seat_id, cast(SeatKind, found[1]))

    @property
    def ordinal(self) -> int:
        """Number of the seat within its kind, from 0."""
        return int(self.seat_id.rpartition("_")[2])


ROBOT = Seat("robot_0", "robot")
HUMAN = Seat("human_0", "human")
PAIR: tuple[Seat, ...] = (ROBOT, HUMAN)
"""The seats of a robot and a person, in PARTNR's order: agent 0 is the robot, 1 the human."""
