"""Arrangements that several rooms share: tables with seats, a television with a couch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from episodes.houses.furnisher import QUARTER, Furnisher, PlacedTemplate, local_rect, turn
from episodes.houses.plans import Rect, Side, side_line
from episodes.houses.recipes.style import Decoration, Style

Seats = Sequence[tuple[float, float, int]]
"""Chairs as (x, z, quarter turns) in the frame of a table."""
ROUND_SEATS: Seats = ((0.0, 0.6, 0), (0.0, -0.6, 2), (0.6, 0.0, 1), (-0.6, 0.0, 3))
LONG_SEATS: Seats = (
    (-0.38, 0.47, 0),
    (0.38, 0.47, 0),
    (-0.38, -0.47, 2),
    (0.38, -0.47, 2),
    (0.82, 0.0, 1),
    (-0.82, 0.0, 3),
)
LOW_SEATS: Seats = ((0.0, 0.68, 0), (0.0, -0.68, 2), (0.85, 0.0, 1), (-0.85, 0.0, 3))
STEP = 0.2
WALK = 0.85
"""Floor left round what stands in the middle of a room (m)."""


def centred(f: Furnisher) -> Callable[[Side, float], float]:
    """Return a preference for the middle of a wall, for `Furnisher.against`."""

    def prefer(side: Side, at: float) -> float:
        line = side_line(f.interior, side)
        return abs(at - (line.start + line.end) / 2)

    return prefer


def wall_behind(f: Furnisher, placed: PlacedTemplate) -> tuple[Side, float]:
    """Return the side that a thing has its back to, and where along it."""
    side = next(s for s in f.sides() if QUARTER[s] == placed.quarter % 4)
    return side, placed.x if side in ("north", "south") else placed.z


def in_the_middle(f: Furnisher, name: str, walk: float = WALK) -> PlacedTemplate | None:
    """Put a thing as near to the middle of the room as leaves floor to walk all round it."""
    r = f.interior
    mx, mz = r.middle
    spots = sorted(
        ((i * STEP, j * STEP) for i in _steps(r.x1 - r.x0) for j in _steps(r.z1 - r.z0)),
        key=lambda d: (round(d[0] ** 2 + d[1] ** 2, 6), d),
    )
    box = f.template(name).box
    quarter = 1 if r.z1 - r.z0 > r.x1 - r.x0 else 0
    for dx, dz in spots:
        x, z = mx + dx, mz + dz
        around = local_rect(Rect(box.low[0], box.low[2], box.high[0], box.high[2]), quarter, x, z)
        if not f.interior.contains(around.grown(walk + 0.05)):
            continue
        if any(around.grown(walk).overlaps(p.rect) for p in f.placed):
            continue
        placed = f.put(name, quarter, x, z)
        if placed is not None:
            return placed
    return None


def _steps(length: float) -> range:
    reach = int((length / 2 - WALK) / STEP)
    return range(-reach, reach + 1)


def table_in_the_middle(
    f: Furnisher, table: str, chair: str, chairs: int, walk: float = WALK
) -> PlacedTemplate | None:
    placed = in_the_middle(f, table, walk)
    if placed is not None:
        f.seats(placed, chair, ROUND_SEATS if table == "table_2" else LONG_SEATS, chairs)
    return placed


def desk_by_the_window(f: Furnisher, style: Style) -> PlacedTemplate | None:
    """Put a desk with its chair at a wall, one with a window where there is one."""
    walls = sorted(f.sides(), key=lambda w: (not f.has_window(w), w in f.door_sides))
    desk = f.against(style.desk, walls, centred(f), front=0.75)
    if desk is not None:
        f.seats(desk, "chair_3", [(-0.2, -0.42, 2)], 1, ignore_free=True)
        f.keep_free(local_rect(Rect(-0.6, -1.2, 0.6, -0.3), desk.quarter, desk.x, desk.z))
    return desk


def television_corner(f: Furnisher, style: Style) -> list[Decoration]:
    """Put a television over its stand, a couch opposite, a low table and a rug between."""
    walls = sorted(
        f.sides(), key=lambda w: f.has_window(w) + (w in f.door_sides) + 1.5 * f.rng.random()
    )
    # The screen hangs above the stand, and not before a window.
    stand = f.against(style.media, walls, centred(f), front=0.6, up_to=1.3)
    if stand is None:
        return []
    side, at = wall_behind(f, stand)
    f.put("tv_1", *f.along("tv_1", side, at, gap=0.005), 0.62)
    r = f.interior
    depth = r.z1 - r.z0 if side in ("north", "south") else r.x1 - r.x0
    box, couch_box = stand.template.box, f.template(style.couch).box
    taken = box.high[2] - box.low[2] + couch_box.high[2] - couch_box.low[2] + 0.05
    # The couch has its back to the wall where that is not too far to see from, else room behind it.
    to_wall = depth - taken
    distances = [to_wall] if 1.8 <= to_wall <= 3.3 else []
    distances += [d for d in (2.5, 2.2, 2.8, 1.9) if to_wall - d >= 0.75]
    couch = next((c for d in distances if (c := f.in_front(stand, style.couch, d))), None)
    if couch is None:
        return []
    zone = local_rect(Rect(-0.9, -1.3, 0.9, -0.44), couch.quarter, couch.x, couch.z)
    f.in_front(couch, style.coffee_table, 0.42, facing=False)
    f.keep_free(zone)
    for hand in (1, -1):
        ox, oz = turn(couch.quarter, hand * 1.75, -1.0)
        quarter = (couch.quarter + (1 if hand > 0 else 3)) % 4
        x, z = couch.x + ox, couch.z + oz
        if f.put(style.armchair, quarter, x, z, ignore_free=True, front=0.0):
            break
    for hand in (-1, 1):
        if f.beside(couch, style.lamp, 0.12, hand):
            break
    rug = local_rect(Rect(-1.35, -1.75, 1.35, -0.1), couch.quarter, couch.x, couch.z)
    return [Decoration("rug", rug, f.rng.randrange(4))]


def middle_rug(f: Furnisher, width: float, depth: float) -> Decoration:
    mx, mz = f.interior.middle
    r = f.interior
    if r.z1 - r.z0 > r.x1 - r.x0:
        width, depth = depth, width
    rect = Rect(mx - width / 2, mz - depth / 2, mx + width / 2, mz + depth / 2)
    return Decoration("rug", rect, f.rng.randrange(4))
