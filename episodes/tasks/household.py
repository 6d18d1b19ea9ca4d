"""Household for tasks: places of a house, things that fit there, rooms to start in.

Made once for each house and shared by all its tasks.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.houses.body_starts import Floors, floors_of
from episodes.houses.walkable_area import footprint
from episodes.poses import Box, to_world
from episodes.scene import Affordance, Catalogue, Furniture, Scene, Template
from episodes.tasks.goals import Relation, Target
from episodes.tasks.start_places import Place, fits, places_of

LOW_M = 0.15
OPEN_ABOVE_M = 0.6
HEADROOM_M = 0.45
"""Free height above every surface that tasks use, whatever its clearance in its furniture (m)."""
SMALLEST_TARGET_M = 0.1
"""Half the width of the smallest surface that a task sends things to."""


APART_M = 2.5


def _is_hard_to_reach(place: Place) -> bool:
    """Tell whether a place is hard to look into: near the floor, behind doors, below a board."""
    r = place.receptacle
    height = place.furniture.pose.position[1] + r.center[1]
    return height < LOW_M and (r.part is not None or r.clearance < OPEN_ABOVE_M)


def _solids(furniture: Furniture, catalogue: Catalogue) -> list[Box]:
    """Return the world bounds of a piece of furniture's solids, parts closed."""
    boxes = []
    for solid in catalogue.templates[furniture.template].solids:
        corners = [
            to_world(furniture.pose, (x, y, z))
            for x in (solid.box.low[0], solid.box.high[0])
            for y in (solid.box.low[1], solid.box.high[1])
            for z in (solid.box.low[2], solid.box.high[2])
        ]
        xs, ys, zs = zip(*corners, strict=True)
        boxes.append(Box((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))))
    return boxes


def room_class(room_id: str) -> str:
    return room_id.partition(".")[0]


