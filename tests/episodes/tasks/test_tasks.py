"""The first tasks: valid, unsolved at the start, solvable by size and reach, the same each time."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from episodes.dataset import (
    Constraint,
    Proposition,
    Task,
    read_dataset,
    validate_evaluation,
    write_dataset,
)
from episodes.houses import first_house
from episodes.scene import split_receptacle_id
from episodes.tasks import TaskError, check_task, first_tasks, generate_tasks

SEEDS = [0, 3, 8, 11, 18, 24]


@pytest.fixture(scope="module", params=SEEDS)
def tasks(request: pytest.FixtureRequest) -> tuple[int, list[Task]]:
    scene, catalogue = first_house(request.param)
    return request.param, generate_tasks(scene, catalogue)


def test_every_house_gets_eight_tasks_over_the_four_types(tasks: tuple[int, list[Task]]) -> None:
    seed, episodes = tasks
    scene, catalogue = first_house(seed)
    assert len(episodes) == 8
    types = {e.info["cohabit"]["task_type"] for e in episodes}
    assert types == {"constraint_free", "spatial", "temporal", "heterogeneous"}
    for episode in episodes:
        assert check_task(episode, scene, catalogue) == []
        assert episode.scene_id == scene.scene_id
        validate_evaluation(
            episode.evaluation_propositions,
            episode.evaluation_proposition_dependencies,
            episode.evaluation_constraints,
        )


def test_some_things_start_in_closed_furniture_and_clutter_lies_about(
    tasks: tuple[int, list[Task]],
) -> None:
    seed, episodes = tasks
    _, catalogue = first_house(seed)
    closed = 0
    for episode in episodes:
        clutter = [r for r in episode.info["initial_state"] if r.get("name") == "clutter"]
        assert 3 <= len(clutter) <= 6
        for unique in episode.name_to_receptacle.values():
            furniture, name = split_receptacle_id(unique)
            receptacles = catalogue.of_handle(furniture).receptacles
            closed += any(r.name == name and r.part is not None for r in receptacles)
    assert closed >= 4


def test_the_same_house_and_seed_give_the_same_tasks() -> None:
    scene, catalogue = first_house()
    assert generate_tasks(scene, catalogue) == generate_tasks(scene, catalogue)
    assert generate_tasks(scene, catalogue, 1) != generate_tasks(scene, catalogue, 2)


def test_they_survive_a_data_set_file(tmp_path: Path) -> None:
    file = tmp_path / "first.json.gz"
    write_dataset(file, first_tasks())
    again = read_dataset(file)
    scene, catalogue = first_house()
    assert [e.task_id for e in again] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    for episode in again:
        assert check_task(episode, scene, catalogue) == []


def by_title(title: str) -> Task:
    return next(e for e in first_tasks() if e.info["cohabit"]["title"] == title)


def of_type(task: Task, name: str) -> Constraint:
    return next(c for c in task.evaluation_constraints if c.type == name)


def test_the_order_is_a_temporal_constraint() -> None:
    episode = by_title("Wash the cup")
    assert of_type(episode, "TemporalConstraint").args["dag_edges"] == [[0, 1]]
    names = [p.function_name for p in episode.evaluation_propositions]
    assert names == ["is_clean", "is_inside"]
    cup = episode.evaluation_propositions[0].args["object_handles"][0]
    assert episode.object_states["is_clean"][cup] is False


def test_they_begin_with_one_fetch_and_have_a_part_for_each_body() -> None:
    (only,) = by_title("One apple").evaluation_propositions
    assert only.function_name == "is_on_top"
    assert len(only.args["object_handles"]) == 1
    both = by_title("A part for each")
    # The robot cannot wash, and the plate needs no washing.
    names = [p.function_name for p in both.evaluation_propositions]
    assert names == ["is_on_top", "is_clean", "is_on_top"]
    plate, cup, again = (p.args["object_handles"] for p in both.evaluation_propositions)
    assert cup == again != plate


def test_next_to_waits_for_its_placements() -> None:
    episode = by_title("Set the table")
    (dependency,) = episode.evaluation_proposition_dependencies
    assert dependency.proposition_indices == [2]
    assert dependency.depends_on == [0, 1]
    assert dependency.relation_type == "while_satisfied"


def test_the_mixed_task_has_a_number_a_tie_and_a_terminal_constraint() -> None:
    episode = by_title("Toys, then a snack")
    first = episode.evaluation_propositions[0].args
    assert (first["number"], first["is_same_receptacle"], len(first["object_handles"])) == (
        2,
        True,
        3,
    )
    tie = of_type(episode, "SameArgConstraint").args
    assert tie["proposition_indices"] == [1, 2]
    assert tie["arg_names"] == ["receptacle_handles"] * 2
    terminal = of_type(episode, "TerminalSatisfactionConstraint").args
    assert terminal["proposition_indices"] == [0, 1, 2]


# Broken on purpose


def problems_of(task: Task) -> str:
    scene, catalogue = first_house()
    return "; ".join(str(p) for p in check_task(task, scene, catalogue))


def test_a_task_that_is_solved_at_the_start_is_found() -> None:
    episode = by_title("Two books")
    args = episode.evaluation_propositions[0].args
    table = args["receptacle_handles"][0]
    names = {
        h: f"{table}|top" if h in args["object_handles"] else r
        for h, r in episode.name_to_receptacle.items()
    }
    solved = msgspec.structs.replace(episode, name_to_receptacle=names)
    assert "already holds" in problems_of(solved)


def test_a_goal_without_room_is_found() -> None:
    episode = by_title("Two books")
    scene, catalogue = first_house()
    washer = next(
        f.handle
        for f in scene.furniture
        if not any(r.kind == "on" for r in catalogue.templates[f.template].receptacles)
    )
    goal = episode.evaluation_propositions[0]
    args = {**goal.args, "receptacle_handles": [washer]}
    broken = msgspec.structs.replace(
        episode, evaluation_propositions=[msgspec.structs.replace(goal, args=args)]
    )
    assert "of its objects fit on" in problems_of(broken)


def test_objects_in_each_other_are_found() -> None:
    episode = by_title("Set the table")
    handles = list(episode.name_to_receptacle)
    matrix = episode.rigid_objs[0][1]
    objects = [
        (name, matrix if n == 1 else old) for n, (name, old) in enumerate(episode.rigid_objs)
    ]
    places = {**episode.name_to_receptacle, handles[1]: episode.name_to_receptacle[handles[0]]}
    broken = msgspec.structs.replace(episode, rigid_objs=objects, name_to_receptacle=places)
    assert f"{handles[1]}: it is in {handles[0]}" in problems_of(broken)


def test_next_to_is_checked_of_foreign_tasks_too() -> None:
    """PARTNR's own threshold holds where a task has none; the neighbour may be furniture."""
    episode = next(
        e
        for e in first_tasks()
        if any(p.function_name == "is_next_to" for p in e.evaluation_propositions)
    )
    index, near = next(
        (i, p)
        for i, p in enumerate(episode.evaluation_propositions)
        if p.function_name == "is_next_to"
    )
    args = {k: v for k, v in near.args.items() if k != "l2_threshold"}

    def changed(**other: object) -> Task:
        propositions = list(episode.evaluation_propositions)
        propositions[index] = Proposition("is_next_to", {**args, **other})
        return msgspec.structs.replace(episode, evaluation_propositions=propositions)

    assert problems_of(changed()) == ""
    below = episode.name_to_receptacle[args["entity_handles_a"][0]].partition("|")[0]
    assert f"evaluation_propositions[{index}]" in problems_of(changed(entity_handles_b=[below]))


