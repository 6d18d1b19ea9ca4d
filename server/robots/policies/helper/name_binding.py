"""Binding of declared names to things in the home: settled when it is needed, not before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.names import floor_key
from episodes.poses import Vec3
from episodes.worldgraph import WorldGraph
from server.robots.policies.helper.program_parser import Declared, Words, stem_of
from server.robots.policy import PolicyView

FLOOR_WORD = "floor"
MISPLACED_COST = 1000.0
"""Cost of an unknown position among things of the right kind (m)."""


@lru_cache(1)
def _object_words() -> tuple[tuple[str, ...], dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the classes, the groups with their classes, and other words with what they mean.

    The other words are plurals and nouns, which mean a class or a group.
    """
    groups: dict[str, tuple[str, ...]] = {}
    also: dict[str, str] = {}
    for row in OBJECT_CLASSES.values():
        group = row.group.replace(" ", "_")
        groups[group] = (*groups.get(group, ()), row.name)
        also[row.plural.replace(" ", "_")] = also[row.noun.replace(" ", "_")] = row.name
    # Where both are possible ("books"), the group is meant: it has the class in it.
    return tuple(OBJECT_CLASSES), groups, {k: v for k, v in also.items() if k not in groups}


def words_of(graph: WorldGraph, *, names: bool) -> Words:
    """Return the words of a program: classes and groups, and with ``names`` what has a name."""
    objects, groups, also = _object_words()
    rooms = {room.class_name for room in graph.scene.rooms}
    furniture = {stem_of(graph.names.graph[f]) for f in graph.rooms if not is_floor(graph, f)}
    classes = tuple(sorted({*objects, *groups, *rooms, *furniture, FLOOR_WORD}))
    return Words(_names(graph) if names else (), classes, also)


def _names(graph: WorldGraph) -> tuple[str, ...]:
    known = graph.names.graph
    rooms = [room.room_id for room in graph.scene.rooms]
    return tuple(known[key] for key in (*rooms, *graph.rooms, *graph.objects))


def is_floor(graph: WorldGraph, key: str) -> bool:
    return key in graph.rooms and key == floor_key(graph.rooms[key])


def class_in(graph: WorldGraph, key: str) -> str:
    """Return the class of an object or a piece of furniture, taken from its name."""
    return FLOOR_WORD if is_floor(graph, key) else stem_of(graph.names.graph[key])


def fitting(graph: WorldGraph, word: str) -> list[str]:
    """Return all that a word can mean in a graph: rooms, furniture, floors and objects."""
    named = graph.find(word)
    if named is not None:
        return [named]
    classes = {word, *_object_words()[1].get(word, ())}
    rooms = [r.room_id for r in graph.scene.rooms if r.class_name in classes]
    things = [k for k in (*graph.rooms, *graph.objects) if class_in(graph, k) in classes]
    return rooms + things


def room_of(graph: WorldGraph, key: str) -> str:
    """Return the room id of anything; empty where it is not known."""
    if key in graph.rooms:
        return graph.rooms[key]
    known = graph.objects.get(key)
    if known is None:
        return key
    return graph.rooms.get(known.place.key) or graph.agents.get(known.place.key, "")


def at(graph: WorldGraph, key: str) -> Vec3 | None:
    """Return about where something is; None where that is not known."""
    known = graph.objects.get(key)
    if known is not None:
        key = known.place.key
    for furniture in graph.scene.furniture:
        if furniture.handle == key:
            return furniture.pose.position
    for room in graph.scene.rooms:
        if key in (room.room_id, floor_key(room.room_id)):
            xs, zs = [x for x, _ in room.polygon], [z for _, z in room.polygon]
            return (sum(xs) / len(xs), room.floor_y, sum(zs) / len(zs))
    return None


def away(view: PolicyView, key: str) -> float:
    """Return the distance from the body, as the crow flies (m)."""
    there = at(view.graph, key)
    return MISPLACED_COST if there is None else math.dist(view.position, there)


def is_near(graph: WorldGraph, key: str, word: str) -> bool:
    """Tell whether something is in, on or at what a landmark's word means."""
    known = graph.objects.get(key)
    support = known.place.key if known is not None else key
    for landmark in fitting(graph, word):
        if landmark in (support, room_of(graph, key)):
            return True
        other = graph.objects.get(landmark)
        if other is not None and other.place.kind == "furniture" and other.place.key == support:
            return True
    return False


@dataclass
class Binder:
    """Bindings of a program's names: what each stands for, and what it must not stand for."""

    bound: dict[str, str] = field(default_factory=dict)
    ruled_out: dict[str, set[str]] = field(default_factory=dict)
    before: set[str] = field(default_factory=set)
    """Things that names of earlier programs stood for: taken again only where nothing else fits."""

    def finish(self) -> None:
        """Drop the bindings of a program that is over."""
        self.before |= set(self.bound.values())
        self.bound.clear()
        self.ruled_out.clear()

    def candidates(self, view: PolicyView, declared: Declared) -> list[str]:
        """Return what a declared name can stand for, the best first.

        Things that other names stand for are left out: each name is a thing of its own.
        """
        graph = view.graph
        taken = {key for name, key in self.bound.items() if name != declared.name}
        if "@" in declared.name:
            # A repair speaks of the same things as the line that it repairs.
            taken = set()
        out = self.ruled_out.get(declared.name, set())
        fit = [k for k in fitting(graph, declared.word) if k not in out]
        found = [k for k in fit if k not in taken]
        if not found and (
            graph.find(declared.word) is not None or all(k in graph.rooms for k in fit)
        ):
            # Named outright, or furniture of which there is no other: it is the same one.
            found = fit
        if declared.near and declared.near != declared.word:
            near = [k for k in found if is_near(graph, k, declared.near)]
            if near or any(k in graph.rooms for k in found):
                # Furniture stays where it is: what is elsewhere is another piece.
                found = near or found
        used = _used_by_partner(view)

        def cost(key: str) -> tuple[bool, bool, bool, float]:
            known = graph.objects.get(key)
            is_theirs = known is not None and known.place.kind == "agent"
            is_theirs = is_theirs and known is not None and known.place.key != view.seat
            is_old = key in self.before and known is not None
            return (is_theirs, is_old, key not in used, away(view, key))

        return sorted(found, key=cost)

    def key(self, view: PolicyView, declared: Declared) -> str | None:
        """Return what a name stands for, settled now if it was not; None: nothing known fits."""
        key = self.bound.get(declared.name)
        if key is not None and (key not in view.graph.names.graph):
            key = None
        if key is None:
            found = self.candidates(view, declared)
            if not found:
                self.bound.pop(declared.name, None)
                return None
            key = self.bound[declared.name] = found[0]
        return key

    def take_another(self, view: PolicyView, declared: Declared) -> bool:
        """Bind a name to another thing; return False where there is no other."""
        old = self.bound.pop(declared.name, None)
        if old is None:
            return False
        self.ruled_out.setdefault(declared.name, set()).add(old)
        if self.candidates(view, declared):
            return True
        self.ruled_out[declared.name].discard(old)
        self.bound[declared.name] = old
        return False


def _used_by_partner(view: PolicyView) -> frozenset[str]:
    """Return what the partner has put down, and where.

    The same kind of place is meant for the rest.
    """
    found: set[str] = set()
    for act in view.partner_acts:
        if act.call.name == "Place":
            names = (act.call.thing, act.call.place)
            found |= {k for name in names if (k := view.graph.find(name)) is not None}
    return frozenset(found)


def nearest_first(view: PolicyView, keys: Iterable[str]) -> Sequence[str]:
    return sorted(keys, key=lambda k: away(view, k))
