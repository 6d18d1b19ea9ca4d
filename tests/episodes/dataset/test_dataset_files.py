"""Data set files: what is written is what was read, and what is wrong is named."""

from __future__ import annotations

import gzip
import json
import math
import string
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.dataset import (
    Constraint,
    DatasetError,
    Dependency,
    Proposition,
    Task,
    read_dataset,
    write_dataset,
)

EPISODE: dict[str, Any] = {
    "episode_id": "17",
    "scene_id": "102344022",
    "scene_dataset_config": "scenes/config.json",
    "additional_obj_config_paths": ["objects/ycb"],
    "start_position": [0.0, 0.0, 0.0],
    "start_rotation": [0.0, 0.0, 0.0, 1.0],
    "info": {"object_labels": {}, "initial_state": [{"name": "clutter", "n": 3}]},
    "ao_states": {"9f3a_:0000": {"door": 0.5}},
    "rigid_objs": [["mug.object_config.json", [[1.0, 0.0, 0.0, 0.25]] * 4]],
    "targets": {},
    "markers": [],
    "target_receptacles": [],
    "goal_receptacles": [],
    "name_to_receptacle": {"Mug_:0000": "9f3a_:0000|top"},
    "instruction": "Put the mug on the table, then wash it.",
    "evaluation_propositions": [
        {
            "function_name": "is_on_top",
            "args": {
                "object_handles": ["Mug_:0000"],
                "receptacle_handles": ["9f3a_:0000"],
                "number": 1,
                "is_same_receptacle": False,
            },
        },
        {"function_name": "is_clean", "args": {"object_handles": ["Mug_:0000"], "number": 1}},
    ],
    "evaluation_proposition_dependencies": [
        {
            "proposition_indices": [1],
            "depends_on": [0],
            "relation_type": "after_satisfied",
            "dependency_mode": "any",
        }
    ],
    "evaluation_constraints": [
        {"type": "TemporalConstraint", "args": {"dag_edges": [[0, 1]], "n_propositions": 2}},
        {
            "type": "TerminalSatisfactionConstraint",
            "args": {"proposition_indices": [1], "n_propositions": 2},
        },
    ],
    "object_states": {"is_clean": {"Mug_:0000": False}},
}


def put(path: Path, *episodes: dict[str, Any]) -> Path:
    path.write_bytes(gzip.compress(json.dumps({"config": None, "episodes": episodes}).encode()))
    return path


def changed(*path: str | int, value: Any) -> dict[str, Any]:
    """Return the episode above with one field set."""
    copy: dict[str, Any] = json.loads(json.dumps(EPISODE))
    at: Any = copy
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return copy


def test_the_released_form_is_read_and_written_back(tmp_path: Path) -> None:
    source = put(tmp_path / "in.json.gz", EPISODE)
    (episode,) = read_dataset(source)
    assert episode.evaluation_propositions[1].function_name == "is_clean"
    assert episode.evaluation_proposition_dependencies[0].dependency_mode == "any"
    assert episode.rigid_objs[0][1][3][3] == 0.25
    write_dataset(tmp_path / "out.json.gz", [episode])
    written = json.loads(gzip.decompress((tmp_path / "out.json.gz").read_bytes()))
    assert written == {"config": None, "episodes": [EPISODE]}
    assert list(written["episodes"][0]) == list(EPISODE)


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    source = put(tmp_path / "in.json", {**EPISODE, "difficulty": {"level": 2}, "extra": [1.5]})
    (episode,) = read_dataset(source)
    assert episode.extra == {"difficulty": {"level": 2}, "extra": [1.5]}
    write_dataset(tmp_path / "out.json", [episode])
    assert read_dataset(tmp_path / "out.json") == [episode]


def test_floats_have_five_decimals(tmp_path: Path) -> None:
    task = Task(task_id="1", scene_id="s", start_position=(1.0, 0.123456789, -2.5))
    write_dataset(tmp_path / "x.json", [task])
    assert '"start_position":[1.00000,0.12346,-2.50000]' in (tmp_path / "x.json").read_text()


def test_the_same_episodes_give_the_same_bytes(tmp_path: Path) -> None:
    tasks = read_dataset(put(tmp_path / "in.json.gz", EPISODE))
    write_dataset(tmp_path / "a.json.gz", tasks)
    write_dataset(tmp_path / "b.json.gz", tasks)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()
    assert (tmp_path / "a.json.gz").read_bytes()[4:8] == bytes(4)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    good = Task(task_id="1", scene_id="s")
    bad = msgspec.structs.replace(good, task_id="2", start_position=(math.nan, 0.0, 0.0))
    write_dataset(tmp_path / "x.json", [good])
    with pytest.raises(DatasetError, match=r"task 2: start_position\[0\]: expected a finite"):
        write_dataset(tmp_path / "x.json", [good, bad])
    with pytest.raises(OSError, match="no"):
        write_dataset(tmp_path / "no" / "such" / "folder.json", [good])
    assert read_dataset(tmp_path / "x.json") == [good]
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