class Household:
    """A scene, its catalogue, and what follows from them."""

    def __init__(self, scene: Scene, catalogue: Catalogue) -> None:
        self.scene = scene
        self.catalogue = catalogue
        self.furniture = {f.handle: f for f in scene.furniture}
        self.class_of = {
            f.handle: catalogue.templates[f.template].class_name for f in scene.furniture
        }
        self._shapes = {f.handle: _solids(f, catalogue) for f in scene.furniture}
        self.places = [
            p for p in places_of(scene, catalogue) if self._is_clear(p) and not _is_hard_to_reach(p)
        ]
        self.taps = frozenset(
            t.class_name for t in map(catalogue.of_handle, self.furniture) if t.faucet is not None
        )
        self.variants: dict[str, list[Template]] = defaultdict(list)
        for _, template in sorted(catalogue.templates.items()):
            if template.kind == "object" and template.class_name in OBJECT_CLASSES:
                self.variants[template.class_name].append(template)

    def _is_clear(self, place: Place) -> bool:
        """Tell whether no furniture stands over a surface: a chair under a table takes nothing."""
        pose, r = place.furniture.pose, place.receptacle
        corners = [
            to_world(pose, (r.center[0] + sx * r.half_x, r.center[1], r.center[2] + sz * r.half_z))
            for sx in (-1, 1)
            for sz in (-1, 1)
        ]
        low = (min(c[0] for c in corners), corners[0][1] + 0.01, min(c[2] for c in corners))
        high = (
            max(c[0] for c in corners),
            corners[0][1] + min(r.clearance, HEADROOM_M),
            max(c[2] for c in corners),
        )
        return not any(
            all(box.low[i] < high[i] and low[i] < box.high[i] for i in range(3))
            for handle, boxes in self._shapes.items()
            if handle != place.furniture.handle
            for box in boxes
        )

    # Rooms

    @cached_property
    def floors(self) -> Floors:
        """Floors where a body may start."""
        return floors_of(self.scene)

    def rooms(self) -> list[str]:
        """Return the classes of rooms, sorted."""
        return sorted({r.class_name for r in self.scene.rooms})

    # Where things can be sent

    @cached_property
    def targets(self) -> list[Target]:
        """Places to send things to: furniture of a class in rooms of a class, and rooms."""
        found: dict[tuple[Relation, str, str], list[str]] = defaultdict(list)
        for place in self.places:
            r = place.receptacle
            if min(r.half_x, r.half_z) < SMALLEST_TARGET_M:
                continue
            handle = place.furniture.handle
            relation: Relation = "on" if r.kind == "on" else "within"
            key = (relation, self.class_of[handle], room_class(place.furniture.room_id))
            if handle not in found[key]:
                found[key].append(handle)
        targets = [Target(k[0], tuple(h), k[1], k[2]) for k, h in sorted(found.items())]
        surfaces = {p.furniture.room_id for p in self.places if p.receptacle.kind == "on"}
        for name in self.rooms():
            ids = tuple(r.room_id for r in self.scene.rooms if r.class_name == name)
            if surfaces.issuperset(ids):
                targets.append(Target("room", ids, "", name))
            targets.append(Target("floor", ids, "", name))
        return targets

    @cached_property
    def sense_of(self) -> dict[Target, float]:
        """Number of classes of things that belong at each target, and a little."""
        belong: Counter[tuple[str, str]] = Counter(
            (furniture, room)
            for row in OBJECT_CLASSES.values()
            for room, names in row.homes
            for furniture in names
        )
        return {
            t: 3.0 + (belong[t.furniture, t.room] if t.furniture else 10.0) for t in self.targets
        }

    def anywhere(self, relation: Relation, furniture: str) -> Target:
        """Return all furniture of a class as a target, whatever the room."""
        handles = sorted(
            h
            for t in self.targets
            if t.relation == relation and t.furniture == furniture
            for h in t.handles
        )
        return Target(relation, tuple(handles), furniture, "")

    def are_apart(self, handles: Sequence[str]) -> bool:
        """Tell whether nothing is carried over one piece on the way to another.

        What is in a hand counts as on top of what it passes over, so such pieces stand far
        from each other.
        """
        points = [self.furniture[h].pose.position for h in handles]
        return all(math.dist(a, b) > APART_M for a, b in combinations(points, 2))

    def takes(self, target: Target, template: Template) -> bool:
        """Tell whether an object fits at every piece of a target (an empty one)."""
        if target.relation in ("room", "floor"):
            return True
        return all(
            any(
                r.kind == target.relation and fits(template, r)
                for r in self.catalogue.of_handle(h).receptacles
            )
            for h in target.handles
        )

    def area_m2(self, target: Target) -> float:
        """Return the surface of the smallest piece of a target; plenty for rooms."""
        if target.relation in ("room", "floor"):
            return 10.0
        return min(
            sum(
                4 * r.half_x * r.half_z
                for r in self.catalogue.of_handle(h).receptacles
                if r.kind == target.relation
            )
            for h in target.handles
        )

    @cached_property
    def _under(self) -> dict[str, frozenset[str]]:
        """Furniture that stands under or over each piece, as seen from above (itself included)."""
        rects = {h: footprint(f, self.catalogue) for h, f in self.furniture.items()}
        return {
            one: frozenset(
                two
                for two, b in rects.items()
                if a.x0 < b.x1 and b.x0 < a.x1 and a.z0 < b.z1 and b.z0 < a.z1
            )
            for one, a in rects.items()
        }

    def starts(self, template: Template, targets: list[Target], usual_only: bool) -> list[Place]:
        """Return where an object can start without being at one of the targets already."""
        furniture = {h for t in targets if t.relation in ("on", "within") for h in t.handles}
        rooms = {r for t in targets if t.relation in ("room", "floor") for r in t.handles}
        usual = dict(OBJECT_CLASSES[template.class_name].homes)
        return [
            p
            for p in self.places
            if p.furniture.room_id not in rooms
            and not self._under[p.furniture.handle] & furniture
            and fits(template, p.receptacle)
            and (
                not usual_only
                or self.class_of[p.furniture.handle]
                in usual.get(room_class(p.furniture.room_id), ())
            )
        ]

    def homes(self, template: Template) -> list[str]:
        """Return the furniture where an object belongs and fits, in the order of the house."""
        usual = dict(OBJECT_CLASSES[template.class_name].homes)
        found = [
            p.furniture.handle
            for p in self.places
            if self.class_of[p.furniture.handle] in usual.get(room_class(p.furniture.room_id), ())
            and fits(template, p.receptacle)
        ]
        return list(dict.fromkeys(found))

    # Furniture with states

    def switches(self, state: Affordance) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return furniture that can be in a state: class, class of room, handles."""
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for f in self.scene.furniture:
            if state in self.catalogue.templates[f.template].affords:
                found[self.class_of[f.handle], room_class(f.room_id)].append(f.handle)
        return [(*k, tuple(h)) for k, h in sorted(found.items())]
