import xml.etree.ElementTree as ET

from episodes.catalogue import catalogue
from episodes.houses import generate_house
from server.web.plan import PlanCache, draw_plan, named_things, open_goals
from tests.server.web.doubles import proposition, verdict

SVG = "{http://www.w3.org/2000/svg}"


def test_the_plan_shows_every_room_and_marks_what_is_named():
    shapes = catalogue()
    scene = generate_house(3, shapes).scene
    done, missing = scene.furniture[0].handle, scene.furniture[1].handle
    drawn = ET.fromstring(draw_plan(scene, shapes, frozenset({done}), frozenset({missing})))
    rooms = [e for e in drawn.iter(f"{SVG}polygon") if "plan-room" in e.get("class")]
    furniture = [e for e in drawn.iter(f"{SVG}polygon") if "plan-furniture" in e.get("class")]
    assert len(rooms) == len(scene.rooms)
    assert len(furniture) == len(scene.furniture)
    assert sum("plan-named" in e.get("class") for e in furniture) == 1
    assert sum("plan-goal" in e.get("class") for e in furniture) == 1
    words = {"".join(e.itertext()) for e in drawn.iter(f"{SVG}text")}
    assert {"".join(r.class_name.split("_")) for r in scene.rooms} <= words


def test_named_things_are_found_wherever_a_verdict_names_them():
    value = verdict(
        proposition(0, satisfied_with={"receptacle_handles": ["table_1_:0000|top"], "n": 1}),
        proposition(1, satisfied_with={"room_ids": "kitchen.000"}),
        proposition(2, satisfied_with=None),
    )
    assert named_things(value) == {"table_1_:0000|top", "table_1_:0000", "kitchen.000"}


def test_open_goals_are_those_of_what_is_missing_if_they_are_few():
    missing = {"satisfied": False, "satisfied_tick": None}
    value = verdict(
        proposition(0),
        proposition(1, **missing),
        proposition(2, **missing),
        proposition(3, **missing),
    )
    goals = [("sofa_1_:0000",), ("table_1_:0000",), tuple(f"shelf_{n}" for n in range(9))]
    assert open_goals(value, goals) == {"table_1_:0000"}


async def test_a_house_that_is_gone_gives_no_plan(tmp_path):
    assert await PlanCache().draw(tmp_path, "nowhere", frozenset(), frozenset()) == ""
