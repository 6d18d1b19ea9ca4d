"""A task against the scene it is to be played in."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from episodes.dataset import (
    DatasetError,
    Proposition,
    Task,
    check_against_scene,
    check_in_scene,
)
from episodes.houses import first_house
from episodes.tasks import first_tasks

HANDLES = {"cup_:0000", "table_:0000"}
ROOMS = {"kitchen.001"}
AFFORDS = {"cup_:0000": ["is_clean", "is_filled"]}


def episode(function_name: str, **args: Any) -> Task:
    args = {name.replace("groups", "*args"): value for name, value in args.items()}
    return Task(
        task_id="7",
        scene_id="s",
        evaluation_propositions=[
            Proposition("is_on_floor", {"object_handles": ["cup_:0000"]}),
            Proposition(function_name, args),
        ],
    )


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (episode("is_clean", object_handles=["mug_:0000"]), "mug_:0000"),
        (
            episode("is_inside", object_handles=["cup_:0000"], receptacle_handles=["shelf"]),
            "an object or furniture of the scene, got 'shelf'",
        ),
        (episode("is_in_room", object_handles=["cup_:0000"], room_ids=["attic"]), "a room of"),
        (episode("is_clustered", groups=[["cup_:0000"], ["mug"]]), "mug"),
        (episode("is_powered_off", object_handles=["cup_:0000"]), "the state is_powered_on"),
        (episode("is_dirty", object_handles=["table_:0000"]), "the state is_clean"),
    ],
)
def test_what_the_scene_does_not_have(task: Task, said: str) -> None:
    with pytest.raises(DatasetError) as caught:
        check_against_scene(task, HANDLES, ROOMS, AFFORDS)
    assert caught.value.index == 1
    assert caught.value.task == "7"
    assert said in caught.value.reason


def test_what_it_has() -> None:
    def affords(handle: str, state: str) -> bool:
        return state in AFFORDS.get(handle, ())

    for task in (
        episode("is_dirty", object_handles=["cup_:0000"]),
        episode("is_in_room", object_handles=["cup_:0000"], room_ids=["kitchen.001"]),
        episode("is_clustered", groups=[["cup_:0000"], ["table_:0000"]]),
    ):
        check_against_scene(task, HANDLES, ROOMS, AFFORDS)
        check_against_scene(task, HANDLES, ROOMS, affords)


def changed(**fields: Any) -> Task:
    return msgspec.structs.replace(first_tasks()[3], **fields)


@pytest.mark.parametrize(
    ("fields", "path", "said"),
    [
        ({"object_states": {"is_hot": {}}}, "object_states", "'is_hot'"),
        ({"object_states": {"is_clean": {"mug_:0000": True}}}, "object_states.is_clean", "mug"),
        ({"ao_states": {"vault_:0000": {"door": 1.0}}}, "ao_states", "vault_:0000"),
        ({"name_to_receptacle": {}}, "name_to_receptacle", "a place for each"),
    ],
)
def test_fields_of_the_start(fields: dict[str, Any], path: str, said: str) -> None:
    scene, catalogue = first_house()
    with pytest.raises(DatasetError) as caught:
        check_in_scene(changed(**fields), scene, catalogue, "first.json.gz")
    assert (caught.value.file, caught.value.task, caught.value.path) == ("first.json.gz", "4", path)
    assert said in caught.value.reason


def test_places_parts_and_states_that_are_not_there() -> None:
    scene, catalogue = first_house()
    task = first_tasks()[3]
    handle, place = next(iter(task.name_to_receptacle.items()))
    furniture = place.partition("|")[0]
    unopenable = next(
        f.handle for f in scene.furniture if not catalogue.of_handle(f.handle).affords
    )
    wrong: list[tuple[dict[str, Any], str]] = [
        (
            {"name_to_receptacle": {**task.name_to_receptacle, handle: f"{furniture}|attic"}},
            "a receptacle of the scene or 'floor'",
        ),
        ({"ao_states": {furniture: {"no_such_part": 1.0}}}, "a part of it"),
        ({"object_states": {"is_clean": {unopenable: True}}}, "the state is_clean"),
        (
            {
                "evaluation_propositions": [
                    Proposition("is_on_floor", {"object_handles": [furniture]})
                ]
            },
            "which can lie on a floor",
        ),
    ]
    for fields, said in wrong:
        with pytest.raises(DatasetError) as caught:
            check_in_scene(changed(**fields), scene, catalogue)
        assert said in caught.value.reason
    objects = {
        ("dragon_:0000" if h == handle else h): p for h, p in task.name_to_receptacle.items()
    }
    with pytest.raises(DatasetError, match="an object of the catalogue, got 'dragon_:0000'"):
        check_in_scene(changed(name_to_receptacle=objects), scene, catalogue)


def test_generated_tasks_pass() -> None:
    scene, catalogue = first_house()
    for task in first_tasks():
        check_in_scene(task, scene, catalogue)
