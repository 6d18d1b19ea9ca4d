"""Table of entities of a snapshot: an index for each thing that has ever been in view.

An index stays with its thing when it comes and goes; templates come when they are first needed.
"""

from __future__ import annotations

from collections.abc import Mapping

from episodes.poses import Pose
from episodes.scene import template_name
from episodes.world import WorldState
from server.wire.messages import NOTHING, EntityInfo, TemplateInfo
from server.wire.quantise import mm3, rotation_vector
from server.worker.view.house_snapshot import HouseSnapshot, label_parts, template_info

_NOWHERE = (0, 0, 0)


class EntityTable:
    """Table of one episode. ``world`` is the session's: it is read, never changed."""

    def __init__(self, house: HouseSnapshot, world: WorldState, labels: Mapping[str, str]) -> None:
        self._house = house
        self._world = world
        self._labels = labels
        self._handles: list[str] = []
        self._templates: list[tuple[int, TemplateInfo]] = []
        """Templates, each with the version at which it was first needed."""
        self._template_index: dict[str, int] = {}
        self._visible: dict[str, bool] = {}
        self.index: dict[str, int] = {}
        """Index of every thing that has ever been in view."""

    def enter(self, handle: str, version: int) -> None:
        """Note that a thing is in view now."""
        if handle not in self.index:
            self.index[handle] = len(self._handles)
            self._handles.append(handle)
            name = template_name(handle)
            if name not in self._template_index:
                self._template_index[name] = len(self._templates)
                info = template_info(self._house.catalogue.templates[name])
                self._templates.append((version, info))
        self._visible[handle] = True

    def leave(self, handle: str) -> None:
        """Note that a thing is out of view."""
        self._visible[handle] = False

    def is_visible(self, handle: str) -> bool:
        return self._visible.get(handle, False)

    def handle(self, index: int) -> str | None:
        """Return the entity that an index means; None if it is not in view."""
        if not 0 <= index < len(self._handles):
            return None
        handle = self._handles[index]
        return handle if self._visible[handle] else None

    def number(self, handle: str | None) -> int:
        """Return the index of an entity; -1 for one that is out of view."""
        return self.index[handle] if handle is not None and self.is_visible(handle) else -1

    def label(self, handle: str) -> str:
        """Return what a player reads for a thing."""
        return self._labels[handle]

    def templates(self) -> tuple[TemplateInfo, ...]:
        return tuple(info for _, info in self._templates)

    def templates_since(self, version: int) -> tuple[TemplateInfo, ...]:
        """Return the templates that somebody at a version does not know yet."""
        number = len(self._templates)
        while number and self._templates[number - 1][0] > version:
            number -= 1
        return tuple([info for _, info in self._templates[number:]])

    def entities(self) -> tuple[EntityInfo, ...]:
        """Return the whole table, with nothing where a thing is out of view."""
        return tuple(
            self.entity(handle) if self._visible[handle] else NOTHING for handle in self._handles
        )

    def entity(self, handle: str) -> EntityInfo:
        """Return a thing as it is now. What somebody holds has no pose of its own."""
        piece = self._house.furniture.get(handle)
        room = -1 if piece is None else self._house.room_index.get(piece.room_id, -1)
        if piece is not None:
            position, rotation = _quantised(piece.pose)
        elif handle in self._world.holders:
            position, rotation = _NOWHERE, _NOWHERE
        else:
            position, rotation = _quantised(self._world.objects[handle])
        template = self._template_index[template_name(handle)]
        number, label = label_parts(self._labels[handle], self._templates[template][1].class_name)
        return EntityInfo(template, _instance(handle), number, room, position, rotation, label)


def _quantised(pose: Pose) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    return mm3(pose.position), rotation_vector(pose.rotation)


def _instance(handle: str) -> int:
    number = handle.rpartition(":")[2]
    return int(number) if number.isdecimal() else 0
