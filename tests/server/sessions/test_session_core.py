"""The session core: start, end, presence, motion, actions, selection, the next episode."""

from __future__ import annotations

import math

import pytest
from playing import (
    HUMAN,
    ROBOT,
    ahead,
    ask,
    core_of,
    do,
    episode_spec,
    lay,
    play,
    put,
    stand,
    stand_for,
    started,
    task,
    teleport,
)

from episodes.poses import Vec3, to_world, wrap_angle
from episodes.world import (
    AgentMoved,
    AgentPose,
    HolderChanged,
    ObjectMoved,
    StateChanged,
    SupportChanged,
)
from server.robots.expert import solve
from server.robots.scripted import Done, Rest
from server.sessions.core import SessionCore
from server.sessions.events import (
    Did,
    FinishChanged,
    PhaseChanged,
    PresenceChanged,
    Refused,
    Said,
    Selection,
)
from server.sessions.intents import Act, Drive, Finish, Look, Place, Ready, Say, Select
from server.sessions.spec import TICK_RATE
from server.skills.walking import heading, places_to_stand


def _kinds(core: SessionCore) -> tuple[str, str]:
    """A cup and a plate of task 2."""
    cup = next(h for h in core.world.objects if h.startswith("cup"))
    plate = next(h for h in core.world.objects if h.startswith("plate_"))
    return cup, plate


# Start


def test_nobody_moves_or_acts_before_everybody_is_ready() -> None:
    core = core_of()
    cup, _ = _kinds(core)
    before = core.world.digest()
    core.submit(HUMAN, Ready())
    core.submit(HUMAN, Drive(1.5, 0.0))
    refused = ask(core, HUMAN, Act(1, "pick", cup))
    assert refused is not None
    assert (refused.rule, refused.reason) == (
        "started",
        "It has not begun yet: wait for your partner",
    )
    for _ in range(30):
        assert core.step().changes == ()
    assert core.phase == "gathering"
    assert core.world.digest() == before
    core.submit(ROBOT, Ready())
    tick = core.step()
    assert PhaseChanged("running") in tick.events
    assert core.started_tick == tick.tick == core.tick == 32
    # The drive that was held all the while counts from here on.
    assert [type(c) for c in core.step().changes] == [AgentMoved]


def test_solo_starts_with_one_and_the_empty_body_never_moves() -> None:
    core = core_of(solo=True)
    robot = core.world.agents[ROBOT]
    refused = core.state.seats[ROBOT]
    assert (refused.occupied, refused.presence) == (False, "empty")
    core.submit(ROBOT, Drive(1.0, 0.0))
    core.submit(HUMAN, Ready())
    core.step()
    assert core.phase == "running"
    core.submit(ROBOT, Drive(1.0, 0.0))
    core.submit(ROBOT, Finish())
    tick = core.step()
    assert all(h.refusal is not None for h in tick.intents)
    assert core.world.agents[ROBOT] == robot
    assert core.phase == "running"


def test_who_leaves_for_good_is_not_waited_for() -> None:
    core = core_of()
    core.submit(HUMAN, Ready())
    core.step()
    core.set_presence(ROBOT, "gone")
    core.step()
    assert core.phase == "running"


def test_reconnecting_while_gathering_takes_readiness_back() -> None:
    core = core_of()
    core.submit(HUMAN, Ready())
    core.set_presence(HUMAN, "reconnecting", 20.0)
    tick = core.step()
    assert PresenceChanged(HUMAN, "reconnecting", 20.0) in tick.events
    core.set_presence(HUMAN, "connected")
    core.submit(ROBOT, Ready())
    core.step()
    assert core.phase == "gathering"
    assert core.seats[HUMAN].presence == "loading"


def test_everybody_gone_ends_the_episode_before_it_started() -> None:
    core = core_of()
    core.set_presence(HUMAN, "gone")
    core.set_presence(ROBOT, "gone")
    tick = core.step()
    assert PhaseChanged("ended", "left") in tick.events
    result = core.result()
    assert (result.reason, result.ticks, result.verdict.percent_complete) == ("left", 0, 0.0)
    assert result.verdict.finished


# End