five = st.integers(-10_000_000, 10_000_000).map(lambda n: n / 100_000)
text = st.text(string.printable + "åß漢", max_size=12)
name = st.text(string.ascii_letters + "_:.0", min_size=1, max_size=8)
handles = st.lists(name, min_size=1, max_size=3)
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | five | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def proposed(draw: st.DrawFn) -> Proposition:
    kind = draw(st.sampled_from(["is_inside", "is_in_room", "is_clustered", "is_dirty"]))
    if kind == "is_clustered":
        groups = draw(st.lists(handles, min_size=1, max_size=3))
        return Proposition(kind, {"*args": groups, "number": [1] * len(groups)})
    args: dict[str, Any] = {"object_handles": draw(handles), "number": draw(st.integers(1, 4))}
    if kind == "is_inside":
        args["receptacle_handles"] = draw(handles)
    if kind == "is_in_room":
        args |= {"room_ids": draw(handles), "is_same_room": draw(st.booleans())}
    return Proposition(kind, args)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    stated = draw(st.lists(proposed(), min_size=1, max_size=4))
    index = st.integers(0, len(stated) - 1)
    some = st.lists(index, max_size=3)
    edges = [[a, b] for a, b in draw(st.lists(st.tuples(index, index), max_size=4)) if a < b]
    return Task(
        task_id=draw(name),
        scene_id=draw(text),
        start_position=draw(st.tuples(five, five, five)),
        info=draw(st.dictionaries(text, anything, max_size=3)),
        ao_states=draw(st.dictionaries(name, st.dictionaries(name, five, max_size=2), max_size=2)),
        rigid_objs=[(draw(text), [[draw(five)] * 4] * 4)],
        name_to_receptacle=draw(st.dictionaries(name, text, max_size=2)),
        instruction=draw(text),
        evaluation_propositions=stated,
        evaluation_proposition_dependencies=draw(
            st.lists(
                st.builds(
                    Dependency,
                    some,
                    some,
                    st.sampled_from(["while_satisfied", "before_satisfied"]),
                    st.sampled_from(["all", "any"]),
                ),
                max_size=2,
            )
        ),
        evaluation_constraints=[
            Constraint("TemporalConstraint", {"dag_edges": edges, "n_propositions": None}),
            Constraint("TerminalSatisfactionConstraint", {"proposition_indices": draw(some)}),
        ],
        object_states={"is_clean": draw(st.dictionaries(name, st.booleans(), max_size=2))},
        extra=draw(st.dictionaries(text.map("x-".__add__), anything, max_size=2)),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(tasks(), max_size=3, unique_by=lambda e: e.task_id), st.booleans())
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, episodes: list[Task], packed: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / ("round.json.gz" if packed else "round.json")
    write_dataset(path, episodes)
    assert read_dataset(path) == episodes


# What is wrong is named


def test_files_that_are_no_data_sets(tmp_path: Path) -> None:
    file = tmp_path / "x.json.gz"
    with pytest.raises(DatasetError, match=r"x\.json\.gz: cannot be read: No such file"):
        read_dataset(file)
    for content, reason in (
        (b"{", "expected JSON"),
        (b"\xff{}", "expected JSON"),
        (b"[]", "something else"),
        (b"{}", "keys"),
        (gzip.compress(b'{"episodes": []}')[:-9], "gzip|cannot be read"),
        (b"\x1f\x8bnonsense", "gzip|cannot be read"),
    ):
        file.write_bytes(content)
        with pytest.raises(DatasetError, match=reason) as caught:
            read_dataset(file)
        assert caught.value.file == str(file)


def test_the_task_is_named(tmp_path: Path) -> None:
    path = put(tmp_path / "x.json", EPISODE, changed("instruction", value=5))
    path = put(path, EPISODE, {**changed("instruction", value=5), "episode_id": "18"})
    with pytest.raises(DatasetError) as caught:
        read_dataset(path)
    error = caught.value
    assert (error.file, error.task, error.path) == (str(path), "18", "instruction")
    assert error.reason == "expected str, got int"
    put(path, EPISODE, {"scene_id": "s"})
    with pytest.raises(DatasetError, match=r"task #1: .*episode_id"):
        read_dataset(path)
    put(path, EPISODE, EPISODE)
    with pytest.raises(DatasetError, match="task 17: episode_id: expected an id that no other"):
        read_dataset(path)
    path.write_text('{"episodes": [3]}')
    with pytest.raises(DatasetError, match="task #0: expected an object, got int"):
        read_dataset(path)


FIRST = ("evaluation_propositions", 0)
ARGS = (*FIRST, "args")
RULE = ("evaluation_constraints", 0)
WAIT = ("evaluation_proposition_dependencies", 0)
TIE = {"type": "SameArgConstraint"}


