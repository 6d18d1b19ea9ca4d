"""Generator of furnished houses: the same house for the same seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from shapely import distance, points

from episodes.bodies import RADIUS
from episodes.houses.checks import MARGIN, check_house, roomy_part, unreachable_in
from episodes.houses.furnisher import Furnisher, PlacedTemplate, furniture
from episodes.houses.plan_generator import draw_plan
from episodes.houses.plans import HEIGHT, WALL, Plan, PlannedRoom, Rect
from episodes.houses.programmes import draw_programme
from episodes.houses.recipes import Decoration, Style, draw_style, furnish
from episodes.houses.walkable_area import walkable_area
from episodes.houses.walls import wall_solids
from episodes.scene import Catalogue, Room, Scene

FORMAT = 1
"""Version of the scene file; raised when its meaning changes."""
GENERATOR = 5
"""Version of the generator; raised when the same seed gives another house."""
ATTEMPTS = 40
ROOM_TRIES = 6
DOOR_REACH = WALL + RADIUS + MARGIN
"""Distance from the middle of a door to where a body can stand in front of it (m)."""

ESSENTIAL: tuple[tuple[str, str | None], ...] = (
    ("counter", "kitchen"),
    ("cabinet", "kitchen"),
    ("fridge", "kitchen"),
    ("stove", "kitchen"),
    ("couch", "living_room"),
    ("table", "living_room"),
    ("bed", "bedroom"),
    ("chest_of_drawers", "bedroom"),
    ("wardrobe", "bedroom"),
    ("sink", "bathroom"),
    ("toilet", "bathroom"),
    ("bench", None),
    ("chair", None),
    ("shelves", None),
)
"""Furniture that every house has: a class, and the class of a room that it stands in."""


class House(NamedTuple):
    """A generated house: its scene, and what only its looks need."""

    scene: Scene
    plan: Plan
    decorations: tuple[Decoration, ...]


class GenerationError(Exception):
    """A seed has given no house that passes the checks."""


def scene_id_of(seed: int) -> str:
    return f"house_{seed:04d}"


def generate_house(seed: int, catalogue: Catalogue) -> House:
    """Generate the house of a seed: the same for the same seed, generator and catalogue.

    Drafts that fail `check_house` are thrown away and drawn again. Raises GenerationError when
    none passes.
    """
    problems: list[object] = []
    for attempt in range(ATTEMPTS):
        house = _draft(seed, attempt, catalogue)
        if isinstance(house, House):
            problems = missing_furniture(house.scene, catalogue) or list(
                check_house(house.scene, catalogue)
            )
            if not problems:
                return house
        else:
            problems = [house]
    raise GenerationError(f"seed {seed}: no valid house in {ATTEMPTS} drafts; last: {problems[0]}")


def missing_furniture(scene: Scene, catalogue: Catalogue) -> list[object]:
    """Return what a house lacks of `ESSENTIAL`, in words."""
    there: set[tuple[str, str | None]] = set()
    for f in scene.furniture:
        class_name = catalogue.templates[f.template].class_name
        there |= {(class_name, f.room_id.partition(".")[0]), (class_name, None)}
    lacking: list[object] = [
        f"no {c} in the {room or 'house'}" for c, room in ESSENTIAL if (c, room) not in there
    ]
    if not any(catalogue.templates[f.template].faucet for f in scene.furniture):
        lacking.append("no faucet in the house")
    return lacking


def _draft(seed: int, attempt: int, catalogue: Catalogue) -> House | str:
    """Draft a house to be checked, or say why there is none."""
    programme = draw_programme(random.Random(f"the rooms of house {seed}"))
    rng = random.Random(f"cohabit house {seed} {attempt}")
    plan = draw_plan(programme, rng)
    if plan is None:
        return f"no layout for {', '.join(programme)}"
    style = draw_style(rng)
    placed: list[PlacedTemplate] = []
    decorations: list[Decoration] = []
    classes = frozenset(r.class_name for r in plan.rooms)
    for room in plan.rooms:
        found = _furnish(room, plan, style, classes, catalogue, rng)
        if isinstance(found, str):
            return f"{room.room_id}: {found}"
        placed += found[0]
        decorations += found[1]
    things = furniture(placed)
    rooms = tuple(_room(r) for r in plan.rooms)
    scene = Scene(
        scene_id=scene_id_of(seed),
        seed=seed,
        format=FORMAT,
        rooms=rooms,
        openings=plan.openings,
        furniture=things,
        walkable=walkable_area(rooms, plan.openings, things, catalogue),
        stage_asset=f"houses/{scene_id_of(seed)}/stage.glb",
        walls=wall_solids(plan),
    )
    # One pass through JSON makes a generated scene equal one that was read, digest included.
    scene = msgspec.json.decode(msgspec.json.encode(scene), type=Scene)
    digest = hashlib.sha256(msgspec.json.encode(scene) + catalogue.digest.encode()).hexdigest()
    return House(msgspec.structs.replace(scene, digest=digest), plan, tuple(decorations))


def _furnish(
    room: PlannedRoom,
    plan: Plan,
    style: Style,
    classes: frozenset[str],
    catalogue: Catalogue,
    rng: random.Random,
) -> tuple[list[PlacedTemplate], list[Decoration]] | str:
    """Return the fuller of two tries at a room that have what they must have, all in reach.

    When there are none among `ROOM_TRIES`, says what is wrong with the last one.
    """
    good: list[tuple[list[PlacedTemplate], list[Decoration]]] = []
    wanted = [c for c, name in ESSENTIAL if name == room.class_name]
    wrong = ""
    for _ in range(ROOM_TRIES):
        f = Furnisher(room, plan, catalogue, random.Random(rng.random()))
        decorations = furnish(f, style, classes)
        there = {p.template.class_name for p in f.placed}
        lacking = [c for c in wanted if c not in there]
        if lacking:
            wrong = f"no {lacking[0]}"
        elif _blocked(room, plan, f.placed, catalogue):
            wrong = "something cannot be reached"
        else:
            clipped = [d._replace(rect=_clipped(d, room)) for d in decorations]
            good.append((f.placed, [d for d in clipped if d.rect.x1 > d.rect.x0]))
            if len(good) == 2:
                break
    return max(good, key=lambda found: len(found[0])) if good else wrong


def _blocked(
    room: PlannedRoom, plan: Plan, placed: Sequence[PlacedTemplate], catalogue: Catalogue
) -> bool:
    """Tell whether a door of a room, or some of its furniture, cannot be reached from its floor."""
    doors = [o for o in plan.openings if o.kind == "door" and room.room_id in o.rooms]
    things = furniture(placed)
    scene_room = _room(room)
    islands = walkable_area([scene_room], doors, things, catalogue)
    if not islands:
        return True
    island = roomy_part(islands[0])
    middles = [((o.start[0] + o.end[0]) / 2, (o.start[1] + o.end[1]) / 2) for o in doors]
    if (distance(island, points(middles)) > DOOR_REACH).any():
        return True
    return any(True for _ in unreachable_in(scene_room, island, things, catalogue))


def _clipped(d: Decoration, room: PlannedRoom) -> Rect:
    r = room.interior.grown(-0.12)
    x = d.rect
    return Rect(max(x.x0, r.x0), max(x.z0, r.z0), min(x.x1, r.x1), min(x.z1, r.z1))


def _room(room: PlannedRoom) -> Room:
    r = room.interior
    # The polygon is counter-clockwise as (x, z) points: its shoelace area is positive.
    corners = ((r.x0, r.z0), (r.x1, r.z0), (r.x1, r.z1), (r.x0, r.z1))
    polygon = tuple((round(x, 4), round(z, 4)) for x, z in corners)
    return Room(room.room_id, room.class_name, polygon, 0.0, HEIGHT)
