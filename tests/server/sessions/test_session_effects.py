"""The effects of what players do with things: each verb, when it is refused, what changes."""

from __future__ import annotations

import math

import pytest

from episodes.poses import Vec3, to_world
from episodes.world import (
    AgentPose,
    HolderChanged,
    ObjectMoved,
    StateChanged,
    SupportChanged,
)
from server.sessions.core import SessionCore
from server.sessions.events import (
    Did,
    Refused,
)
from server.sessions.intents import Act, Drive, Place, Say
from server.skills.standing_places import heading, places_to_stand
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    ahead,
    ask,
    do,
    lay,
    put,
    stand_for,
    started,
    task,
    teleport,
)


def _kinds(core: SessionCore) -> tuple[str, str]:
    """Return a cup and a plate of task 2."""
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    return cup, plate


def test_pick_carry_and_place() -> None:
    core = started()
    _, plate = _kinds(core)
    stand_for(core, HUMAN, plate)
    core.submit(HUMAN, Act(5, "pick", plate))
    tick = core.step()
    assert [type(c) for c in tick.changes] == [SupportChanged, HolderChanged]
    assert tick.events == (Did(HUMAN, "pick", plate, None, None, 5),)
    assert tick.by == {plate: HUMAN}
    assert core.world.held[HUMAN] == plate
    assert plate not in core.world.supports
    assert core.simulator.pose(plate) == core.world.pose(plate)
    core.submit(HUMAN, Drive(0.0, 1.0))
    core.step()
    assert core.simulator.pose(plate) == core.world.pose(plate)
    core.submit(HUMAN, Drive(0.0, 0.0))
    core.step()
    assert put(core, HUMAN, ahead(core, HUMAN, -0.1)) == ""
    assert core.world.held == {}
    assert core.world.supports[plate] == "floor"
    assert core.world.objects[plate].position[1] == pytest.approx(0.0, abs=0.01)


def test_both_reach_for_one_thing_and_the_first_has_it() -> None:
    core = started()
    _, plate = _kinds(core)
    for seat in (ROBOT, HUMAN):
        stand_for(core, seat, plate)
    core.submit(HUMAN, Act(1, "pick", plate))
    core.submit(ROBOT, Act(1, "pick", plate))
    tick = core.step()
    assert core.world.holders == {plate: HUMAN}
    refused = [e for e in tick.events if isinstance(e, Refused)]
    assert [(r.to, r.reason) for r in refused] == [(ROBOT, "Your partner is holding the plate")]


def test_placing_keeps_the_players_yaw_and_names_the_support() -> None:
    core = started()
    _, plate = _kinds(core)
    stand_for(core, HUMAN, plate)
    surface = core.view.receptacle_of(plate)
    point = core.world.objects[plate].position
    assert do(core, HUMAN, "pick", plate) == ""
    assert surface is not None
    core.submit(HUMAN, Place(3, point, 0.7, surface.furniture.handle))
    tick = core.step()
    moved = next(c for c in tick.changes if isinstance(c, ObjectMoved))
    assert 2 * math.asin(moved.pose.rotation[1]) == pytest.approx(0.7)
    assert core.world.supports[plate] == surface.unique_name
    assert tick.events[0] == Did(HUMAN, "place", plate, None, surface.unique_name, 3)


def test_preview_tells_what_placing_would_do() -> None:
    core = started()
    _, plate = _kinds(core)
    nothing = core.preview(HUMAN, Place(1, ahead(core, HUMAN, 0.5), 0.0))
    assert (nothing.fits, nothing.reason) == (False, "You are not holding anything")
    stand_for(core, HUMAN, plate)
    point = core.world.objects[plate].position
    do(core, HUMAN, "pick", plate)
    good = core.preview(HUMAN, Place(1, point, 0.0))
    assert good.fits
    assert good.reason == ""
    before = core.world.digest()
    far = core.preview(HUMAN, Place(1, ahead(core, HUMAN, -6.0), 0.0))
    assert not far.fits
    assert far.reason != ""
    assert core.world.digest() == before
    put(core, HUMAN, point)
    assert good.pose == core.world.objects[plate]


