"""Exported data set: its files, and what habitat-sim makes of them."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.dataset import read_dataset
from episodes.poses import Box, to_world
from episodes.scene import Catalogue, receptacle_id, split_receptacle_id
from server.simulators.contract_suite import two_rooms
from server.simulators.habitat.export import ExportError, dataset_files, export_tasks, glb
from server.simulators.habitat.export.links import furniture_urdf, link_name
from tests.server.simulators.habitat_data import (
    exported_house,
    exported_rooms,
    house_source,
    lengths,
    needs_habitat,
    process,
    read_json,
    rooms_source,
)

lengths_m = st.floats(-5, 5, width=32)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    low = tuple(draw(lengths_m) for _ in range(3))
    size = tuple(draw(st.floats(0.015625, 3, width=32)) for _ in range(3))
    high = tuple(a + b for a, b in zip(low, size, strict=True))
    return Box(low, high)  # type: ignore[arg-type]


@given(st.lists(boxes(), min_size=1, max_size=6))
def test_a_box_is_a_mesh_of_its_own(solids: list[Box]) -> None:
    data = glb.boxes(solids)
    stated, is_long = lengths(data)
    assert stated == is_long
    tree, _ = glb.read(data)
    assert len(tree["meshes"]) == len(tree["nodes"]) == len(solids)
    for solid, accessor in zip(solids, tree["accessors"][::2], strict=True):
        assert accessor["min"] == pytest.approx(list(solid.low), abs=1e-5)
        assert accessor["max"] == pytest.approx(list(solid.high), abs=1e-5)


def test_a_box_turns_its_faces_outwards() -> None:
    tree, buffer = glb.read(glb.boxes([Box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))]))
    import numpy as np

    vertices = np.frombuffer(buffer, "<f4", 24).reshape(8, 3)
    start = tree["bufferViews"][1]["byteOffset"]
    triangles = np.frombuffer(buffer, "<u2", 36, start).reshape(12, 3)
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    outwards = (a + b + c) / 3 - np.array([0.5, 1.0, 1.5])
    assert ((normals * outwards).sum(axis=1) > 0).all()
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(6.0)


@pytest.mark.parametrize("damage", [b"", b"glTF", b"x" * 40])
def test_what_is_no_model_is_an_error(damage: bytes) -> None:
    with pytest.raises(glb.GlbError):
        glb.read(damage)


def test_only_what_hangs_below_a_node_is_kept() -> None:
    source = house_source()
    fridge = next(t for t in source.catalogue.templates.values() if t.class_name == "fridge")
    whole = source.model(fridge.asset)
    door = glb.only_nodes(whole, {"part_0"})
    assert door is not None
    assert len(door) < len(whole)
    names = {node["name"] for node in glb.read(door)[0]["nodes"]}
    assert "part_0" in names
    assert not {"body", "part_1"} & names
    assert all(name.startswith("part_0") for name in names)
    assert glb.only_nodes(whole, {"no_such_node"}) is None


def test_the_same_house_gives_the_same_bytes() -> None:
    assert list(dataset_files([rooms_source()])) == list(dataset_files([rooms_source()]))


def test_a_stage_that_draws_nothing_is_an_error() -> None:
    source = rooms_source()
    empty = source._replace(
        model=lambda path: source.model(
            path if "stage" not in path else source.catalogue.templates["cup_1"].asset
        )
    )
    with pytest.raises(ExportError, match="stage"):
        list(dataset_files([empty]))


def test_every_part_is_a_link_and_link_0_the_first_part() -> None:
    template = two_rooms.CATALOGUE.templates["cabinet_1"]
    robot = ElementTree.fromstring(furniture_urdf(template, {}))
    assert [link.get("name") for link in robot.findall("link")] == ["body", "part_0", "part_1"]
    joints = robot.findall("joint")
    assert [joint.get("type") for joint in joints] == ["revolute", "prismatic"]
    for part, joint in zip(template.parts, joints, strict=True):
        limit, child = joint.find("limit"), joint.find("child")
        assert limit is not None
        assert child is not None
        assert child.get("link") == link_name(part.index)
        ends = sorted((0.0, part.open_value))
        assert [float(limit.get(k, "")) for k in ("lower", "upper")] == pytest.approx(ends)
    for link, part_index in zip(robot.findall("link"), (None, 0, 1), strict=True):
        solids = [s for s in template.solids if s.part == part_index]
        assert len(link.findall("collision")) == len(solids)


def test_receptacles_are_annotated_by_partnrs_names() -> None:
    folder, source = exported_house(), house_source()
    scene_id = source.scene.scene_id
    instance = read_json(folder / "scenes" / f"{scene_id}.scene_instance.json")
    listed = read_json(folder / instance["user_defined"]["scene_filter_file"])
    handles = {f.handle: source.catalogue.templates[f.template] for f in source.scene.furniture}
    assert set(listed["within_set"]) <= set(listed["active"])
    for name in listed["active"]:
        handle, receptacle = split_receptacle_id(name)
        template = handles[handle]
        config = _config(folder, template)
        annotated = config["user_defined"][f"receptacle_aabb_{receptacle}"]
        assert annotated["name"] == receptacle
        known = next(r for r in template.receptacles if r.name == receptacle)
        # habitat-lab looks links up by name.
        carrier = link_name(known.part if known.moves else None)
        assert annotated.get("parent_link") == (carrier if template.parts else None)


def _config(folder: Path, template: Any) -> Any:
    if template.parts:
        return read_json(folder / "urdf" / template.name / f"{template.name}.ao_config.json")
    return read_json(folder / "furniture" / f"{template.name}.object_config.json")


def test_tasks_are_partnrs_and_name_the_data_set() -> None:
    folder = exported_house()
    tasks = read_dataset(folder / "tasks" / "first.json.gz")
    assert len(tasks) == 8
    for task in tasks:
        assert (folder.parent / task.scene_dataset_config).is_file()
        for path in task.additional_obj_config_paths:
            for file_name, _ in task.rigid_objs:
                assert (folder.parent / path / file_name.rpartition("/")[2]).is_file()
        for links in task.ao_states.values():
            assert all(link.startswith("part_") for link in links)


def test_a_task_of_another_house_is_an_error(tmp_path: Path) -> None:
    tasks = read_dataset(exported_house() / "tasks" / "first.json.gz")
    with pytest.raises(ExportError, match="is not there"):
        export_tasks(tasks, {}, Catalogue({}, ""), tmp_path)


@pytest.mark.processes
def test_the_command(houses_dir: Path, tmp_path: Path) -> None:
    target = tmp_path / "exported"
    command = [
        sys.executable,
        "-m",
        "server.cli.main",
        "houses",
        "export",
        "--habitat",
        str(target),
    ]
    done = subprocess.run(
        [*command, "--data-dir", str(houses_dir)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    theirs = {p.relative_to(target) for p in target.rglob("*") if p.is_file()}
    ours = exported_house()
    assert theirs == {p.relative_to(ours) for p in ours.rglob("*") if p.is_file()}
    for path in theirs:
        if path.parts[0] != "tasks":
            assert (target / path).read_bytes() == (ours / path).read_bytes(), path
    done = subprocess.run(
        [*command, "--data-dir", str(tmp_path / "empty")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.habitat
@needs_habitat
@pytest.mark.parametrize("folder", [exported_rooms, exported_house], ids=["rooms", "house"])
def test_habitat_has_everything_where_it_stands(folder: Any) -> None:
    """Handles, poses, boxes, parts and rooms agree, and links' meshes are where the solids are."""
    source = rooms_source() if folder is exported_rooms else house_source()
    seen = process().ask(0, "inspect", folder(), source.scene.scene_id)
    templates = {f.handle: source.catalogue.templates[f.template] for f in source.scene.furniture}
    assert seen["furniture"].keys() == templates.keys()
    assert seen["rooms"] == {room.room_id: room.class_name for room in source.scene.rooms}
    for furniture in source.scene.furniture:
        found, template = seen["furniture"][furniture.handle], templates[furniture.handle]
        assert found["position"] == pytest.approx(furniture.pose.position, abs=1e-5)
        dot = sum(a * b for a, b in zip(found["rotation"], furniture.pose.rotation, strict=True))
        assert abs(dot) == pytest.approx(1.0, abs=1e-5)
        assert found["links"] == [(p.index, link_name(p.index), p.name) for p in template.parts]
        # The drawn part is about where its solids are.
        for part in (None, *(p.index for p in template.parts)):
            solids = [s.box for s in template.solids if s.part == part]
            drawn = found["drawn"].get(part)
            if solids and drawn is not None and template.parts:
                low = [min(b.low[k] for b in solids) for k in range(3)]
                high = [max(b.high[k] for b in solids) for k in range(3)]
                assert drawn[0] == pytest.approx(low, abs=0.1), (furniture.handle, part)
                assert drawn[1] == pytest.approx(high, abs=0.1), (furniture.handle, part)


@pytest.mark.habitat
@needs_habitat
def test_habitat_lab_finds_the_receptacles() -> None:
    """Receptacles go by PARTNR's names, the middle of each surface where it is."""
    source = house_source()
    found = process().ask(0, "receptacles", exported_house(), source.scene.scene_id)
    if found is None:
        pytest.skip("the interpreter with habitat-sim has no habitat-lab")
    expected = {}
    for furniture in source.scene.furniture:
        for receptacle in source.catalogue.templates[furniture.template].receptacles:
            name = receptacle_id(furniture.handle, receptacle.name)
            expected[name] = to_world(furniture.pose, receptacle.center)
    assert found.keys() == expected.keys()
    for name, middle in expected.items():
        assert found[name] == pytest.approx(middle, abs=1e-4), name
