"""The search of a person for a thing: room by room, then behind doors, then once more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from episodes.names import floor_key
from server.robots.policy import Decision, Do, PolicyView
from server.skills.call import Call

MOST_ROUNDS = 2
MOST_OPENINGS = 6
"""Calls of Open for one piece of furniture at most; it has no more parts."""


class Search:
    """The rooms and furniture that a person has looked through so far."""

    def __init__(self) -> None:
        self.rounds = 0
        self._rooms: set[str] = set()
        self._opened: dict[str, int] = {}
        self.hints: list[str] = []
        """Rooms or furniture where somebody said that something is, the latest last."""

    def step(self, view: PolicyView) -> Decision | None:
        """Return what to look through next; None: everything has been, `MOST_ROUNDS` times."""
        while self.hints:
            key = self.hints.pop()
            if key in view.graph.articulated:
                return self._open(view, key)
            room = view.graph.rooms.get(key, key)
            self._rooms.add(room)
            return self._through(view, room)
        named = _named_rooms(view)
        everywhere = [room.room_id for room in view.graph.scene.rooms]
        # What the instruction names comes first, with what is behind doors there.
        for among in (named, everywhere):
            room = self._next_room(view, among)
            if room:
                self._rooms.add(room)
                return self._through(view, room)
            closed = self._next_closed(view, among)
            if closed:
                return self._open(view, closed)
        self.rounds += 1
        if self.rounds >= MOST_ROUNDS:
            return None
        self._rooms.clear()
        self._opened.clear()
        return self.step(view)

    def _through(self, view: PolicyView, room: str) -> Decision:
        return Do(Call.of("Explore", view.graph.names.graph[room]))

    def _open(self, view: PolicyView, key: str) -> Decision | None:
        """Go to furniture with doors and open one after another, until there is none left."""
        name = view.graph.names.graph[key]
        last = view.history[-1] if view.history else None
        is_here = last is not None and last.text in (f"Navigate[{name}]", f"Open[{name}]")
        has_failed = is_here and last is not None and not last.succeeded
        times = self._opened.get(key, 0)
        if has_failed or times > MOST_OPENINGS:
            self._opened[key] = MOST_OPENINGS + 1
            return self.step(view)
        self._opened[key] = times + 1
        self.hints.append(key)
        return Do(Call.of("Open" if is_here else "Navigate", name))

    def _next_room(self, view: PolicyView, among: Sequence[str]) -> str:
        left = [
            room
            for room in view.graph.scene.rooms
            if room.room_id in among
            and room.room_id not in self._rooms
            and view.graph.furniture_of(room.room_id) != [floor_key(room.room_id)]
        ]
        here = view.position
        best = min(left, key=lambda r: (math.dist(r.middle, here), r.room_id), default=None)
        return "" if best is None else best.room_id

    def _next_closed(self, view: PolicyView, among: Sequence[str]) -> str:
        at = {f.handle: f.pose.position for f in view.graph.scene.furniture}
        left = [
            f
            for f in view.graph.articulated
            if view.graph.rooms.get(f) in among and self._opened.get(f, 0) == 0
        ]
        return min(left, key=lambda f: (math.dist(at[f], view.position), f), default="")


def _named_rooms(view: PolicyView) -> list[str]:
    """Return the rooms that the instruction names."""
    told, labels = view.instruction.lower(), view.graph.names.labels
    return [r.room_id for r in view.graph.scene.rooms if labels[r.room_id].lower() in told]