def test_what_stands_on_a_thing_must_come_off_first() -> None:
    core = started()
    cup, plate = _kinds(core)
    stand_for(core, HUMAN, plate)
    _put_on_plate(core, cup, plate)
    assert do(core, HUMAN, "pick", plate) == "nothing_on_it"
    assert core.view.shut_in(cup) is None


def _put_on_plate(core: SessionCore, cup: str, plate: str) -> None:
    x, y, z = core.world.objects[plate].position
    lay(core, cup, (x, y + core.view.template(plate).box.high[1], z), plate)


def test_under_partnr_what_stood_on_it_drops() -> None:
    core = started(profile="partnr")
    cup, plate = _kinds(core)
    stand_for(core, HUMAN, plate)
    _put_on_plate(core, cup, plate)
    table = core.world.supports[plate]
    height = core.world.objects[cup].position[1]
    assert do(core, HUMAN, "pick", plate) == ""
    assert core.world.supports[cup] == table
    assert core.world.objects[cup].position[1] < height
    assert core.simulator.pose(cup) == core.world.objects[cup]


def test_partnr_has_no_chat() -> None:
    refused = ask(started(profile="partnr"), HUMAN, Say("hello"))
    assert (refused and refused.rule) == "chat"


def test_open_and_close_every_part_by_its_number() -> None:
    core = started()
    fridge = next(f.handle for f in core.simulator.scene.furniture if "fridge" in f.handle)
    stand_for(core, ROBOT, fridge)
    for part in core.view.template(fridge).parts:
        assert do(core, ROBOT, "open", fridge, part.index) == ""
        assert core.world.joints[fridge, part.index] == part.open_value
        assert do(core, ROBOT, "open", fridge, part.index) == "not_open"
        assert do(core, ROBOT, "close", fridge, part.index) == ""
        assert core.simulator.joints()[fridge, part.index] == 0.0


def test_closing_onto_what_sticks_out_is_refused_kindly() -> None:
    core = started()
    fridge = next(f for f in core.simulator.scene.furniture if "fridge" in f.handle)
    cup, _ = _kinds(core)
    stand_for(core, HUMAN, fridge.handle)
    assert do(core, HUMAN, "open", fridge.handle, 0) == ""
    # Half in, half out, in the way of the door.
    template = core.view.template(fridge.handle)
    shelf = next(r for r in template.receptacles if r.part == 0)
    point = (shelf.center[0], shelf.center[1], template.box.low[2])
    lay(core, cup, to_world(fridge.pose, point), f"{fridge.handle}|{shelf.name}")
    refused = ask(core, HUMAN, Act(9, "close", fridge.handle, 0))
    assert refused is not None
    assert refused.reason == "The cup is in the way: move it first"
    assert core.simulator.joints()[fridge.handle, 0] == core.world.joints[fridge.handle, 0] > 0


def test_a_drawer_does_not_close_over_what_is_too_tall_for_it() -> None:
    core = started(task(5))
    vase = next(h for h in core.world.objects if h.startswith("vase"))
    height = core.view.template(vase).box.high[1]
    drawer = next(
        s
        for s in core.surfaces.by_name.values()
        if s.receptacle.moves and s.receptacle.clearance < height and "chest" in s.unique_name
    )
    assert drawer.part is not None
    chest = drawer.furniture.handle
    stand_for(core, HUMAN, chest)
    assert do(core, HUMAN, "open", chest, drawer.part.index) == ""
    point = drawer.point(core.world.joints, 0.0, 0.0, 0.001)
    core.state.change(HolderChanged(vase, HUMAN))
    assert put(core, HUMAN, point) == "fits_height"
    core.state.change(HolderChanged(vase, None))
    lay(core, vase, point, drawer.unique_name)
    refused = ask(core, HUMAN, Act(1, "close", chest, drawer.part.index))
    assert (refused and refused.reason) == "The vase is in the way: move it first"
    # A flat thing goes in with it, to the millimetre.
    flat = next(h for h in core.world.objects if core.view.template(h).box.high[1] < 0.08)
    lay(core, vase, (0.0, 0.0, 0.0), "floor")
    lay(core, flat, point, drawer.unique_name)
    assert do(core, HUMAN, "close", chest, drawer.part.index) == ""
    back = drawer.point(core.world.joints, 0.0, 0.0, 0.001)
    assert core.world.objects[flat].position == pytest.approx(back)
    assert core.shut_in(flat) == chest


