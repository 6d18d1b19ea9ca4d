"""Tests of where bodies stand: at the first try, after a failure, and to look in."""

from __future__ import annotations

import math

import pytest

from server.robots.playing.knowledge import Knowledge
from server.sessions.intents import Look
from server.skills import SUCCESS, SkillRun, parse
from server.skills.body import SAME_PLACE_M
from server.skills.drawers import next_to_open
from server.skills.skill_run import LOOKS_TICKS
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, lay, task
from tests.server.skills.doing import Doing


@pytest.mark.parametrize("seat", [HUMAN, ROBOT])
def test_what_one_has_walked_to_can_be_put_on_and_taken_from(seat: str) -> None:
    """Every third thing of the house on which things stand, where there is such a place."""
    do = Doing("cohabit", seat=seat)
    thing = do.name(min(do.free(), key=lambda h: max(do.core.view.template(h).box.high)))
    assert do(f"Navigate[{thing}]") == SUCCESS
    assert do(f"Pick[{thing}]") == SUCCESS
    for furniture in sorted(do.furniture())[::3]:
        name = do.name(furniture)
        assert do(f"Navigate[{name}]") == SUCCESS
        assert do(f"Place[{thing}, on, {name}, none, none]") == SUCCESS, name
        assert do(f"Navigate[{thing}]") == SUCCESS
        assert do(f"Pick[{thing}]") == SUCCESS, name


def test_who_failed_somewhere_goes_elsewhere_until_all_places_are_used_up() -> None:
    do = Doing("cohabit")
    thing = do.free()[0]
    call = f"Navigate[{do.name(thing)}]"
    stood = []
    for _ in range(4):
        assert do(call) == SUCCESS
        stood.append(do.body.position)
        do.body.note_in_vain("in_sight", thing)
    apart = [math.dist(a, b) for i, a in enumerate(stood) for b in stood[:i]]
    assert min(apart) > SAME_PLACE_M - 0.05
    # Once there is no other place left it comes back, rather than find no way.
    for _ in range(40):
        assert do(call) == SUCCESS
        if any(math.dist(do.body.position, p) < 0.1 for p in stood):
            break
        do.body.note_in_vain("in_sight", thing)
    else:
        raise AssertionError("never back")


def test_only_what_depends_on_where_one_stands_sends_one_elsewhere() -> None:
    do = Doing("cohabit")
    first, second = do.free()[:2]
    assert do(f"Navigate[{do.name(first)}]") == SUCCESS
    here = do.body.position
    do.body.note_in_vain("hand_free", first)
    do.body.note_in_vain("in_sight", second)
    assert do(f"Navigate[{do.name(first)}]") == SUCCESS
    assert math.dist(do.body.position, here) < SAME_PLACE_M


def test_a_refused_pick_is_remembered() -> None:
    do = Doing("cohabit")
    thing = do.far(do.free())
    assert do(f"Pick[{do.name(thing)}]") != SUCCESS
    (away,) = do.body.elsewhere(thing)
    assert not away(do.body.position, 0.0)


def explored(do: Doing, room: str) -> Knowledge:
    """Return what a seat knows that has explored a room, and looks as often as policies do."""
    knows = Knowledge(do.core, do.body.seat, shares_views=False, partner="seen")
    run = SkillRun(do.body, parse(f"Explore[{do.name(room)}]", "human"), knows.graph)
    while not run.response:
        if do.core.tick % 6 == 0:
            knows.look()
        for intent in run.intents():
            do.core.submit(do.body.seat, intent)
        run.see(do.core.step())
    assert run.response == SUCCESS
    return knows


def test_who_explores_looks_into_basins_and_tubs() -> None:
    do = Doing("cohabit", task(2))
    basins = [
        s
        for s in do.core.surfaces.by_name.values()
        if s.receptacle.kind == "within" and s.part is None
    ]
    assert basins
    things = sorted(do.free(), key=lambda h: do.core.view.template(h).box.high[1])
    laid = dict(zip(things, basins, strict=False))
    for thing, basin in laid.items():
        lay(do.core, thing, basin.point({}, 0.0, 0.0), basin.unique_name)
    for room in {basin.furniture.room_id for basin in laid.values()}:
        knows = explored(do, room)
        inside = {t for t, basin in laid.items() if basin.furniture.room_id == room}
        assert inside <= set(knows.graph.objects)


def test_one_walks_up_to_where_a_drawer_will_be_looked_into() -> None:
    do = Doing("cohabit", seat=ROBOT)
    things = sorted(do.free(), key=lambda h: max(do.core.view.template(h).box.high))
    thing = things[0]
    drawers = [
        s
        for s in do.core.surfaces.by_name.values()
        if s.receptacle.moves and s.part is not None
        if s.part.index == next_to_open(do.core, s.furniture.handle)
    ]
    assert drawers
    seen = 0
    for drawer in drawers:
        name = do.name(drawer.furniture.handle)
        lay(do.core, thing, drawer.point({}, 0.0, 0.0), drawer.unique_name)
        assert do(f"Navigate[{name}]") == SUCCESS
        assert do(f"Open[{name}]") == SUCCESS
        seen += thing in do.core.simulator.seen(ROBOT)
    assert seen >= 0.9 * len(drawers), f"{seen} of {len(drawers)}"


def test_what_one_opens_with_one_s_back_to_it_is_opened() -> None:
    """Turning to look into it takes longer than opening may, and has time of its own."""
    do = Doing("cohabit")
    name = do.name(do.furniture("within", opening=True)[0])
    assert do(f"Navigate[{name}]") == SUCCESS
    do.core.submit(HUMAN, Look(do.core.world.agents[HUMAN].yaw + math.pi, 0.0))
    for _ in range(20):
        do.core.step()
    assert do(f"Open[{name}]") == SUCCESS
    assert do.ticks <= 10 + LOOKS_TICKS
