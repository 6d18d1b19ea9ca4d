"""Help for a player who puts something down: the nearest place that fits.

It only answers questions. What a player then does is a `Place` like any other, judged where it
lands.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from episodes.poses import Vec3, to_local, yaw_of
from episodes.rules import NOWHERE, Placement, Refusal, RuleProfile, judge
from server.sessions.placement import lower
from server.sessions.rule_view import SessionRuleView
from server.sessions.surfaces import Surface

HELP = "map"
"""The feature of profiles whose players are helped: those of PARTNR aim by themselves."""
MOVABLE = frozenset({"room_for_it", "steady", "on_surface"})
"""Refusals that a place a little further on may not meet."""
STEPS_M = (0.04, 0.08, 0.13, 0.19)
DIRECTIONS = 8
GRID = (0.0, -0.35, 0.35, -0.7, 0.7)
"""Shares of a receptacle's half extents at which its places lie."""
FULL = Refusal("room", "There is no free place in it that you can reach")
NOT_OPEN = Refusal("open", "Nothing in it is open")
TOO_LARGE = Refusal("room", "It is too large for that")
QUARTER = math.pi / 2
SQUARE_RAD = 1e-3
"""The least by which a turn differs from another (rad)."""
ROOM_BESIDE_M = 0.02
"""The free width and depth that a thing needs beside it behind a shut front (m)."""
NOTHING_HELD = Refusal("holding", "Your hand is empty: pick something up first")


class Landing(NamedTuple):
    """A landing, and why something may not be put there, if it may not."""

    placement: Placement
    refusal: Refusal | None

    @property
    def reason(self) -> str:
        """The reason of the refusal; empty: it may be put there."""
        return "" if self.refusal is None else self.refusal.reason


def settle(
    profile: RuleProfile, view: SessionRuleView, seat: str, point: Vec3, yaw: float
) -> Landing:
    """Return the landing at a point, or at the nearest on the same thing that fits."""
    first = _land(profile, view, seat, point, yaw)
    if first.refusal is None or not profile.allows(HELP) or first.refusal.rule not in MOVABLE:
        return first
    for near in _around(view, point, first.placement):
        landing = _land(profile, view, seat, near, yaw)
        if landing.refusal is None and landing.placement.entity == first.placement.entity:
            return landing
    return first


def inside(
    profile: RuleProfile,
    view: SessionRuleView,
    seat: str,
    furniture: str,
    part: int | None,
    point: Vec3,
    yaw: float,
) -> Landing:
    """Return the landing nearest to a point within furniture, of a part's space if one is named.

    What would keep a door or drawer from shutting is put there only if it fits nowhere else. Where
    that part is shut it is no pose yet, but whether the part can be opened for what is held.
    """
    held = view.world.held.get(seat)
    if held is None:
        return Landing(NOWHERE, NOTHING_HELD)
    every = [s for s in view.surfaces.of.get(furniture, ()) if s.receptacle.kind == "within"]
    # A basin is never shut: whoever means doors and drawers does not mean it.
    within = [s for s in every if s.part is not None] or every
    of_part = [s for s in within if part is not None and s.receptacle.part == part]
    open_now = [s for s in of_part or within if s.is_open(view.world.joints)]
    if not open_now:
        return _behind(profile, view, seat, held, of_part)
    best: Landing | None = None
    # As the player turns it; squarely to the furniture, if nothing shuts before it as it is turned.
    for turned in (yaw, *_squares(view, furniture, yaw)):
        landing, shuts = _nearest_within(profile, view, seat, open_now, point, turned)
        if shuts:
            return landing
        if best is None or (best.refusal is not None and landing.refusal is None):
            best = landing
    return best or Landing(NOWHERE, FULL)


