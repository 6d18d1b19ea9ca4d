"""Drawers above each other: one that is out hides what lies in those below it.

Whoever looks into all of them opens them from below; whoever wants something out of one closes
those that are out above it.
"""

from __future__ import annotations

from episodes.rules import parts_to
from server.sessions.core import SessionCore
from server.sessions.surfaces import Surface
from server.skills.body import Body


def minds_sight(body: Body) -> bool:
    """Tell whether the rules ask for sight of what is picked up; PARTNR's skills do not."""
    return "in_sight" in body.rules.verbs["pick"]


def next_to_open(core: SessionCore, furniture: str) -> int | None:
    """Return the part to open next: doors first, in their order, then drawers from below.

    None where nothing is closed.
    """
    heights = {
        s.part.index: s.receptacle.center[1]
        for s in core.surfaces.of[furniture]
        if s.part is not None and s.receptacle.moves
    }
    closed = parts_to(core.view, furniture, True)
    return min(closed, key=lambda part: (heights.get(part, float("-inf")), part), default=None)


def drawer_of(core: SessionCore, thing: str) -> Surface | None:
    """Return the drawer in which a thing lies; None: it lies in none."""
    surface = core.view.receptacle_of(thing) if thing in core.world.objects else None
    return surface if surface is not None and surface.receptacle.moves else None


def out_above(core: SessionCore, drawer: Surface) -> list[int]:
    """Return the parts that are out above a drawer, the highest first."""
    furniture, low = drawer.furniture.handle, drawer.receptacle
    out = parts_to(core.view, furniture, False)
    above = [
        s
        for s in core.surfaces.of[furniture]
        if s.part is not None
        and s.receptacle.moves
        and s.part.index in out
        and s.receptacle.center[1] > low.center[1]
        and abs(s.receptacle.center[0] - low.center[0]) < s.receptacle.half_x + low.half_x
    ]
    above.sort(key=lambda s: -s.receptacle.center[1])
    return [s.part.index for s in above if s.part is not None]
