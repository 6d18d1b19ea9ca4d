"""Looking for what is not known yet, where it is most likely: piece of furniture by piece, so that
what is seen on the way can be seen to at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from episodes.catalogue.classes import OBJECT_CLASSES
from server.robots.policies.cohab.meaning import classes_of, known_things
from server.robots.policies.cohab.moves import LOOKING, Move
from server.robots.policies.cohab.standing import Standing
from server.robots.policies.cohab.ways import Ways
from server.robots.policy import PolicyView

USUAL_M = 6.0
"""A room where a thing is usual is worth so much of a detour; usual furniture as much again."""
SAID_M = 15.0
"""And a place where the instruction says that it is; others come after that."""
OPENING_M = 6.0
"""What opening something costs, beside the way."""
UNUSUAL_M = 6.0
"""And how much more it costs where nothing that is missing is usual."""
MOST_DOORS = 8
SEEN_M = 1.6
"""What a body stands so near to, it has looked at."""


def look_around(view: PolicyView, standing: Standing, ways: Ways) -> None:
    """Write down which furniture has been looked at from close by."""
    for furniture, room in view.graph.rooms.items():
        is_here = view.graph.names.graph[room] == view.room
        if is_here and ways.metres(view.position, ways.places[furniture]) <= SEEN_M:
            standing.memory.looked.add(furniture)


class Want(NamedTuple):
    """Something that is missing: what it may be, and where it is said to be (furniture, rooms)."""

    classes: frozenset[str]
    said: frozenset[str]

    def likely(self, kind: str, room_class: str) -> bool:
        return any(kind in OBJECT_CLASSES[c].furniture_in(room_class) for c in self.classes)

    def worth(self, furniture: str, room_id: str, kind: str, room_class: str) -> float:
        """The detour that a look at furniture is worth (m)."""
        if self.said:
            return SAID_M if self.said & {furniture, room_id} else -SAID_M
        usual = any(room_class in OBJECT_CLASSES[c].rooms for c in self.classes)
        return USUAL_M * (usual + self.likely(kind, room_class))


def look_for(view: PolicyView, standing: Standing, ways: Ways) -> Move | None:
    """The furniture to walk up to, or the closed furniture to open, where what is missing is most
    likely; None when nothing is missing, or nothing is left to look at."""
    graph, memory = view.graph, standing.memory
    wants = _missing(standing)
    if not wants:
        memory.opening = ""
        return None
    if (further := _next_door(view, standing)) is not None:
        return further
    options: list[tuple[float, Move]] = []
    for furniture, room_id in graph.rooms.items():
        is_new = furniture not in memory.looked
        can_open = furniture in graph.articulated and furniture not in memory.opened
        if not is_new and not can_open:
            continue
        kind, room_class = _class_of(standing, furniture), _class_of(standing, room_id)
        cost = ways.metres(view.position, ways.places[furniture])
        cost -= max(want.worth(furniture, room_id, kind, room_class) for want in wants)
        if not is_new:
            likely = any(furniture in w.said or w.likely(kind, room_class) for w in wants)
            cost += OPENING_M + UNUSUAL_M * (not likely)
        call = f"Navigate[{graph.names.graph[furniture]}]"
        options.append((cost, Move(call, "", LOOKING, furniture, opens=not is_new)))
    return min(options, key=lambda o: o[0])[1] if options else None


def _class_of(standing: Standing, key: str) -> str:
    return standing.graph.names.graph[key].rpartition("_")[0]


def _next_door(view: PolicyView, standing: Standing) -> Move | None:
    """What the body has begun to open, to the last door."""
    memory = standing.memory
    key, last = memory.opening, view.history[-1] if view.history else None
    if not key or last is None:
        return None
    name = view.graph.names.graph[key]
    opens = f"Open[{name}]"
    doors = [past.text for past in view.history[-MOST_DOORS:]].count(opens)
    if not last.succeeded or last.text not in (opens, f"Navigate[{name}]") or doors == MOST_DOORS:
        # Under PARTNR's rules what is open opens again and again.
        memory.opened.add(key)
        memory.opening = ""
        return None
    return Move(opens, "", LOOKING, key, opens=True)


def _missing(standing: Standing) -> list[Want]:
    graph = standing.graph
    wants: list[Want] = []
    for number, goal in enumerate(standing.goals):
        words: Iterable[str] = ()
        if standing.settled(number):
            continue
        lost = [graph.names.graph[t] for t in standing.things[number] if standing.is_lost(t)]
        if len(standing.things[number]) - len(lost) < goal.number:
            words = lost + [w for w in goal.things if graph.find(w) is None]
        elif goal.beside and graph.find(goal.beside) is None:
            words = () if known_things(graph, (goal.beside,)) else (goal.beside,)
        classes = {c for w in words for c in classes_of(w) if c in OBJECT_CLASSES}
        if classes:
            said = frozenset(k for name in goal.found_in if (k := graph.find(name)) is not None)
            wants.append(Want(frozenset(classes), said))
    return wants