def test_clean_fill_pour_and_power() -> None:
    core = started(task(5))
    lamp = next(h for h in core.world.objects if h.startswith("lamp"))
    stand_for(core, HUMAN, lamp)
    core.submit(HUMAN, Act(1, "power_on", lamp))
    tick = core.step()
    assert tick.changes == (StateChanged(lamp, "is_powered_on", True),)
    assert do(core, HUMAN, "power_on", lamp) == "not_on"
    assert do(core, HUMAN, "power_off", lamp) == ""
    stand_for(core, ROBOT, lamp)
    assert do(core, ROBOT, "power_on", lamp) == "changes_states"


def test_water_comes_from_a_tap_and_stays_in_the_cup_when_poured() -> None:
    core = started()
    cup, plate = _kinds(core)
    for change in (SupportChanged(cup, None), HolderChanged(cup, HUMAN)):
        core.state.change(change)
    # A plate with a rim: for this test it can be filled.
    core.world.states[plate, "is_filled"] = False
    stand_for(core, HUMAN, plate)
    assert do(core, HUMAN, "pour", plate) == "pours_from_hand"
    _go_to_tap(core)
    assert do(core, HUMAN, "fill", cup) == ""
    assert do(core, HUMAN, "fill", cup) == "not_filled"
    stand_for(core, HUMAN, plate)
    assert do(core, HUMAN, "pour", plate) == ""
    assert core.world.states[plate, "is_filled"]
    assert core.world.states[cup, "is_filled"]


def test_water_is_needed_to_wash_a_cup_but_not_a_table() -> None:
    core = started()
    cup, _ = _kinds(core)
    furniture = [f.handle for f in core.simulator.scene.furniture]
    table = next(h for h in furniture if h.startswith("table") and _far_from_taps(core, h))
    for change in (SupportChanged(cup, None), HolderChanged(cup, HUMAN)):
        core.state.change(change)
    for handle in (cup, table):
        core.world.states[handle, "is_clean"] = False
    stand_for(core, HUMAN, table)
    assert do(core, HUMAN, "clean", cup) == "water"
    assert do(core, HUMAN, "clean", table) == ""
    _go_to_tap(core)
    assert do(core, HUMAN, "clean", cup) == ""


def _far_from_taps(core: SessionCore, handle: str) -> bool:
    point = core.view.pose(handle).position
    return all(core.view.distance_from(point, tap) > 4.5 for tap in core.view.taps)


def _go_to_tap(core: SessionCore) -> None:
    tap = core.view.taps[0]
    point = core.view.pose(tap).position

    def fits(place: Vec3, yaw: float) -> bool:
        teleport(core, HUMAN, AgentPose(place, yaw, 0.0))
        return core.view.faucet_distance(HUMAN) <= 1.0

    place = next(places_to_stand(core, HUMAN, point, fits))
    teleport(core, HUMAN, AgentPose(place, heading(place, point), 0.0))


# Leaving


def test_what_the_one_who_leaves_held_lies_beside_them_for_the_others() -> None:
    core = started()
    _, plate = _kinds(core)
    stand_for(core, ROBOT, plate)
    assert do(core, ROBOT, "pick", plate) == ""
    stand_for(core, HUMAN, plate)
    core.set_presence(ROBOT, "reconnecting", 30.0)
    core.step()
    assert core.world.held[ROBOT] == plate, "who may come back keeps it"
    core.set_presence(ROBOT, "gone")
    tick = core.step()
    assert core.world.holders == {}
    assert [type(c) for c in tick.changes] == [HolderChanged, ObjectMoved, SupportChanged]
    assert core.world.supports[plate] == "floor"
    assert math.dist(core.world.objects[plate].position, core.world.agents[ROBOT].position) <= 1.3
    stand_for(core, HUMAN, plate)
    assert do(core, HUMAN, "pick", plate) == ""


def test_who_leaves_after_the_end_changes_nothing() -> None:
    core = started()
    _, plate = _kinds(core)
    stand_for(core, ROBOT, plate)
    do(core, ROBOT, "pick", plate)
    core.end("operator")
    core.step()
    core.set_presence(ROBOT, "gone")
    assert core.step().changes == ()
    assert core.world.held[ROBOT] == plate
