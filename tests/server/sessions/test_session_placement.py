"""The places where things come to rest: supports, seeded candidates, the same for everybody."""

from __future__ import annotations

import random

import pytest

from episodes.evaluation.geometry import gap
from episodes.poses import yaw_of
from episodes.world import HolderChanged, SupportChanged
from server.sessions.core import SessionCore
from server.sessions.initial_world import populate
from server.sessions.intents import Place
from server.sessions.placement import candidates, floor_candidates, lower
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ahead,
    ask,
    core_of,
    lay,
    put,
    stand_for,
    started,
    task,
)


def _held(core: SessionCore, prefix: str) -> str:
    handle = next(h for h in core.world.objects if h.startswith(prefix))
    core.state.change(SupportChanged(handle, None))
    core.state.change(HolderChanged(handle, HUMAN))
    core.simulator.set_pose(handle, core.world.pose(handle))
    return handle


def _kind(core: SessionCore, prefix: str) -> str:
    return next(f.handle for f in core.simulator.scene.furniture if f.handle.startswith(prefix))


@pytest.mark.parametrize("number", range(1, 7))
def test_supports_found_by_geometry_are_those_of_the_task(number: int) -> None:
    import msgspec

    core = core_of(task(number))
    nameless = msgspec.structs.replace(task(number), name_to_receptacle={})
    world = type(core.world)(core.state.bodies)
    populate(world, nameless, core.simulator, core.surfaces)
    assert world.supports == task(number).name_to_receptacle == core.world.supports


def test_candidates_are_free_level_and_on_the_surface_asked_for() -> None:
    core = started(task(2))
    plate = _held(core, "plate_")
    tables = [s for s in core.surfaces.of[_kind(core, "table")] if s.receptacle.kind == "on"]
    spots = list(candidates(core.view, plate, tables, random.Random(1)))
    assert len(spots) == 10
    for spot in spots:
        assert spot.placement.support in {s.unique_name for s in tables}
        assert not spot.placement.overlaps
        assert spot.placement.steady
        assert spot.placement.pose is not None
        assert yaw_of(spot.placement.pose.rotation) == pytest.approx(spot.yaw)
        # The evaluator calls that "on top".
        core.simulator.set_pose(plate, spot.placement.pose)
        assert tables[0].furniture.handle in core.simulator.above(plate)


def test_candidates_depend_on_the_seed_only() -> None:
    core, other = started(task(2)), started(task(2))
    results = []
    for one, seed in ((core, 5), (other, 5), (core, 6)):
        plate = next(h for h in one.world.objects if h.startswith("plate_"))
        surfaces = one.surfaces.of[_kind(one, "table")]
        spots = candidates(one.view, plate, surfaces, random.Random(seed))
        results.append([s.placement.pose for s in spots])
    assert results[0] == results[1] != results[2]


def test_candidates_next_to_something_are_next_to_it_for_the_evaluator() -> None:
    core = started(task(2))
    cup = _held(core, "cup")
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    surface = core.view.receptacle_of(plate)
    assert surface is not None
    spots = list(candidates(core.view, cup, [surface], random.Random(1), next_to=plate))
    assert spots
    for spot in spots:
        assert spot.placement.pose is not None
        box = core.view.template(cup).box
        assert gap(box, spot.placement.pose, core.view.template(plate).box,
                   core.world.objects[plate]) <= 0.5  # fmt: skip
        core.simulator.set_pose(cup, spot.placement.pose)
        assert core.simulator.gap(cup, plate) <= 0.5


def test_closed_receptacles_have_no_candidates() -> None:
    core = started(task(2))
    plate = _held(core, "plate_")
    surfaces = [s for s in core.surfaces.of[_kind(core, "fridge")] if s.part is not None]
    assert list(candidates(core.view, plate, surfaces, random.Random(1))) == []


def test_floor_candidates_lie_on_the_floor_for_the_evaluator() -> None:
    core = started(task(2))
    plate = _held(core, "plate_")
    around = core.world.agents[HUMAN].position
    spots = list(floor_candidates(core.view, plate, around, random.Random(1)))
    assert spots
    for spot in spots:
        assert spot.placement.pose is not None
        core.simulator.set_pose(plate, spot.placement.pose)
        assert core.simulator.on_floor(plate)


def test_stacking_names_the_object_and_wants_its_middle_over_it() -> None:
    core = started(task(2))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    stand_for(core, HUMAN, plate)
    cup = _held(core, "cup")
    x, y, z = core.world.objects[plate].position
    top = y + core.view.template(plate).box.high[1]
    assert lower(core.view, cup, (x, top, z), 0.0).surface == "object"
    edge = core.view.template(plate).box.high[0] + 0.01
    beside = lower(core.view, cup, (x + edge, top, z), 0.0)
    if beside.surface == "object":
        assert not beside.steady
    assert put(core, HUMAN, (x, top, z)) == ""
    assert core.world.supports[cup] == plate
    assert core.world.objects[cup].position[1] == pytest.approx(top, abs=0.005)


def test_what_is_taken_is_refused_with_the_name_of_what_is_there() -> None:
    core = started(task(2))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    stand_for(core, HUMAN, plate)
    cup = _held(core, "cup")
    x, y, z = core.world.objects[plate].position
    half = core.view.template(plate).box.high[0] + core.view.template(cup).box.high[0]
    refused = ask(core, HUMAN, Place(1, (x + half * 0.9, y, z), 0.0))
    assert refused is not None
    assert refused.rule in ("room_for_it", "steady")


def test_nonsense_points_land_nowhere() -> None:
    core = started(task(2))
    _held(core, "plate_")
    for point in ((900.0, 0.0, 900.0), (0.0, -50.0, 0.0)):
        refused = ask(core, HUMAN, Place(1, point, 0.0))
        assert refused is not None
        assert refused.reason == "There is nothing to put it on"


def test_floor_by_the_wall_is_refused() -> None:
    core = started(task(2))
    _held(core, "plate_")
    room = core.simulator.scene.rooms[0]
    x, z = room.polygon[0]
    mx = sum(p[0] for p in room.polygon) / 4
    mz = sum(p[1] for p in room.polygon) / 4
    corner = (x + 0.15 * (1 if mx > x else -1), 0.0, z + 0.15 * (1 if mz > z else -1))
    placement = lower(core.view, core.world.held[HUMAN], corner, 0.0)
    if placement.surface == "floor":
        assert not placement.walkable


def test_things_in_the_hands_of_others_are_not_in_the_way() -> None:
    core = started(task(2))
    plate = _held(core, "plate_")
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    point = ahead(core, HUMAN, 0.3)
    lay(core, cup, point, "floor")
    assert cup in lower(core.view, plate, point, 0.0).overlaps or (
        lower(core.view, plate, point, 0.0).entity == cup
    )
    core.state.change(HolderChanged(cup, "robot_0"))
    assert lower(core.view, plate, point, 0.0).entity != cup
    assert cup not in lower(core.view, plate, point, 0.0).overlaps