def _nearest_within(
    profile: RuleProfile,
    view: SessionRuleView,
    seat: str,
    surfaces: list[Surface],
    point: Vec3,
    yaw: float,
) -> tuple[Landing, bool]:
    """Return the landing nearest to a point on the surfaces of one piece of furniture.

    And whether the furniture shuts before it: what juts out is put there only for want of better.
    """
    furniture, held = surfaces[0].furniture.handle, view.world.held[seat]
    places = [(p, surface) for surface in surfaces for p in _places(view, surface)]
    refusal: Refusal | None = None
    jutting_out: Landing | None = None
    for place, surface in sorted(places, key=lambda at: math.dist(at[0], point)):
        landing = _land(profile, view, seat, place, yaw)
        pose = landing.placement.pose
        if landing.refusal is None and pose is not None and landing.placement.entity == furniture:
            if not view.keeps_open(held, surface, pose):
                return landing, True
            jutting_out = jutting_out or landing
        elif landing.refusal is not None and landing.refusal.rule not in MOVABLE:
            refusal = refusal or landing.refusal
    return jutting_out or Landing(NOWHERE, refusal or FULL), False


def _squares(view: SessionRuleView, furniture: str, yaw: float) -> list[float]:
    """Return the yaws that are square to furniture and not as asked, the nearest first."""
    axis = yaw_of(view.pose(furniture).rotation)
    nearest = axis + round((yaw - axis) / QUARTER) * QUARTER
    turns = [nearest, nearest + QUARTER]
    return [turn for turn in turns if abs(turn - yaw) > SQUARE_RAD]


def _behind(
    profile: RuleProfile, view: SessionRuleView, seat: str, held: str, shut: list[Surface]
) -> Landing:
    """Tell whether a seat can open a part and put what it holds behind it."""
    if not shut:
        return Landing(NOWHERE, NOT_OPEN)
    handle, part = shut[0].furniture.handle, shut[0].receptacle.part
    refusal = judge(profile, "open", view, seat, handle, part)
    if refusal is not None:
        return Landing(NOWHERE, refusal)
    roomy = next((s for s in shut if _has_size_for(view, held, s)), None)
    if roomy is None:
        return Landing(NOWHERE, TOO_LARGE)
    return Landing(Placement(None, "receptacle", roomy.unique_name, handle), None)


def _has_size_for(view: SessionRuleView, held: str, surface: Surface) -> bool:
    (x0, _, z0), (x1, height, z1) = view.template(held).box
    wide, deep = x1 - x0 + ROOM_BESIDE_M, z1 - z0 + ROOM_BESIDE_M
    half_x, half_z = surface.receptacle.half_x, surface.receptacle.half_z
    lies = any(a <= 2 * half_x and b <= 2 * half_z for a, b in ((wide, deep), (deep, wide)))
    return lies and height <= surface.receptacle.clearance


def _land(
    profile: RuleProfile, view: SessionRuleView, seat: str, point: Vec3, yaw: float
) -> Landing:
    held = view.world.held.get(seat)
    placement = NOWHERE if held is None else lower(view, held, point, yaw)
    return Landing(placement, judge(profile, "place", view, seat, held or "", None, placement))


def _places(view: SessionRuleView, surface: Surface) -> Iterator[Vec3]:
    for u in GRID:
        for v in GRID:
            yield surface.point(view.world.joints, u, v)


def _around(view: SessionRuleView, point: Vec3, placement: Placement) -> Iterator[Vec3]:
    """Return points around an aim, the nearest first, and among equals those towards the middle."""
    x, y, z = point
    middle = _middle(view, placement)
    towards = 0.0 if middle is None else math.atan2(middle[2] - z, middle[0] - x)
    for step in STEPS_M:
        for turn in sorted(range(DIRECTIONS), key=lambda k: min(k, DIRECTIONS - k)):
            angle = towards + turn * math.tau / DIRECTIONS
            yield x + step * math.cos(angle), y, z + step * math.sin(angle)


def _middle(view: SessionRuleView, placement: Placement) -> Vec3 | None:
    """Return the middle of what it would land on, at the height of the landing."""
    if placement.entity is None or placement.pose is None:
        return None
    pose = view.pose(placement.entity)
    joints, (_, y, _) = view.world.joints, to_local(pose, placement.pose.position)
    nearest = min(
        view.surfaces.of.get(placement.entity, ()),
        key=lambda s: abs(s.receptacle.center[1] - y),
        default=None,
    )
    return pose.position if nearest is None else nearest.point(joints, 0.0, 0.0)