def test_an_unknown_handle_is_found() -> None:
    episode = by_title("Two books")
    names = {"unicorn_1_:0000": next(iter(episode.name_to_receptacle.values()))}
    assert "unicorn_1" in problems_of(msgspec.structs.replace(episode, name_to_receptacle=names))


def test_a_body_inside_a_wall_is_found() -> None:
    episode = by_title("Two books")
    wall = first_house().scene.walls[0].box.center
    info = {**episode.info, "start_poses": {"human_0": [wall[0], 0.0, wall[2], 0.0]}}
    assert "walkable" in problems_of(msgspec.structs.replace(episode, info=info))


def test_a_missing_state_is_found() -> None:
    episode = by_title("Wash the cup")
    states = {**episode.object_states, "is_clean": {}}
    assert "object_states.is_clean" in problems_of(
        msgspec.structs.replace(episode, object_states=states)
    )


def test_a_house_without_the_furniture_says_what_is_missing() -> None:
    scene, catalogue = first_house()
    no_tables = tuple(f for f in scene.furniture if not f.template.startswith("table"))
    with pytest.raises(TaskError, match="table"):
        generate_tasks(msgspec.structs.replace(scene, furniture=no_tables), catalogue)


def test_bodies_that_start_in_each_other_are_found_whichever_they_are() -> None:
    episode = by_title("Two books")
    starts = episode.info["start_poses"]
    x, y, z, yaw = starts["human_0"]
    beside = {"robot_1": [x + 0.1, y, z, yaw], **starts, "human_1": [x, y, z, yaw]}
    found = problems_of(msgspec.structs.replace(episode, info={"start_poses": beside}))
    for one, other in (("robot_1", "human_0"), ("robot_1", "human_1"), ("human_0", "human_1")):
        assert f"the bodies of {one} and {other} start in each other" in found
    assert "robot_0" not in found