@pytest.mark.parametrize(
    ("broken", "path", "expected"),
    [
        (changed(*FIRST, "function_name", value="is_odd"), "function_name", "one of is_on_top"),
        (changed(*ARGS, value={"object_handles": ["a"]}), "args", "argument receptacle_handles"),
        (changed(*ARGS, "room_ids", value=["a"]), "args", "an argument of is_on_top"),
        (changed(*ARGS, "object_handles", value="Mug"), "object_handles", "list of names"),
        (changed(*ARGS, "object_handles", value=[]), "object_handles", "non-empty list"),
        (changed(*ARGS, "object_handles", value=[1]), "object_handles", "list of names"),
        (changed(*ARGS, "number", value=0), "args.number", "at least 1"),
        (changed(*ARGS, "number", value=True), "args.number", "an integer"),
        (changed(*ARGS, "number", value=1.0), "args.number", "an integer"),
        (changed(*ARGS, "is_same_receptacle", value=1), "is_same_receptacle", "true or false"),
        (changed(*FIRST, "more", value=1), "evaluation_propositions[0]", "unknown field"),
        (changed(*WAIT, "relation_type", value="once"), "relation_type", "while_satisfied"),
        (changed(*WAIT, "dependency_mode", value="most"), "dependency_mode", "one of all, any"),
        (changed(*WAIT, "depends_on", value=[2]), "depends_on", "indices from 0 to 1"),
        (changed(*WAIT, "proposition_indices", value=[-1]), "proposition_indices", "from 0 to 1"),
        (changed(*RULE, "type", value="OddConstraint"), "type", "one of TemporalConstraint"),
        (changed(*RULE, "args", "dag_edges", value=[[0, 1], [1, 0]]), "dag_edges", "a cycle"),
        (changed(*RULE, "args", "dag_edges", value=[[0, 0]]), "dag_edges[0]", "two different"),
        (changed(*RULE, "args", "dag_edges", value=[[0]]), "dag_edges[0]", "[before, after]"),
        (changed(*RULE, "args", "dag_edges", value=[[0, 2]]), "dag_edges[0]", "from 0 to 1"),
        (changed(*RULE, "args", "dag_edges", value=7), "dag_edges", "a list of"),
        (changed(*RULE, "args", "n_propositions", value=1), "dag_edges[0]", "from 0 to 0"),
        (changed(*RULE, "args", "n_propositions", value="2"), "n_propositions", "a count"),
        (changed(*RULE, "args", value={}), "args", "dag_edges"),
        (
            changed(*RULE, value={**TIE, "args": {"proposition_indices": [0], "arg_names": []}}),
            "arg_names",
            "one name per proposition (1)",
        ),
        (
            changed(
                *RULE,
                value={**TIE, "args": {"proposition_indices": [0], "arg_names": ["room_ids"]}},
            ),
            "arg_names[0]",
            "an argument of is_on_top",
        ),
        (
            changed(
                *FIRST,
                value={
                    "function_name": "is_next_to",
                    "args": {"entity_handles_a": ["a", "a"], "entity_handles_b": ["a"]},
                },
            ),
            "args",
            "two different things",
        ),
        (
            changed(
                *FIRST,
                value={
                    "function_name": "is_next_to",
                    "args": {
                        "entity_handles_a": ["a"],
                        "entity_handles_b": ["b"],
                        "l2_threshold": -1,
                    },
                },
            ),
            "l2_threshold",
            "metres",
        ),
        (
            changed(
                *FIRST,
                value={"function_name": "is_clustered", "args": {"*args": [["a"]], "number": [0]}},
            ),
            "args.number",
            "at least 1",
        ),
        (
            changed(
                *FIRST,
                value={
                    "function_name": "is_clustered",
                    "args": {"*args": [["a"]], "number": [1, 1]},
                },
            ),
            "args.number",
            "one number per group (1)",
        ),
        (
            changed(*FIRST, value={"function_name": "is_clustered", "args": {"*args": []}}),
            "*args",
            "list of groups",
        ),
        (changed("rigid_objs", 0, 1, value=[[1.0]]), "rigid_objs[0][1]", "4 x 4"),
        (changed("info", value={"start_poses": True}), "info.start_poses", "object of seats"),
        (
            changed("info", value={"start_poses": {"robot_0": [0.0, "0", 1.0]}}),
            "info.start_poses.robot_0",
            "[x, y, z, yaw]",
        ),
        (changed("start_position", value=[0.0]), "start_position", "length 3"),
        (changed("object_states", "is_clean", value={"a": 1}), "object_states", "bool"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, broken: dict[str, Any], path: str, expected: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        read_dataset(put(tmp_path / "x.json", broken))
    assert caught.value.task == "17"
    assert path in caught.value.path
    assert expected in caught.value.reason


def test_ties_on_groups_of_a_cluster_are_fine(tmp_path: Path) -> None:
    cluster = {"function_name": "is_clustered", "args": {"*args": [["a"], ["b"]]}}
    args = {"proposition_indices": [0, 1], "arg_names": ["*args_1", "object_handles"]}
    good = changed(*FIRST, value=cluster)
    good["evaluation_constraints"] = [{**TIE, "args": args}]
    assert len(read_dataset(put(tmp_path / "x.json", good))) == 1
    args["arg_names"] = ["*args_2", "object_handles"]
    with pytest.raises(DatasetError, match=r"\*args_2"):
        read_dataset(put(tmp_path / "x.json", good))
