"""Names of things."""

from __future__ import annotations

from episodes.houses import first_house
from episodes.names import floor_key, name_things
from episodes.poses import IDENTITY, Box, Pose
from episodes.scene import Catalogue, Furniture, Room, Scene, Solid, Template
from episodes.tasks import first_tasks


def _template(name: str, kind: str) -> Template:
    box = Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    class_name = name.rpartition("_")[0]
    return Template(name, class_name, kind, box, (Solid(box),))  # type: ignore[arg-type]


CATALOGUE = Catalogue(
    {
        t.name: t
        for t in (
            _template("table_1", "furniture"),
            _template("chest_of_drawers_1", "furniture"),
            _template("cup_1", "object"),
            _template("cup_2", "object"),
            _template("toy_truck_1", "object"),
            _template("remote_1", "object"),
        )
    },
    "d",
)
SQUARE = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0))


def _scene() -> Scene:
    rooms = (
        Room("living_room.000", "living_room", SQUARE, 0.0, 2.5),
        Room("bedroom.000", "bedroom", SQUARE, 0.0, 2.5),
        Room("bedroom.001", "bedroom", SQUARE, 0.0, 2.5),
    )
    pose = Pose((0.0, 0.0, 0.0), IDENTITY)
    furniture = (
        Furniture("table_1_:0000", "table_1", "living_room.000", pose),
        Furniture("chest_of_drawers_1_:0000", "chest_of_drawers_1", "bedroom.000", pose),
        Furniture("table_1_:0001", "table_1", "bedroom.001", pose),
    )
    return Scene("house", 0, 1, rooms, (), furniture, (), "")


def test_graph_names_count_as_partnr_does() -> None:
    objects = ["cup_2_:0000", "toy_truck_1_:0000", "cup_1_:0000"]
    names = name_things(_scene(), CATALOGUE, objects).graph
    assert names["living_room.000"] == "living_room_1"
    assert names["bedroom.000"] == "bedroom_1"
    assert names["bedroom.001"] == "bedroom_2"
    assert names[floor_key("bedroom.001")] == "floor_bedroom_2"
    # Three floors come first, as furniture; then all furniture counts on, whatever its class.
    assert names["table_1_:0000"] == "table_3"
    assert names["chest_of_drawers_1_:0000"] == "chest_of_drawers_4"
    assert names["table_1_:0001"] == "table_5"
    assert names["cup_2_:0000"] == "cup_0"
    assert names["toy_truck_1_:0000"] == "toy_truck_1"
    assert names["cup_1_:0000"] == "cup_2"


def test_labels_are_words_with_a_number_from_the_second_on() -> None:
    objects = ["cup_2_:0000", "cup_1_:0000", "remote_1_:0000"]
    labels = name_things(_scene(), CATALOGUE, objects).labels
    assert labels["living_room.000"] == "living room"
    assert labels["bedroom.000"] == "bedroom"
    assert labels["bedroom.001"] == "bedroom 2"
    assert labels["table_1_:0000"] == "table"
    assert labels["table_1_:0001"] == "table 2"
    assert labels["chest_of_drawers_1_:0000"] == "chest of drawers"
    assert (labels["cup_2_:0000"], labels["cup_1_:0000"]) == ("cup", "cup 2")
    assert labels["remote_1_:0000"] == "remote control"


def test_names_of_a_whole_house_are_unique() -> None:
    scene, catalogue = first_house()
    for task in first_tasks():
        names = name_things(scene, catalogue, task.name_to_receptacle)
        assert len(set(names.graph.values())) == len(names.graph)
        things = [f.handle for f in scene.furniture] + list(task.name_to_receptacle)
        assert len({names.labels[h] for h in things}) == len(things)
