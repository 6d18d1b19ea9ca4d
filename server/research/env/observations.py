"""Observations: what a seat knows, as arrays of a size that no episode changes.

The whole view, with names, texts and history, is in the infos of a step; these are for networks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from episodes.rules import VERB_TABLE
from episodes.teams import MOST_BODIES
from server.research.env.actions import MOST_ACTIONS, Mask
from server.robots.policy import PolicyView
from server.sessions.spec import TICK_S

MOST_THINGS = 64
"""Objects that a seat is shown, in the order in which it came to know them."""
BODY_COLUMNS = ("present", "x", "z", "room", "thing_held")
"""Columns of ``bodies``: metres, the room's index in the scene, the thing's row; -1: none."""
STATES = tuple(sorted({row.changes[0] for row in VERB_TABLE.values() if row.changes is not None}))
THING_COLUMNS = ("known", "furniture", "held_by", *STATES)
"""Columns of ``things``: the furniture's index in the seat's graph and the holder's row in
``bodies`` (-1: none), and each state: 1, 0, or -1 where the thing cannot have it."""

Observation = dict[str, npt.NDArray[Any]]


def observation_space() -> spaces.Dict:
    """Return the space of what a seat is shown."""
    return spaces.Dict(
        {
            "action_mask": spaces.Box(0, 1, (MOST_ACTIONS,), np.int8),
            "seconds": spaces.Box(0, np.inf, (1,), np.float32),
            "bodies": spaces.Box(-np.inf, np.inf, (MOST_BODIES, len(BODY_COLUMNS)), np.float32),
            "things": spaces.Box(-1, np.inf, (MOST_THINGS, len(THING_COLUMNS)), np.float32),
        }
    )


def observed(view: PolicyView, mask: Mask, seats: tuple[str, ...]) -> Observation:
    """Return a view as arrays; ``seats`` are the team's, whose own row comes first."""
    graph = view.graph
    rows = (view.seat, *(seat for seat in seats if seat != view.seat))
    things = {handle: row for row, handle in enumerate(graph.objects)}
    rooms = {room.room_id: index for index, room in enumerate(graph.scene.rooms)}
    furniture = {key: index for index, key in enumerate(graph.rooms)}
    places = {view.seat: view.position}
    places |= {p.seat: p.position for p in view.partners if p.position is not None}
    bodies = np.zeros((MOST_BODIES, len(BODY_COLUMNS)), np.float32)
    bodies[:, 3:] = -1
    for row, seat in enumerate(rows):
        if seat in places:
            x, _, z = places[seat]
            held = things.get(graph.held(seat) or "", -1)
            room = rooms.get(graph.room_at(places[seat]), -1)
            bodies[row] = (1, x, z, room, held if held < MOST_THINGS else -1)
    known = np.full((MOST_THINGS, len(THING_COLUMNS)), -1, np.float32)
    known[:, 0] = 0
    for handle, row in things.items():
        if row < MOST_THINGS:
            thing = graph.objects[handle]
            where, states = thing.place, dict(thing.states)
            known[row] = (
                1,
                furniture.get(where.key, -1) if where.kind == "furniture" else -1,
                rows.index(where.key) if where.kind == "agent" and where.key in rows else -1,
                *(float(states[state]) if state in states else -1 for state in STATES),
            )
    return {
        "action_mask": mask,
        "seconds": np.array([view.tick * TICK_S], np.float32),
        "bodies": bodies,
        "things": known,
    }
