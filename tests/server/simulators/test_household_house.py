"""Houses: read once, shared by all sessions, refused with a reason."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from episodes.bodies import BODIES
from episodes.houses import first_house
from episodes.houses.files import scene_file, write_bytes, write_catalogue
from episodes.houses.generator import FORMAT, GENERATOR
from server.simulators.contract import SimulatorError
from server.simulators.contract_suite import two_rooms
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.server.simulators.full_house import full_house

SEATS = {"robot_0": BODIES["robot"], "human_0": BODIES["human"]}
MOST_MB = 4.0


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data directory with the default house, without assets."""
    scene, catalogue = first_house()
    write_catalogue(tmp_path, catalogue)
    stored = {
        "format": FORMAT,
        "generator": GENERATOR,
        "catalogue_digest": catalogue.digest,
        "scene": scene,
    }
    write_bytes(scene_file(tmp_path, scene.scene_id), msgspec.json.encode(stored))
    return tmp_path


def test_reads_a_house_once(data: Path) -> None:
    library = HouseLibrary(data)
    scene_id = first_house().scene.scene_id
    house = library.house(scene_id)
    assert house.scene == first_house().scene
    assert library.house(scene_id) is house


def test_a_house_that_was_made_anew_is_read_anew(data: Path) -> None:
    library = HouseLibrary(data)
    scene_id = first_house().scene.scene_id
    house = library.house(scene_id)
    file = scene_file(data, scene_id)
    write_bytes(file, file.read_bytes() + b"\n")
    assert library.house(scene_id) is not house


def test_missing_and_broken_files_say_so(tmp_path: Path, data: Path) -> None:
    with pytest.raises(SimulatorError, match="house_9999"):
        HouseLibrary(data).house("house_9999")
    file = scene_file(data, "house_9999")
    write_bytes(file, b"{")
    with pytest.raises(SimulatorError, match=r"scene\.json"):
        HouseLibrary(data).house("house_9999")


def test_furniture_that_the_catalogue_lacks() -> None:
    stripped = replace(two_rooms.CATALOGUE, templates={})
    library = HouseLibrary.of(stripped, [two_rooms.SCENE])
    with pytest.raises(SimulatorError, match="cabinet_1"):
        library.house("two_rooms")


def test_handles_and_objects_must_match() -> None:
    sim = HouseholdSimulator(HouseLibrary.of(two_rooms.CATALOGUE, [two_rooms.SCENE]))
    episode = replace(two_rooms.TASK, rigid_objs=two_rooms.TASK.rigid_objs[:2])
    with pytest.raises(SimulatorError, match="name_to_receptacle"):
        sim.reset(episode, SEATS, 0)


def test_unknown_part_in_the_episode() -> None:
    sim = HouseholdSimulator(HouseLibrary.of(two_rooms.CATALOGUE, [two_rooms.SCENE]))
    for states in ({two_rooms.CABINET: {"lid": 1.0}}, {"nothing_1_:0000": {"door": 1.0}}):
        with pytest.raises(SimulatorError):
            sim.reset(replace(two_rooms.TASK, ao_states=states), SEATS, 0)


def test_a_failed_reset_keeps_the_episode() -> None:
    sim = HouseholdSimulator(HouseLibrary.of(two_rooms.CATALOGUE, [two_rooms.SCENE]))
    sim.reset(two_rooms.TASK, SEATS, 0)
    before = dict(sim.objects())
    with pytest.raises(SimulatorError):
        sim.reset(replace(two_rooms.TASK, scene_id="nowhere"), SEATS, 0)
    assert dict(sim.objects()) == before


@pytest.mark.slow
def test_a_session_is_small() -> None:
    """A session stays small with three hundred objects and everything asked that is kept."""
    house, episode = full_house()
    library = HouseLibrary.of(house.catalogue, [house.scene])
    HouseholdSimulator(library).reset(episode, SEATS, 0)
    tracemalloc.start()
    try:
        sims = [HouseholdSimulator(library) for _ in range(3)]
        for sim in sims:
            sim.reset(episode, SEATS, 1)
            for handle in sim.objects():
                sim.above(handle)
                sim.within(handle)
            sim.seen("human_0")
        used = tracemalloc.get_traced_memory()[0] / len(sims) / 1e6
    finally:
        tracemalloc.stop()
    assert used < MOST_MB
