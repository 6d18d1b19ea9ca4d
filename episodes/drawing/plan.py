"""Plan of a house: rooms, walls, doors, windows and furniture, north (-Z) up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from episodes.drawing import colours as c
from episodes.drawing.free_space import Area, FreeSpace
from episodes.drawing.svg import (
    drawing,
    element,
    lines_of_text,
    number,
    points,
    text_width,
    title,
)
from episodes.drawing.symbols import symbol
from episodes.names import name_things
from episodes.poses import Vec2, to_world
from episodes.scene import Catalogue, Furniture, Opening, Room, Scene

MARGIN_M = 0.35
WALL_M = 0.13
"""Thickness of walls as drawn (m): a little over the generator's, so that no hair line stays."""
LOW_M = 0.1
"""Height (m) above which a wall that begins there is the lintel of a door."""
OVERHEAD_M = 1.2
"""Height (m) above which hanging furniture is only outlined, as on an architect's plan."""

Spot = tuple[float, float]
"""A point of the drawing (px)."""


class Plan:
    """A house at a scale: it draws the layers, and says where things are in the drawing.

    ``width`` is the drawing's (px); ``text`` the height of a room's name (px).
    """

    def __init__(
        self,
        scene: Scene,
        catalogue: Catalogue,
        width: float,
        text: float,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Fit the scene into ``width``. Raises ValueError for a scene without rooms.

        ``labels`` are those of rooms and furniture, and of objects that are not to be called by
        their class; without them furniture has numbers.
        """
        self.scene = scene
        self.catalogue = catalogue
        self.width = width
        self.text = text
        if labels is None:
            labels = name_things(scene, catalogue, ()).labels
        self.labels = labels
        self.furniture = {f.handle: f for f in scene.furniture}
        self.rooms = {r.room_id: r for r in scene.rooms}
        corners = [point for room in scene.rooms for point in room.polygon]
        if not corners:
            raise ValueError(f"expected a scene with rooms, got {scene.scene_id!r} without any")
        self._left = min(x for x, _ in corners) - MARGIN_M
        self._top = min(z for _, z in corners) - MARGIN_M
        across = max(x for x, _ in corners) + MARGIN_M - self._left
        down = max(z for _, z in corners) + MARGIN_M - self._top
        self.scale = width / across
        """Pixels per metre."""
        self.height = down * self.scale

    def at(self, point: Vec2) -> Spot:
        """Return where a point (x, z) of the floor plan (m) is in the drawing."""
        return (point[0] - self._left) * self.scale, (point[1] - self._top) * self.scale

    def middle_of(self, place: str) -> Spot | None:
        """Return the middle of a piece of furniture or a room, by handle or room id."""
        if place not in self.furniture and place not in self.rooms:
            return None
        return Area.of(self.outline(place)).middle

    def outline(self, place: str) -> list[Spot]:
        """Return the corners of a piece of furniture or a room. Raises KeyError for neither."""
        if place in self.rooms:
            return [self.at(p) for p in self.rooms[place].polygon]
        piece = self.furniture[place]
        (ax, _, az), (bx, _, bz) = self.catalogue.templates[piece.template].box
        corners = [(ax, 0.0, az), (bx, 0.0, az), (bx, 0.0, bz), (ax, 0.0, bz)]
        return [self.at((x, z)) for x, _, z in (to_world(piece.pose, p) for p in corners)]

    def house(self) -> str:
        """Draw everything but names and marks."""
        return "".join([*self._floors(), *self._pieces(), *self._walls(), *self._windows()])

    def _floors(self) -> Iterable[str]:
        for opening in self.scene.openings:
            if opening.kind == "door":
                yield self._bar(opening, WALL_M, c.FLOOR)
        for room in self.scene.rooms:
            yield element(
                "polygon",
                title(self.labels[room.room_id]),
                class_="plan-room",
                points=points(self.outline(room.room_id)),
                fill=c.FLOORS.get(room.class_name, c.FLOOR),
                stroke=None if self.scene.walls else c.WALL,
                stroke_width=None if self.scene.walls else 3.0,
            )

    def _pieces(self) -> Iterable[str]:
        def base(piece: Furniture) -> float:
            return piece.pose.position[1] + self.catalogue.templates[piece.template].box.low[1]

        def layer(piece: Furniture) -> tuple[float, bool]:
            # Chairs come before the tables that they stand under.
            return base(piece), self.catalogue.templates[piece.template].class_name != "chair"

        for piece in sorted(self.scene.furniture, key=layer):
            template = self.catalogue.templates[piece.template]
            if base(piece) > OVERHEAD_M:
                yield element(
                    "polygon",
                    title(self.labels[piece.handle]),
                    class_="plan-furniture",
                    points=points(self.outline(piece.handle)),
                    fill="none",
                    stroke=c.WOOD_LINE,
                    stroke_dasharray=f"{number(self.scale * 0.1)} {number(self.scale * 0.06)}",
                )
                continue
            yield element(
                "g",
                title(self.labels[piece.handle]),
                symbol(template),
                class_="plan-furniture",
                transform=self._frame(piece),
            )

    def _frame(self, piece: Furniture) -> str:
        """Return the transformation from a piece's own frame (m) to the drawing."""
        ox, oy = self.at((piece.pose.position[0], piece.pose.position[2]))
        columns = []
        for axis in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)):
            x, _, z = to_world(piece.pose, axis)
            ax, ay = self.at((x, z))
            columns += [ax - ox, ay - oy]
        return f"matrix({' '.join(number(v) for v in [*columns, ox, oy])})"

    def _walls(self) -> Iterable[str]:
        for solid in self.scene.walls:
            (ax, low, az), (bx, _, bz) = solid.box
            if low < LOW_M:
                x, y = self.at((ax, az))
                # Pieces of wall are drawn a little larger, so that they show no seam.
                yield element(
                    "rect",
                    x=x - 0.3,
                    y=y - 0.3,
                    width=(bx - ax) * self.scale + 0.6,
                    height=(bz - az) * self.scale + 0.6,
                    fill=c.WALL,
                )

    def _windows(self) -> Iterable[str]:
        for opening in self.scene.openings:
            if opening.kind == "window":
                yield self._bar(opening, WALL_M, c.SURFACE)
                yield self._bar(opening, WALL_M * 0.45, c.GLASS)

    def _bar(self, opening: Opening, thickness_m: float, colour: str) -> str:
        (x1, y1), (x2, y2) = self.at(opening.start), self.at(opening.end)
        return element(
            "line",
            class_=f"plan-{opening.kind}",
            x1=x1,
            y1=y1,
            x2=x2,
            y2=y2,
            stroke=colour,
            stroke_width=thickness_m * self.scale,
        )

    def room_names(self, free: FreeSpace | None = None) -> str:
        """Draw the names of rooms, as large as fits, where they cover least of what is there."""
        if free is None:
            free = FreeSpace(Area(0, 0, self.width, self.height))
            for handle in self.furniture:
                free.prefer_free(Area.of(self.outline(handle)))
        return "".join(self._room_name(room, free) for room in self.scene.rooms)

    def _room_name(self, room: Room, free: FreeSpace) -> str:
        inside = Area.of(self.outline(room.room_id))
        across, down = inside.x1 - inside.x0, inside.y1 - inside.y0
        label = self.labels[room.room_id]
        lines = [label] if across > text_width(label, self.text) * 1.1 else label.split()
        longest = max(lines, key=len)
        size = min(self.text, across * 0.94 / text_width(longest, 1.0))
        width, height = text_width(longest, size), size * 1.15 * len(lines)
        x, y = (inside.x0 + inside.x1) / 2, (inside.y0 + inside.y1) / 2
        places = [
            Area.around(x + dx * (across - width), y + dy * (down - height), width, height)
            for dx in (0.0, -0.25, 0.25)
            for dy in (0.0, -0.15, 0.15, -0.3, 0.3, -0.4, 0.4)
        ]
        area = free.best(places)
        return lines_of_text(
            lines,
            (area.x0 + area.x1) / 2,
            area.y0 + size * 0.9,
            size,
            1.15,
            class_="plan-label",
            text_anchor="middle",
            font_weight=700,
            fill=c.INK,
            stroke=c.SURFACE,
            stroke_opacity=0.8,
            stroke_width=size * 0.22,
            stroke_linejoin="round",
            paint_order="stroke",
        )


def draw_house(
    scene: Scene, catalogue: Catalogue, width: float = 960.0, most_height: float | None = None
) -> str:
    """Draw the plan alone, narrower where it would be higher than ``most_height``.

    Raises ValueError for a scene without rooms.
    """
    plan = Plan(scene, catalogue, width, max(11.0, width / 60))
    if most_height is not None and plan.height > most_height:
        plan = Plan(scene, catalogue, width * most_height / plan.height, plan.text)
    label = f"Plan of the house {scene.scene_id}"
    return drawing(plan.width, plan.height, label, plan.house(), plan.room_names(), class_="plan")
