"""Space of one session: where its objects are and which parts are not closed.

A house finds furniture and walls by cell; `Space` lays objects and moved parts over it. Setting a
pose only notes it. The bounds follow when the next question is asked, because most poses (an object
carried through a room) are replaced before anybody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from episodes.poses import Pose
from server.simulators.contract import SimulatorError
from server.simulators.household.house import House, cells_between, cells_of
from server.simulators.household.shapes import Block, Thing

PartKey = tuple[str, int]


class Space:
    """A house with the objects and the open parts of one session."""

    __slots__ = ("_spans", "_stale", "_things", "cells", "house", "joints", "moved", "poses")

    def __init__(self, house: House) -> None:
        self.house = house
        self.poses: dict[str, Pose] = {}
        self.joints: dict[PartKey, float] = {
            (handle, part.index): 0.0
            for handle, piece in house.pieces.items()
            for part in piece.template.parts
        }
        self.moved: dict[PartKey, Thing | None] = {}
        """Parts that are not closed; what the house has of them does not count."""
        self.cells: dict[int, list[Thing]] = {}
        """Objects and moved parts by cell; see `settle`."""
        self._things: dict[str, Thing] = {}
        self._spans: dict[str | PartKey, list[int]] = {}
        self._stale: set[str] = set()

    # Changing

    def add(self, handle: str, template: str, pose: Pose) -> None:
        """Put a new object somewhere. Raises SimulatorError for an unknown template."""
        shape = self.house.object_shape(template)
        thing = Thing(handle, None, shape.box, shape.solids, pose)
        self._things[handle] = thing
        self.poses[handle] = pose
        self._enter(handle, thing)

    def set_pose(self, handle: str, pose: Pose) -> None:
        """Put an object somewhere. Raises KeyError when there is none."""
        if handle not in self.poses:
            raise KeyError(f"no object {handle!r}")
        self.poses[handle] = pose
        self._stale.add(handle)

    def set_joint(self, furniture: str, index: int, value: float) -> None:
        """Set a part's joint value; see `Simulator.set_joint`."""
        piece = self.house.furniture(furniture)
        part = piece.part(index)
        low, high = min(0.0, part.open_value), max(0.0, part.open_value)
        if not low - 1e-6 <= value <= high + 1e-6:
            raise SimulatorError(
                f"part {index} of {furniture!r} moves between {low} and {high}, not to {value}"
            )
        key = (furniture, index)
        if key in self.moved:
            self._leave(key, self.moved.pop(key))
        self.joints[key] = value
        if value != 0.0:
            thing = piece.part_at(index, value)
            self.moved[key] = thing
            if thing is not None:
                self._enter(key, thing)

    def settle(self) -> None:
        """Bring bounds and cells up to the poses that were set."""
        for handle in self._stale:
            self._follow(handle)
        self._stale.clear()

    def _follow(self, handle: str) -> None:
        thing = self._things[handle]
        thing.move(self.poses[handle])
        span = cells_of(thing.bounds)
        if span != self._spans[handle]:
            self._leave(handle, thing)
            self._enter(handle, thing, span)

    def _enter(self, key: str | PartKey, thing: Thing, span: list[int] | None = None) -> None:
        if span is None:
            span = cells_of(thing.bounds)
        self._spans[key] = span
        for cell in span:
            self.cells.setdefault(cell, []).append(thing)

    def _leave(self, key: str | PartKey, thing: Thing | None) -> None:
        for cell in self._spans.pop(key, ()):
            things = self.cells[cell]
            assert thing is not None
            things.remove(thing)
            if not things:
                del self.cells[cell]

    # Asking

    def thing(self, entity: str) -> Thing:
        """Return an object, or furniture as a whole. Raises KeyError for an unknown entity."""
        thing = self._things.get(entity)
        if thing is not None:
            if entity in self._stale:
                self._stale.discard(entity)
                self._follow(entity)
            return thing
        piece = self.house.pieces.get(entity)
        if piece is None:
            raise KeyError(f"no object or furniture {entity!r}")
        return piece.whole

    def pose(self, entity: str) -> Pose:
        """Return where something is. Raises KeyError for an unknown one."""
        pose = self.poses.get(entity)
        return self.thing(entity).pose if pose is None else pose

    def part_things(self, furniture: str) -> Iterator[Thing]:
        """Return the parts of a piece of furniture that have solids, where they are now."""
        for index, closed in enumerate(self.house.pieces[furniture].parts):
            part = self.house.pieces[furniture].template.parts[index].index
            thing = self.moved.get((furniture, part), closed)
            if thing is not None:
                yield thing

    def objects(self) -> Mapping[str, Thing]:
        """Return all objects, settled."""
        self.settle()
        return self._things

    def blocks_between(self, x0: float, z0: float, x1: float, z1: float) -> Iterator[Block]:
        """Return once each solid, walls included, whose bounds touch a rectangle from above."""
        self.settle()
        moved = self.moved
        several = None
        keys = cells_between(x0, z0, x1, z1)
        seen: set[int] = set()
        if len(keys) > 1:
            several = seen
        for key in keys:
            cell = self.house.cells.get(key)
            if cell is not None:
                for block in cell.blocks:
                    if block[0] > x1 or block[3] < x0 or block[2] > z1 or block[5] < z0:
                        continue
                    if moved and block[8] is not None and (block[7], block[8]) in moved:
                        continue
                    if several is not None:
                        if id(block) in several:
                            continue
                        several.add(id(block))
                    yield block
            for thing in self.cells.get(key, ()):
                tx0, _, tz0, tx1, _, tz1 = thing.bounds
                if tx0 > x1 or tx1 < x0 or tz0 > z1 or tz1 < z0:
                    continue
                if several is not None:
                    if id(thing) in several:
                        continue
                    several.add(id(thing))
                for block in thing.blocks:
                    if not (block[0] > x1 or block[3] < x0 or block[2] > z1 or block[5] < z0):
                        yield block
