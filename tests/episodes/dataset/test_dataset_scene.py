"""A task against the scene it is to be played in."""

from __future__ import annotations

from typing import Any

import pytest

from episodes.dataset import DatasetError, Episode, Proposition, check_against_scene

HANDLES = {"cup_:0000", "table_:0000"}
ROOMS = {"kitchen.001"}
AFFORDS = {"cup_:0000": ["is_clean", "is_filled"]}


def episode(function_name: str, **args: Any) -> Episode:
    args = {name.replace("groups", "*args"): value for name, value in args.items()}
    return Episode(
        episode_id="7",
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
def test_what_the_scene_does_not_have(task: Episode, said: str) -> None:
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
