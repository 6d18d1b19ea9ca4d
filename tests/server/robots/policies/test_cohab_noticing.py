"""Cohab notices: what a round has not brought to light, and what nobody planned."""

from __future__ import annotations

from typing import Any

import pytest

from server.robots.baselines.scripted_player import (
    Done,
    Go,
    Put,
    Rest,
    ScriptedPlayer,
    Step,
    Take,
)
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policies.cohab.noticing import NO_END, NOWHERE
from server.robots.policies.cohab.policy import WHAT_IS_MISSING, Cohab
from server.robots.policies.cohab.settings import CohabSettings
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, Said
from server.sessions.spec import TICK_RATE, Ending
from server.worker.unpaced_runner import run
from tests.robot_doubles.cohab import CohabDouble
from tests.server.robots.storeroom import TABLE, core_in
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


class Watch:
    """Lines and openings of the robot, tick by tick."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.opened = 0

    def __call__(self, tick: Tick) -> None:
        for event in tick.events:
            if isinstance(event, Said) and event.seat == ROBOT:
                self.said.append(event.text)
            self.opened += isinstance(event, Did) and (event.seat, event.verb) == (ROBOT, "open")


def played(
    loop: Any, core: SessionCore, steps: list[Step], ticks: int
) -> tuple[CohabDouble, Watch]:
    double, watch = CohabDouble(core), Watch()
    robot = PolicyPlayer(ROBOT, Cohab(double), ChargedThinker(loop, 0.0))
    run(core, [robot, ScriptedPlayer(HUMAN, steps)], ticks, watch=watch)
    return double, watch


def test_it_asks_once_where_a_thing_is_after_a_round_in_vain_and_opens_nothing_twice(
    loop: Any,
) -> None:
    core = core_in("freezer_1")  # a robot's eye is too low for its bottom
    _, watch = played(loop, core, [Rest(6000), Done()], 6000)
    assert watch.said.count("Where is the puzzle cube?") == 1
    assert watch.opened == 1


def test_it_asks_what_is_missing_where_all_looks_done_and_the_partner_stays(loop: Any) -> None:
    core = core_of(task(1), finish_wait_s=0.0, ending=Ending())
    _, watch = played(loop, core, [Rest(4000), Done()], 4000)
    assert watch.said.count(WHAT_IS_MISSING) == 1


def test_it_reads_again_when_a_partner_sees_to_what_no_goal_is_about(loop: Any) -> None:
    core = core_of(task(1))
    hat = next(h for h in core.world.objects if h.startswith("hat"))
    table = "table_1_:0000"
    double, _ = played(loop, core, [Take(hat), Put(table), Rest(3000)], 3000)
    assert "A partner put hat_" in str(double.requests[1].prompt)
    assert not any("A partner put hat_" in str(r.prompt) for r in double.requests[2:])


def test_it_reads_again_when_all_looks_done_and_nobody_says_what_is_missing(loop: Any) -> None:
    core = core_of(task(1), finish_wait_s=0.0, ending=Ending())
    double, watch = played(loop, core, [Rest(4000), Done()], 4000)
    assert WHAT_IS_MISSING in watch.said
    assert [NO_END in str(r.prompt) for r in double.requests].count(True) == 1


def test_it_reads_again_when_a_thing_is_nowhere(loop: Any) -> None:
    core = core_in("freezer_1")
    double, watch = played(loop, core, [Rest(12000), Done()], 12000)
    assert watch.said.count("Where is the puzzle cube?") == 1
    nowhere = NOWHERE.format("puzzle cube")
    assert [nowhere in str(r.prompt) for r in double.requests].count(True) == 1


@pytest.mark.parametrize("shows", [0, 3])
def test_it_calls_who_was_elsewhere_to_what_it_has_put_away(loop: Any, shows: int) -> None:
    core = core_of(task(1), finish_wait_s=0.0, ending=Ending())
    watch = Watch()
    policy = Cohab(CohabDouble(core), CohabSettings(shows=shows))
    robot = PolicyPlayer(ROBOT, policy, ChargedThinker(loop, 0.0))
    # In the bathroom, away from the table where both books go.
    steps: list[Step] = [Go("toilet_1_:0000"), Rest(4000), Done()]
    run(core, [robot, ScriptedPlayer(HUMAN, steps)], 5000, watch=watch)
    called = [line for line in watch.said if line.startswith("Could you come to the ")]
    assert len(called) == (1 if shows else 0)
    if called:
        assert called[0].endswith("there.")
        assert "book" in called[0]


def test_it_looks_for_nothing_once_a_partner_who_worked_has_finished(loop: Any) -> None:
    """A thing that it has not found then is out of its sight, here in drawers."""
    core = core_in("chest_of_drawers_1")
    thing = next(iter(core.world.objects))
    ended: dict[str, int] = {}

    def watch(_: Tick) -> None:
        for seat in (HUMAN, ROBOT):
            if core.seats[seat].finished:
                ended.setdefault(seat, core.tick)

    robot = PolicyPlayer(ROBOT, Cohab(CohabDouble(core)), ChargedThinker(loop, 0.0))
    steps: list[Step] = [Take(thing), Put(TABLE), Done()]
    run(core, [robot, ScriptedPlayer(HUMAN, steps)], 9000, watch=watch)
    assert ended[ROBOT] - ended[HUMAN] <= 5 * TICK_RATE
