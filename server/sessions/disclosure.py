"""Disclosure of what drives a seat: what those who play are told of it.

This is the one place that says so; names of bodies come from `episodes.seat_names`.
"""

from __future__ import annotations

from msgspec import UNSET

from server.sessions.spec import SessionSpec


def told_programs(spec: SessionSpec) -> frozenset[str]:
    """Return the seats of which players are told that a program drives them.

    They are not those where one stands in for a participant, and none where the session does not
    tell what policies do.
    """
    if spec.told_programs is not UNSET:
        # A study may tell people falsely, which its consent text and its debrief say.
        return frozenset(spec.told_programs)
    if not spec.tells_doing:
        return frozenset()
    return frozenset(s.seat.seat_id for s in spec.seats if s.policy and s.occupied)
