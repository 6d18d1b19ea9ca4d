"""Help for a player's hand: the nearest place that fits, beside an aim and within furniture."""

from __future__ import annotations

import math

import pytest

from episodes.poses import Vec3, yaw_of
from server.sessions.core import SessionCore
from server.sessions.intents import Place
from server.sessions.surfaces import Surface
from tests.server.sessions.first_house_sessions import HUMAN, do, put, stand_for, started, task


def holding_a_cup() -> tuple[SessionCore, str, Surface]:
    """Return a core whose person holds the cup, the cup, and the open drawer that it lay in."""
    core = started()
    cup = next(h for h in core.world.objects if "cup" in h and core.shut_in(h) is not None)
    drawer = core.view.receptacle_of(cup)
    assert drawer is not None
    stand_for(core, HUMAN, drawer.furniture.handle)
    assert do(core, HUMAN, "open", drawer.furniture.handle, drawer.receptacle.part) == ""
    stand_for(core, HUMAN, cup)
    assert do(core, HUMAN, "pick", cup) == ""
    return core, cup, drawer


def at_the_side(core: SessionCore, drawer: Surface) -> Vec3:
    """Return a point of a drawer so near to its side that a cup would stand in that."""
    return drawer.point(core.world.joints, 0.97, 0.0)


def test_an_aim_at_the_side_of_a_drawer_finds_room_beside_it() -> None:
    core, cup, drawer = holding_a_cup()
    aim = at_the_side(core, drawer)
    assert put(core, HUMAN, aim, target=drawer.furniture.handle) != "", "there is no room there"
    found = core.preview(HUMAN, Place(1, aim, 0.0, drawer.furniture.handle))
    assert found.fits
    assert found.support == drawer.unique_name
    assert found.pose is not None
    assert 0.0 < math.dist(found.pose.position, aim) < 0.25
    # What was found is where it comes to stand, by the same rules as ever.
    assert put(core, HUMAN, found.pose.position, target=drawer.furniture.handle) == ""
    assert math.dist(core.world.objects[cup].position, found.pose.position) < 1e-6


def test_inside_is_behind_the_part_that_is_meant() -> None:
    core, _, drawer = holding_a_cup()
    handle, part = drawer.furniture.handle, drawer.receptacle.part
    place = Place(1, core.view.pose(handle).position, 0.0, handle)
    found = core.preview(HUMAN, place, inside=True, part=part)
    assert found.fits
    assert found.support == drawer.unique_name
    others = [s for s in core.surfaces.of[handle] if s.receptacle.part not in (None, part)]
    other = others[0]
    shut = core.preview(HUMAN, place, inside=True, part=other.receptacle.part)
    assert (shut.fits, shut.reason, shut.support) == (True, "", other.unique_name)
    assert shut.pose is None, "nobody sees yet where there is room in it"
    assert do(core, HUMAN, "open", handle, other.receptacle.part) == ""
    landing = core.preview(HUMAN, place, inside=True, part=other.receptacle.part)
    assert (landing.fits, landing.support) == (True, other.unique_name)


def test_a_shut_front_says_beforehand_why_nothing_goes_behind_it() -> None:
    core, cup, drawer = holding_a_cup()
    handle = drawer.furniture.handle
    far = next(
        s
        for s in core.surfaces.by_name.values()
        if s.receptacle.kind == "within"
        and s.part is not None
        and core.view.distance(HUMAN, s.furniture.handle) > 4
    )
    place = Place(1, core.view.pose(handle).position, 0.0, far.furniture.handle)
    found = core.preview(HUMAN, place, inside=True, part=far.receptacle.part)
    asked = do(core, HUMAN, "open", far.furniture.handle, far.receptacle.part)
    assert (found.fits, found.reason) == (False, "Too far away: walk closer")
    assert asked == "within_reach"
    assert core.world.held[HUMAN] == cup


def test_inside_is_no_basin_where_there_are_doors() -> None:
    core, _, _ = holding_a_cup()
    basin = next(
        s
        for handle, all_of in core.surfaces.of.items()
        for s in all_of
        if s.receptacle.name == "basin" and len(core.view.template(handle).parts) > 1
    )
    handle = basin.furniture.handle
    stand_for(core, HUMAN, handle)
    assert do(core, HUMAN, "open", handle, 0) == ""
    assert do(core, HUMAN, "open", handle, 1) == ""
    place = Place(1, basin.point(core.world.joints, 0.0, 0.0), 0.0, handle)
    found = core.preview(HUMAN, place, inside=True, part=1)
    assert found.support != basin.unique_name


@pytest.mark.parametrize("turned", [0.26, math.pi / 2])
def test_what_is_put_inside_lets_the_furniture_shut(turned: float) -> None:
    doors = [
        (handle, surface)
        for handle, surfaces in started(task(2)).surfaces.of.items()
        for surface in surfaces
        if surface.part is not None and not surface.receptacle.moves
    ]
    shut = 0
    for handle, behind in doors:
        core = started(task(2))
        basket = next(h for h in core.world.objects if "basket" in h)
        stand_for(core, HUMAN, basket)
        assert do(core, HUMAN, "pick", basket) == ""
        stand_for(core, HUMAN, handle)
        part = behind.receptacle.part
        if do(core, HUMAN, "open", handle, part) != "":
            continue
        # At its front, where what is turned would jut out.
        aim = Place(1, behind.point(core.world.joints, 0.9, 0.9), turned, handle)
        found = core.preview(HUMAN, aim, inside=True, part=part)
        if found.fits and found.pose is not None:
            pose = found.pose
            assert put(core, HUMAN, pose.position, yaw_of(pose.rotation), handle) == ""
            assert do(core, HUMAN, "close", handle, part) == "", f"{basket} in {found.support}"
            shut += 1
    assert shut >= 5


def test_an_empty_hand_puts_nothing_inside() -> None:
    core = started()
    handle = next(iter(core.surfaces.of))
    found = core.preview(HUMAN, Place(1, (0.0, 0.0, 0.0), 0.0, handle), inside=True)
    assert not found.fits
    assert "empty" in found.reason
