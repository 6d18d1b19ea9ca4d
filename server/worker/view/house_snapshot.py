"""Part of a snapshot that never changes: rooms, walkable area, what shuts what in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from episodes.rules import OPEN_ENOUGH
from episodes.scene import Catalogue, Scene, Template, receptacle_id
from server.wire.messages import PartInfo, RoomInfo, TemplateInfo
from server.wire.quantise import bounds, mm, mm3, ring
from server.wire.tables import Millimetres3


class HouseSnapshot:
    """A scene and its catalogue as the wire shows them."""

    def __init__(self, scene: Scene, catalogue: Catalogue, labels: Mapping[str, str]) -> None:
        self.scene = scene
        self.catalogue = catalogue
        self.rooms = tuple(
            RoomInfo(room.room_id, labels[room.room_id], ring(room.polygon)) for room in scene.rooms
        )
        self.room_index = {room.room_id: i for i, room in enumerate(scene.rooms)}
        self.furniture = {piece.handle: piece for piece in scene.furniture}
        self.walkable = tuple(
            (ring(polygon.outer), *(ring(hole) for hole in polygon.holes))
            for polygon in scene.walkable
        )
        self.doors_of: dict[str, tuple[str, int]] = {}
        """The (furniture, part) by receptacle that must be open to see what lies on it."""
        self._open_from: dict[tuple[str, int], float] = {}
        for piece in scene.furniture:
            template = catalogue.templates[piece.template]
            for receptacle in template.receptacles:
                if receptacle.part is not None:
                    name = receptacle_id(piece.handle, receptacle.name)
                    self.doors_of[name] = (piece.handle, receptacle.part)
            for part in template.parts:
                self._open_from[piece.handle, part.index] = OPEN_ENOUGH * abs(part.open_value)

    def is_shut(self, door: tuple[str, int], value: float) -> bool:
        """Tell whether a part at this joint value hides what is inside."""
        return abs(value) < self._open_from.get(door, 0.0)


_KEPT: OrderedDict[tuple[str, str, str], HouseSnapshot] = OrderedDict()
_MOST_KEPT = 32


def house_of(scene: Scene, catalogue: Catalogue, labels: Mapping[str, str]) -> HouseSnapshot:
    """Return the house of a scene, shared by all sessions in it.

    Rooms have the same labels in all of them.
    """
    if not scene.digest:
        return HouseSnapshot(scene, catalogue, labels)
    key = (scene.scene_id, scene.digest, catalogue.digest)
    house = _KEPT.pop(key, None) or HouseSnapshot(scene, catalogue, labels)
    _KEPT[key] = house
    while len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return house


def template_info(template: Template) -> TemplateInfo:
    """Return a template as the wire shows it."""
    low, high = bounds(template.box)
    parts = tuple(
        PartInfo(
            name=part.name,
            joint=part.joint,
            origin=mm3(part.origin),
            axis=mm3(part.axis),
            open_value=mm(part.open_value),
            space=_space_behind(template, part.index),
        )
        for part in template.parts
    )
    return TemplateInfo(
        name=template.name,
        class_name=template.class_name,
        kind=template.kind,
        low=low,
        high=high,
        parts=parts,
        affords=template.affords,
        asset="" if template.asset == f"catalogue/{template.name}.glb" else template.asset,
    )


def _space_behind(template: Template, part: int) -> Millimetres3:
    """Return the width, height and depth of the highest place behind a part (mm)."""
    within = [r for r in template.receptacles if r.kind == "within" and r.part == part]
    if not within:
        return (0, 0, 0)
    highest = max(within, key=lambda r: r.clearance)
    return mm3((2 * highest.half_x, highest.clearance, 2 * highest.half_z))


def label_parts(label: str, class_name: str) -> tuple[int, str]:
    """Return a label as the number behind its class, which is the rule, or as itself."""
    words = class_name.replace("_", " ")
    if label == words:
        return 1, ""
    rest = label.removeprefix(f"{words} ")
    if rest != label and rest.isdecimal() and str(int(rest)) == rest and int(rest) > 1:
        return int(rest), ""
    return 0, label
