"""Drawers and doors: what lies in any of them is found and fetched, by each policy and person."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from episodes.rules import parts_to
from server.robots.baselines.scripted_player import Done, ScriptedPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore
from server.sessions.intents import Ready
from server.skills import SUCCESS, Body, SkillRun, parse
from server.skills.drawers import out_above
from server.skills.navigate import near_m
from server.skills.standing_places import middle, places_to_stand, to_touch
from server.worker.unpaced_runner import run
from tests.benchmarks.robots import LATENCY_S, double_for
from tests.server.robots.storeroom import TABLE, core_in, insides_of, pieces
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.skills.doing import graph_of

ROBOTS = ("cohab", "react", "finetuned", "llamar", "helper", "expert")
PEOPLE = ("scripted", "person-slow")
LEAST_STANDS = 5
"""Places to stand from which a thing can be had, below which it is another question."""
MOST_TICKS = 9000
QUICK = ("chest_of_drawers_1", "stand_3")


def most_long(names: list[str]) -> list[Any]:
    """Return parameters of which all but a few are for the long tests."""
    return [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.long]) for n in names]


def set_open(core: SessionCore, furniture: str, parts: list[int]) -> None:
    """Open parts as somebody has left them, with what lies in them."""
    template = core.simulator.catalogue.templates[furniture.partition("_:")[0]]
    for part in template.parts:
        if part.index not in parts:
            continue
        value = part.open_value
        for rider in core.view.riders(furniture, part.index):
            pose = core.view.riding_pose(furniture, part.index, value, rider)
            core.simulator.set_pose(rider, pose)
            core.world.objects[rider] = pose
        core.world.joints[furniture, part.index] = value
        core.simulator.set_joint(furniture, part.index, value)
    core.view.forget()


def drawers_of(core: SessionCore, piece: str) -> list[int]:
    surfaces = core.surfaces.of[f"{piece}_:0000"]
    return [s.part.index for s in surfaces if s.part is not None and s.receptacle.moves]


def in_reach(piece: str, seat: str) -> set[str]:
    """Return the things that a body can have once all doors, and only its own drawer, are open.

    A robot's eye is too low for the highest shelves and for the bottom of a chest freezer.
    """
    found = set()
    for thing in core_in(piece).world.objects:
        core = core_in(piece)
        surface = core.view.receptacle_of(thing)
        assert surface is not None
        assert surface.part is not None
        shut = set(drawers_of(core, piece)) - {surface.part.index}
        template = core.simulator.catalogue.templates[piece]
        parts = [p.index for p in template.parts if p.index not in shut]
        set_open(core, surface.furniture.handle, parts)
        fits = to_touch(core, seat, thing, near_m(Body(seat, core)))
        stands = list(places_to_stand(core, seat, middle(core, thing), fits))
        if len(stands) >= LEAST_STANDS:
            found.add(thing)
    return found


class Left(NamedTuple):
    """Things that were not brought, and why."""

    things: set[str]
    why: str


def left_by(loop: Any, name: str, seat: str, piece: str, *, drawers_out: bool = False) -> Left:
    """Let one body bring all that is in a piece of furniture to the table."""
    core = core_in(piece)
    # Who knows where a thing is kept does not know that somebody has left it open.
    model = double_for(name, core)
    if drawers_out:
        set_open(core, f"{piece}_:0000", drawers_of(core, piece))
    other = HUMAN if seat == ROBOT else ROBOT
    making = PlayerOptions(ChargedThinker(loop, LATENCY_S), model)
    run(core, [make_player(name, seat, making), ScriptedPlayer(other, [Done()])], MOST_TICKS)
    on_table = core.task.evaluation_propositions[0].args["receptacle_handles"][0]
    brought = {
        thing
        for thing in core.world.objects
        if (at := core.view.receptacle_of(thing)) is not None and at.furniture.handle == on_table
    }
    return Left(in_reach(piece, seat) - brought, core.verdict().explanation)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("piece", most_long(pieces()))
def test_a_robot_finds_what_is_in_any_of_them(loop: Any, name: str, piece: str) -> None:
    assert left_by(loop, name, ROBOT, piece).things == set()


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("piece", most_long(pieces()))
def test_a_person_finds_what_is_in_any_of_them(loop: Any, name: str, piece: str) -> None:
    assert left_by(loop, name, HUMAN, piece).things == set()


WITH_DRAWERS = [p for p in pieces() if len(drawers_of(core_in(p), p)) > 1]


@pytest.mark.parametrize("name", [*ROBOTS, *PEOPLE])
@pytest.mark.parametrize("piece", most_long(WITH_DRAWERS))
def test_drawers_that_somebody_has_left_open_hide_nothing_for_ever(
    loop: Any, name: str, piece: str
) -> None:
    seat = HUMAN if name in PEOPLE else ROBOT
    assert left_by(loop, name, seat, piece, drawers_out=True).things == set()


def test_drawers_are_opened_from_below() -> None:
    piece, core = "chest_of_drawers_1", core_in("chest_of_drawers_1")
    for seat in core.state.occupied():
        core.submit(seat, Ready())
    core.step()
    name = core.names.graph[f"{piece}_:0000"]
    assert done(core, f"Navigate[{name}]") == SUCCESS
    found = []
    for _ in range(3):
        assert done(core, f"Open[{name}]") == SUCCESS
        found.append(parts_to(core.view, f"{piece}_:0000", False))
    assert found == [[2], [1, 2], [0, 1, 2]]


def test_what_is_wanted_from_below_others_has_them_closed_if_they_hide_it() -> None:
    piece, core = "filing_cabinet_1", core_in("filing_cabinet_1")
    set_open(core, f"{piece}_:0000", [0, 1, 2])
    for seat in core.state.occupied():
        core.submit(seat, Ready())
    core.step()
    lowest = core.surfaces.by_name[f"{piece}_:0000|drawer_3"]
    assert out_above(core, lowest) == [0, 1]
    thing = next(t for t in core.world.objects if core.view.receptacle_of(t) == lowest)
    name, table = core.names.graph[thing], core.names.graph[TABLE]
    assert done(core, f"Rearrange[{name}, on, {table}, none, none]") == SUCCESS


def done(core: SessionCore, call: str) -> str:
    skill = SkillRun(Body(ROBOT, core), parse(call, "robot"), graph_of(core))
    while not skill.response:
        for intent in skill.intents():
            core.submit(ROBOT, intent)
        skill.see(core.step())
    return skill.response


def test_the_storeroom_has_a_thing_in_each_inside() -> None:
    for piece in pieces():
        core = core_in(piece)
        template = core.simulator.catalogue.templates[piece]
        assert len(core.world.objects) == len(insides_of(template))