def test_finish_can_be_withdrawn_until_all_have_finished() -> None:
    core = started()
    core.submit(HUMAN, Finish())
    assert FinishChanged(HUMAN, True) in core.step().events
    core.submit(HUMAN, Finish(False))
    assert FinishChanged(HUMAN, False) in core.step().events
    core.submit(ROBOT, Finish())
    core.step()
    assert core.phase == "running"
    core.submit(HUMAN, Finish())
    tick = core.step()
    assert tick.events[-1] == PhaseChanged("ended", "finished")
    assert core.phase == "ended"
    assert ask(core, HUMAN, Finish(False)) is not None
    assert core.result().verdict.finished


def test_a_seat_that_is_gone_need_not_finish() -> None:
    core = started()
    core.submit(HUMAN, Finish())
    core.step()
    core.set_presence(ROBOT, "reconnecting", 30.0)
    core.step()
    assert core.phase == "running"
    core.set_presence(ROBOT, "gone")
    core.step()
    assert core.result().reason == "finished"


def test_all_seats_gone_end_the_episode() -> None:
    core = started()
    core.set_presence(ROBOT, "gone")
    core.step()
    assert core.phase == "running"
    core.set_presence(HUMAN, "gone")
    core.step()
    assert core.result().reason == "left"


def test_time_limit() -> None:
    core = started(time_limit_s=2.0)
    assert core.time_limit_ticks == 2 * TICK_RATE
    steps = 0
    while core.phase == "running":
        core.step()
        steps += 1
    assert steps == 2 * TICK_RATE
    assert (core.result().reason, core.result().ticks) == ("time_limit", 60)


def test_operator_ends_the_episode() -> None:
    core = started()
    core.end("operator")
    core.step()
    assert core.result().reason == "operator"


@pytest.mark.parametrize("end_on_success", [False, True])
def test_success_ends_the_episode_only_as_an_option(end_on_success: bool) -> None:
    core = core_of(task(5), solo=True, end_on_success=end_on_success)
    steps = [s for s in solve(core) if not isinstance(s, Done)]
    play(core, {HUMAN: [*steps, Rest(60), Done()]})
    assert core.result().reason == ("success" if end_on_success else "finished")
    assert core.result().verdict.success


def test_result_needs_an_ended_episode() -> None:
    with pytest.raises(ValueError, match="phase is running"):
        started().result()


def test_nothing_happens_after_the_end_but_talk() -> None:
    core = started()
    cup, _ = _kinds(core)
    core.submit(HUMAN, Drive(1.0, 0.0))
    core.end("operator")
    core.step()
    digest = core.world.digest()
    refused = ask(core, HUMAN, Act(1, "pick", cup))
    assert (refused and refused.reason) == "The task is over"
    core.submit(HUMAN, Say("well done"))
    assert Said(HUMAN, "well done") in core.step().events
    assert core.world.digest() == digest


# Motion


def test_walking_has_the_speed_asked_for_up_to_the_profiles() -> None:
    core = started()
    stand(core, HUMAN, core.world.agents[HUMAN].position)
    start = core.world.agents[HUMAN].position
    core.submit(HUMAN, Drive(0.6, 0.0))
    for _ in range(10):
        core.step()
    walked = math.dist(start, core.world.agents[HUMAN].position)
    assert walked == pytest.approx(0.2, rel=0.01)
    start = core.world.agents[HUMAN].position
    core.submit(HUMAN, Drive(-40.0, 0.0))
    core.step()
    assert math.dist(start, core.world.agents[HUMAN].position) <= 1.5 / TICK_RATE + 1e-9


def test_looking_turns_body_and_view_within_limits() -> None:
    core = started()
    goal = wrap_angle(core.world.agents[HUMAN].yaw + 3.0)
    core.submit(HUMAN, Look(goal, 9.0))
    core.step()
    turned = abs(wrap_angle(core.world.agents[HUMAN].yaw - goal))
    assert turned == pytest.approx(3.0 - 12.0 / TICK_RATE)
    for _ in range(8):
        core.step()
    assert core.world.agents[HUMAN].yaw == pytest.approx(goal)
    assert core.world.agents[HUMAN].pitch == core.profile.pitch.up
    assert core.step().changes == ()


