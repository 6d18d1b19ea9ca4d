"""The plan of a house as SVG: rooms, furniture, doors, and the things that a task names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import structlog

from episodes.evaluation import Verdict
from episodes.houses.files import HouseError, read_catalogue, read_scene
from episodes.poses import Vec2, to_world
from episodes.scene import Catalogue, Furniture, Opening, Room, Scene, Template

log = structlog.get_logger(__name__)

SCALE = 40.0
"""Units of the drawing per metre."""
MARGIN_M = 0.4
_LABEL, _LARGEST_LABEL = 15.0, 18.0
_LETTER = 0.62
"""The width of a letter by its height, about."""
_NEAR_M = 0.9
_FEW = 4


class PlanCache:
    """Draws plans off the event loop, and keeps the few houses that are in use."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._houses: dict[tuple[Path, str], tuple[Scene, Catalogue]] = {}

    async def draw(
        self, data_dir: Path, scene_id: str, named: frozenset[str], goals: frozenset[str]
    ) -> str:
        """The SVG, or nothing if the house cannot be read any more."""
        key = (data_dir, scene_id)
        if key not in self._houses:
            try:
                house = await asyncio.to_thread(
                    lambda: (read_scene(data_dir, scene_id), read_catalogue(data_dir))
                )
            except HouseError as error:
                log.warning("plan.no_house", scene=scene_id, reason=str(error))
                return ""
            while len(self._houses) >= self._most:
                del self._houses[next(iter(self._houses))]
            self._houses[key] = house
        return draw_plan(*self._houses[key], named, goals)


def open_goals(verdict: Verdict, goals: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """Places that unsatisfied propositions name, where they name few enough to point at."""
    return frozenset(
        place
        for p in verdict.propositions
        if not p.satisfied and p.original < len(goals) and len(goals[p.original]) <= _FEW
        for place in goals[p.original]
    )


def named_things(verdict: Verdict) -> frozenset[str]:
    """Furniture handles, receptacles and rooms where propositions were satisfied."""
    found: set[str] = set()
    for proposition in verdict.propositions:
        found.update(_strings(proposition.satisfied_with))
    return frozenset(found)


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
        # A receptacle's unique name begins with its furniture.
        if "|" in value:
            yield value.partition("|")[0]
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def draw_plan(
    scene: Scene,
    catalogue: Catalogue,
    named: frozenset[str] = frozenset(),
    goals: frozenset[str] = frozenset(),
) -> str:
    """The house from above, north (-Z) up. ``named`` is where things were done, outlined;
    ``goals`` where something is missing, outlined with dashes."""
    corners = [point for room in scene.rooms for point in room.polygon]
    if not corners:
        return ""
    left = min(x for x, _ in corners) - MARGIN_M
    top = min(z for _, z in corners) - MARGIN_M
    width = max(x for x, _ in corners) + MARGIN_M - left
    height = max(z for _, z in corners) + MARGIN_M - top
    view = f"{_n(left)} {_n(top)} {_n(width)} {_n(height)}"
    parts = [
        f'<svg class="plan" role="img" aria-label="Plan of the house" viewBox="{view}" '
        'xmlns="http://www.w3.org/2000/svg">'
    ]
    parts += [_room(room, _mark(room.room_id, named, goals)) for room in scene.rooms]
    marked: list[tuple[Vec2, str]] = []
    for piece in scene.furniture:
        template = catalogue.templates.get(piece.template)
        if template is None:
            continue
        mark = _mark(piece.handle, named, goals)
        parts.append(_furniture(piece, template, mark))
        if mark:
            marked.append((_middle(_outline(piece, template)), template.class_name))
    parts += [_opening(opening) for opening in scene.openings]
    parts += [_room_label(room, [at for at, _ in marked]) for room in scene.rooms]
    parts += [_label(at, [_words(name)], _LABEL, "named") for at, name in marked]
    return "".join([*parts, "</svg>"])


def _mark(thing: str, named: frozenset[str], goals: frozenset[str]) -> str:
    """The class that marks a thing, with a space before it; what is missing goes first."""
    if thing in goals:
        return " plan-goal"
    return " plan-named" if thing in named else ""


def _room(room: Room, mark: str) -> str:
    return f'<polygon class="plan-room{mark}" points="{_points(room.polygon)}"/>'


def _furniture(piece: Furniture, template: Template, mark: str) -> str:
    name = escape(_words(template.class_name))
    return (
        f'<polygon class="plan-furniture{mark}" points="{_points(_outline(piece, template))}">'
        f"<title>{name}</title></polygon>"
    )


def _outline(piece: Furniture, template: Template) -> list[Vec2]:
    (ax, _, az), (bx, _, bz) = template.box
    corners = [(ax, 0.0, az), (bx, 0.0, az), (bx, 0.0, bz), (ax, 0.0, bz)]
    placed = [to_world(piece.pose, corner) for corner in corners]
    return [(x, z) for x, _, z in placed]


def _opening(opening: Opening) -> str:
    (ax, az), (bx, bz) = opening.start, opening.end
    ends = f'x1="{_n(ax)}" y1="{_n(az)}" x2="{_n(bx)}" y2="{_n(bz)}"'
    return f'<line class="plan-{opening.kind}" {ends}/>'


def _room_label(room: Room, taken: Iterable[Vec2]) -> str:
    """The room's name, as large as fits, out of the way of other labels."""
    xs, zs = [x for x, _ in room.polygon], [z for _, z in room.polygon]
    lines = _words(room.class_name).split()
    size = min(
        _LARGEST_LABEL,
        *(SCALE * (max(xs) - min(xs)) / (_LETTER * (len(line) + 2)) for line in lines),
    )
    x, z = _middle(room.polygon)
    if any(abs(x - tx) < _NEAR_M and abs(z - tz) < _NEAR_M for tx, tz in taken):
        z = min(zs) + (z - min(zs)) / 2
    return _label((x, z), lines, size, "room")


def _label(at: Vec2, lines: list[str], size: float, kind: str) -> str:
    x, z = at[0] * SCALE, at[1] * SCALE
    top = z - (len(lines) - 1) * size / 2
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{top + number * size:.1f}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    return f'<text class="plan-label plan-label-{kind}" font-size="{size:.1f}">{spans}</text>'


def _middle(polygon: Iterable[Vec2]) -> Vec2:
    points = list(polygon)
    xs, zs = [x for x, _ in points], [z for _, z in points]
    return ((min(xs) + max(xs)) / 2, (min(zs) + max(zs)) / 2)


def _points(polygon: Iterable[Vec2]) -> str:
    return " ".join(f"{_n(x)},{_n(z)}" for x, z in polygon)


def _n(metres: float) -> str:
    return f"{metres * SCALE:.1f}"


def _words(class_name: str) -> str:
    return class_name.replace("_", " ")
