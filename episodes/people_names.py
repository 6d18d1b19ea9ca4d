"""Labels that people use: *nightstand*, *left cabinet*, *floor lamp by the couch*, *red book*.

A thing that is the only one of its kind has its kind for a name. Where two could be meant, the
room, the side (as seen by somebody who stands in front), what it stands by or its colour tells them
apart, and a number only where nothing else does. Each label has the noun of the class in it, which
is what tasks say.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from episodes.catalogue.colour_words import COLOUR_WORDS
from episodes.poses import Vec3, rotate
from episodes.scene import Catalogue, Furniture, Scene, template_name

Noun = Callable[[str], str]
"""Function that returns what people call one of a class."""

BEDSIDE_M = 1.7
"""Distance between the middles of a bed and a stand up to which that is a nightstand."""
UNDER_M = 0.5
AROUND_M = 1.6
"""Distance within which chairs are those of a table, and a thing stands by another."""
ABOVE_HEAD_M = 1.0
"""Height of the base from which a cabinet hangs on the wall."""
FEWEST_CHAIRS = 3
SIDES: Mapping[int, tuple[str, ...]] = {2: ("left", "right"), 3: ("left", "middle", "right")}


def furniture_labels(
    scene: Scene, catalogue: Catalogue, rooms: Mapping[str, str], noun_of: Noun
) -> dict[str, str]:
    """Return labels of all furniture, by handle; ``rooms`` are the labels of rooms."""
    return _Furniture(scene, catalogue, rooms, noun_of).labels()


def object_labels(
    objects: Iterable[str], catalogue: Catalogue, taken: Iterable[str], noun_of: Noun
) -> dict[str, str]:
    """Return labels of objects, by handle; ``taken`` are labels that other things have."""
    nouns = {handle: noun_of(catalogue.of_handle(handle).class_name) for handle in objects}
    used = set(taken)
    count = Counter(nouns.values())
    wanted = {}
    for handle, noun in nouns.items():
        colour = COLOUR_WORDS.get(template_name(handle), "")
        is_shared = count[noun] > 1 or noun in used
        wanted[handle] = f"{colour} {noun}" if colour and is_shared else noun
    return numbered(wanted, used)


def numbered(labels: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return the labels with a number behind each that was there before: ``cup``, ``cup 2``."""
    used = set(taken)
    found = {}
    for key, label in labels.items():
        number, told = 1, label
        while told in used:
            number += 1
            told = f"{label} {number}"
        used.add(told)
        found[key] = told
    return found


class _Furniture:
    def __init__(
        self, scene: Scene, catalogue: Catalogue, rooms: Mapping[str, str], noun_of: Noun
    ) -> None:
        self.pieces = scene.furniture
        self.rooms = rooms
        self.classes = {f.handle: catalogue.templates[f.template].class_name for f in self.pieces}
        self.by_room: dict[str, list[Furniture]] = defaultdict(list)
        for piece in self.pieces:
            self.by_room[piece.room_id].append(piece)
        self.nouns = {f.handle: self._noun(f, noun_of) for f in self.pieces}

    def labels(self) -> dict[str, str]:
        among: dict[str, list[Furniture]] = defaultdict(list)
        for piece in self.pieces:
            among[self.nouns[piece.handle]].append(piece)
        found: dict[str, str] = {}
        for noun, pieces in among.items():
            rooms = dict.fromkeys(piece.room_id for piece in pieces)
            for room in rooms:
                here = [piece for piece in pieces if piece.room_id == room]
                where = f"{self.rooms.get(room, '')} ".lstrip() if len(rooms) > 1 else ""
                found |= self._in_room(noun, here, where)
        return numbered({piece.handle: found[piece.handle] for piece in self.pieces})

    def _noun(self, piece: Furniture, noun_of: Noun) -> str:
        """Return what people call a piece of furniture where it stands."""
        class_name = self.classes[piece.handle]
        noun = noun_of(class_name)
        match class_name:
            case "stand" if self._near(piece, "bed", BEDSIDE_M):
                return f"night{noun}"
            case "stand" if self._near(piece, "tv", UNDER_M):
                return f"TV {noun}"
            case "cabinet" if piece.pose.position[1] > ABOVE_HEAD_M:
                return f"wall {noun}"
            case "table" if len(self._near(piece, "chair", AROUND_M)) >= FEWEST_CHAIRS:
                return f"dining {noun}"
            case "table" if self._near(piece, "couch", AROUND_M):
                return f"coffee {noun}"
        return noun

    def _near(self, piece: Furniture, class_name: str, within_m: float) -> list[Furniture]:
        return [
            other
            for other in self.by_room[piece.room_id]
            if self.classes[other.handle] == class_name and _apart_m(piece, other) <= within_m
        ]

    def _in_room(self, noun: str, here: Sequence[Furniture], where: str) -> dict[str, str]:
        """Return labels of the like in one room; ``where`` names it if others have such, too."""
        if len(here) == 1:
            return {here[0].handle: f"{where}{noun}"}
        sides = _sides(here)
        if sides:
            return {handle: f"{side} {where}{noun}" for handle, side in sides.items()}
        marks = {piece.handle: self._landmark(piece) for piece in here}
        count = Counter(marks.values())
        return {
            handle: f"{where}{noun}" + (f" by the {mark}" if mark and count[mark] == 1 else "")
            for handle, mark in marks.items()
        }

    def _landmark(self, piece: Furniture) -> str:
        """Return the noun of what a piece stands by, if there is only one of that in the room."""
        room = self.by_room[piece.room_id]
        count = Counter(self.nouns[other.handle] for other in room)
        marks = [
            (_apart_m(piece, other), self.nouns[other.handle])
            for other in room
            if count[self.nouns[other.handle]] == 1
        ]
        away, noun = min(marks, default=(math.inf, ""))
        return noun if away <= AROUND_M else ""


def _apart_m(one: Furniture, other: Furniture) -> float:
    (x, _, z), (u, _, w) = one.pose.position, other.pose.position
    return math.hypot(x - u, z - w)


def _sides(pieces: Sequence[Furniture]) -> dict[str, str]:
    """Tell left from right where two or three pieces stand side by side and face one way."""
    words = SIDES.get(len(pieces))
    ways = [_right(piece) for piece in pieces]
    if words is None or any(_dot(ways[0], way) < 0.9 for way in ways):
        return {}
    right = ways[0]
    along = sorted((_dot(piece.pose.position, right), piece.handle) for piece in pieces)
    depth = [_dot(piece.pose.position, (-right[2], 0.0, right[0])) for piece in pieces]
    gaps = [b[0] - a[0] for a, b in pairwise(along)]
    if min(gaps) < 0.3 or max(depth) - min(depth) > AROUND_M:
        return {}
    return {handle: word for (_, handle), word in zip(along, words, strict=True)}


def _right(piece: Furniture) -> Vec3:
    """Return the direction to the right of somebody who faces a piece; its front is -Z."""
    return rotate(piece.pose.rotation, (-1.0, 0.0, 0.0))


def _dot(one: Vec3, other: Vec3) -> float:
    return one[0] * other[0] + one[2] * other[2]
