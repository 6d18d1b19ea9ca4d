"""House with one piece of furniture that opens, a thing in each of its insides, and a table."""

from __future__ import annotations

from functools import cache

import msgspec

from episodes.dataset import Proposition, Task
from episodes.houses import FirstHouse, first_house
from episodes.poses import IDENTITY, Pose, to_world
from episodes.scene import Furniture, Template
from server.sessions.core import SessionCore
from server.sessions.spec import Ending, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.sessions.first_house_sessions import task
from tests.server.simulators.full_house import matrix_of

PIECE, TABLE = "counter_5_:0000", "table_1_:0000"
"""Furniture of the first house: that in whose place the piece stands, and where things belong."""
THINGS = ("puzzle_cube", "tomato", "lemon", "potato", "soap", "tape")
HANGS_M = 1.45


def pieces() -> list[str]:
    """Return a template of each shape of furniture with insides behind doors or in drawers."""
    shapes: dict[object, str] = {}
    for name, template in sorted(first_house().catalogue.templates.items()):
        if insides_of(template):
            at = tuple((r.name, tuple(round(x, 2) for x in r.center)) for r in template.receptacles)
            shapes.setdefault((template.class_name, at), name)
    return sorted(shapes.values())


def insides_of(template: Template) -> list[str]:
    """Return the names of receptacles that are behind a door or in a drawer."""
    if template.kind != "furniture":
        return []
    return [r.name for r in template.receptacles if r.kind == "within" and r.part is not None]


@cache
def storeroom(piece: str) -> tuple[HouseLibrary, Task]:
    """Return a house with one piece, and the task to bring all that is in it to the table."""
    scene, catalogue = _scene(piece)
    template = catalogue.templates[piece]
    stands = next(f for f in scene.furniture if f.handle == f"{piece}_:0000")
    objects, places = [], {}
    for name, thing in zip(insides_of(template), THINGS, strict=False):
        receptacle = next(r for r in template.receptacles if r.name == name)
        pose = Pose(to_world(stands.pose, receptacle.center), IDENTITY)
        objects.append((f"{thing}_1.object_config.json", matrix_of(pose)))
        places[f"{thing}_1_:0000"] = f"{stands.handle}|{name}"
    base = task(1)
    words = ", ".join(h.rpartition("_1_:")[0].replace("_", " ") for h in places)
    wanted = msgspec.structs.replace(
        base.evaluation_propositions[0],
        function_name="is_on_top",
        args={
            "number": len(places),
            "is_same_receptacle": False,
            "object_handles": list(places),
            "receptacle_handles": [TABLE],
        },
    )
    assert isinstance(wanted, Proposition)
    cohabit = {**base.info["cohabit"], "scene_digest": scene.digest}
    info = {
        "object_labels": {},
        "start_poses": {"human_0": [-3.0, 0.0, 0.4, 0.0], "robot_0": [1.0, 0.0, 0.4, 0.0]},
        "cohabit": cohabit,
    }
    chosen = msgspec.structs.replace(
        base,
        task_id=piece,
        rigid_objs=objects,
        name_to_receptacle=places,
        instruction=f"Bring these things to the dining table: {words}.",
        evaluation_propositions=[wanted],
        info=info,
        object_states={},
    )
    return HouseLibrary.of(catalogue, [scene]), chosen


def _scene(piece: str) -> FirstHouse:
    scene, catalogue = first_house()
    old = next(f for f in scene.furniture if f.handle == PIECE)
    template = catalogue.templates[piece]
    x, _, _ = old.pose.position
    back = old.pose.position[2] - catalogue.templates[old.template].box.high[2]
    y = HANGS_M if template.class_name == "cabinet" and template.box.high[1] < 0.8 else 0.0
    at = Pose((x, y, back + template.box.high[2]), old.pose.rotation)
    new = Furniture(f"{piece}_:0000", piece, old.room_id, at)
    table = next(f for f in scene.furniture if f.handle == TABLE)
    return FirstHouse(msgspec.structs.replace(scene, furniture=(new, table), digest=""), catalogue)


def core_in(piece: str, *, solo: bool = False) -> SessionCore:
    library, chosen = storeroom(piece)
    spec = SessionSpec.solo("ses_1", 1) if solo else SessionSpec.pair("ses_1", 1)
    spec = msgspec.structs.replace(spec, finish_wait_s=0.0, ending=Ending(on_success=True))
    return SessionCore(
        spec, EpisodeSpec("epi_1", "store", chosen.task_id), chosen, HouseholdSimulator(library)
    )