def test_only_the_last_drive_of_a_tick_counts() -> None:
    core = started()
    core.submit(HUMAN, Drive(1.0, 0.0))
    core.submit(HUMAN, Drive(0.0, 0.0))
    tick = core.step()
    assert [h.intent for h in tick.intents] == [Drive(0.0, 0.0)]
    assert tick.changes == ()


def test_a_lost_connection_stops_the_body() -> None:
    core = started()
    core.submit(HUMAN, Drive(-0.5, 0.0))
    core.step()
    core.set_presence(HUMAN, "reconnecting", 30.0)
    core.step()
    assert core.step().changes == ()
    core.submit(HUMAN, Ready())
    assert PresenceChanged(HUMAN, "connected") in core.step().events


@pytest.mark.parametrize(
    "intent",
    [
        Drive(math.nan, 0.0),
        Look(0.0, math.inf),
        Place(1, (0.0, math.nan, 0.0), 0.0),
        Drive(1e300, 0.0),
    ],
)
def test_numbers_that_are_none_never_get_in(intent: Drive) -> None:
    with pytest.raises(ValueError, match="expected numbers"):
        started().submit(HUMAN, intent)


def test_unknown_seats() -> None:
    core = core_of()
    with pytest.raises(KeyError):
        core.submit("human_7", Ready())
    with pytest.raises(KeyError):
        core.set_presence("human_7", "gone")


# Acting


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


# Talk and panels


def test_chat_keeps_its_order_and_empty_lines_are_refused() -> None:
    core = started()
    core.submit(HUMAN, Say("  where is the cup? "))
    core.submit(ROBOT, Say("in the kitchen"))
    core.step()
    assert [(c.seat, c.text) for c in core.chat] == [
        (HUMAN, "where is the cup?"),
        (ROBOT, "in the kitchen"),
    ]
    assert ask(core, HUMAN, Say(" \n")) is not None


def _selections(events: tuple[object, ...]) -> list[Selection]:
    return [e for e in events if isinstance(e, Selection)]


def test_selection_is_kept_up_to_date() -> None:
    core = started()
    _, plate = _kinds(core)
    core.submit(HUMAN, Select(plate))
    (panel,) = _selections(core.step().events)
    assert (panel.to, panel.target) == (HUMAN, plate)
    pick = next(a for a in panel.actions if a.verb == "pick")
    assert (pick.possible, pick.reason) == (False, "Too far away: walk closer")
    stand_for(core, HUMAN, plate)
    core.submit(HUMAN, Drive(0.01, 0.0))
    told: list[Selection] = []
    for _ in range(8):
        told += _selections(core.step().events)
    assert len(told) == 1
    assert told[0].actions[0].possible
    stand_for(core, ROBOT, plate)
    core.submit(ROBOT, Act(1, "pick", plate))
    (panel,) = _selections(core.step().events)
    assert panel.actions[0].reason == "Your partner is holding the plate"
    core.submit(HUMAN, Select())
    (panel,) = _selections(core.step().events)
    assert (panel.target, panel.actions) == (None, ())


def test_selecting_nonsense_is_harmless() -> None:
    core = started()
    core.submit(HUMAN, Select("ghost", 99))
    (panel,) = _selections(core.step().events)
    assert panel.actions == ()


# The next episode


def test_next_episode_of_a_session() -> None:
    core = started()
    with pytest.raises(ValueError, match="phase is running"):
        core.begin(episode_spec(task(3), "epi_2"), task(3))
    core.submit(HUMAN, Say("ready?"))
    core.submit(HUMAN, Finish())
    core.set_presence(ROBOT, "gone")
    core.step()
    tick = core.tick
    core.begin(episode_spec(task(3), "epi_2"), task(3))
    assert core.phase == "gathering"
    assert core.task_text == task(3).instruction
    assert (core.tick, core.started_tick) == (tick, None)
    assert [c.text for c in core.chat] == ["ready?"]
    assert {s: v.presence for s, v in core.seats.items()} == {ROBOT: "gone", HUMAN: "loading"}
    assert not core.seats[HUMAN].finished
    core.submit(HUMAN, Ready())
    core.step()
    assert core.phase == "running"
    assert core.started_tick == tick + 1


def test_close_is_idempotent() -> None:
    core = core_of()
    core.close()
    core.close()
