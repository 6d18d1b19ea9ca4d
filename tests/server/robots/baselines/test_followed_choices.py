"""Experts beside a person who chooses otherwise, or undoes: they follow, and put right again."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from episodes.dataset import Task
from episodes.teams import Team
from server.robots.baselines.scripted_player import (
    Done,
    Go,
    Put,
    Rest,
    ScriptedPlayer,
    Step,
    Take,
    Turn,
    begin,
    do,
)
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Ready
from server.sessions.spec import SessionSpec
from server.skills.body import Body, Script
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    episode_spec,
    simulator,
    stand_for,
    task,
)

BOOK, HAT, LAPTOP = "book_2_:0000", "hat_2_:0000", "laptop_2_:0000"
SMALL, LONG, LOW = "table_1_:0000", "table_4_:0000", "table_5_:0000"


class Quick(ScriptedPlayer):
    """A person who is where the next step is done."""

    def script(self, body: Body) -> Script:
        yield from begin(body.core)
        for step in self._steps:
            target = getattr(step, "target", None)
            if target is not None:
                stand_for(body.core, self.seat, target)
            yield from do(body, step)


def beside(
    chosen: Task, policy: str, steps: list[Step] | ScriptedPlayer, ticks: int
) -> tuple[SessionCore, list[Did]]:
    """Play a task with a person who does some steps and then waits; return what was done."""
    team = Team.parse(f"human=person,robot={policy}")
    core = SessionCore(SessionSpec.of("ses_1", team, 1), episode_spec(chosen), chosen, simulator())
    for one in core.state.occupied():
        core.submit(one, Ready())
    core.step()
    (seat,) = team.policies
    unused: Any = None
    did: list[Did] = []

    def watch(tick: Tick) -> None:
        did.extend(event for event in tick.events if isinstance(event, Did))

    person = steps if isinstance(steps, ScriptedPlayer) else Quick(HUMAN, steps)
    run(
        core,
        [person, make_player(policy, seat, PlayerOptions(unused))],
        ticks,
        watch=watch,
    )
    return core, did


def place_of(core: SessionCore, thing: str) -> str:
    surface = core.view.receptacle_of(thing)
    return "" if surface is None else surface.furniture.handle


@pytest.mark.parametrize("policy", ["expert", "expert:partner"])
@pytest.mark.parametrize("table", [SMALL, LONG, LOW])
def test_what_belongs_together_comes_to_where_a_person_has_put_the_first(
    policy: str, table: str
) -> None:
    """The sixth task wants two toys in a wardrobe, then an apple and a can on the same table."""
    wardrobe, fridge, apple, can = (
        "wardrobe_2_:0000",
        "fridge_2_:0000",
        "apple_2_:0000",
        "can_1_:0000",
    )
    steps: list[Step] = [
        Take("toy_truck_2_:0000"),
        Turn(wardrobe, True, 0),
        Put(wardrobe, "within"),
        Take("stuffed_toy_2_:0000"),
        Put(wardrobe, "within"),
        Turn(fridge, True, 0),
        Take(apple),
        Put(table),
    ]
    core, did = beside(task(6), policy, steps, 900)
    assert place_of(core, apple) == place_of(core, can) == table
    assert core.verdict().success, core.verdict().explanation
    assert [e for e in did if e.target == apple and e.seat != HUMAN] == []


@pytest.mark.parametrize("policy", ["expert", "expert:partner"])
def test_a_choice_of_one_for_all_follows_too_where_some_lay_elsewhere(policy: str) -> None:
    """Three things of one proposition, of which the laptop lies on another of the tables."""
    wanted = task(1).evaluation_propositions[0]
    args = {
        **wanted.args,
        "object_handles": [BOOK, LAPTOP, HAT],
        "receptacle_handles": [LONG, SMALL, LOW],
        "number": 3,
        "is_same_receptacle": True,
    }
    terminal = [c for c in task(1).evaluation_constraints if c.type.startswith("Terminal")]
    constraints = [
        replace(c, args={**c.args, "proposition_indices": [0], "n_propositions": 1})
        for c in terminal
    ]
    chosen = replace(
        task(1),
        evaluation_propositions=[replace(wanted, function_name="is_on_top", args=args)],
        evaluation_constraints=constraints,
        evaluation_proposition_dependencies=[],
    )
    # Nobody had to see to the laptop before: the partner does once the person has finished.
    steps: list[Step] = [Take(HAT), Put(SMALL), Take(BOOK), Put(SMALL), Done()]
    core, did = beside(chosen, policy, steps, 900)
    assert {place_of(core, thing) for thing in (BOOK, LAPTOP, HAT)} == {SMALL}
    assert [e.target for e in did if e.seat != HUMAN and e.verb == "pick"] == [LAPTOP]


@pytest.mark.parametrize("policy", ["expert", "expert:partner"])
def test_what_a_person_undoes_is_put_right_again(policy: str) -> None:
    """Two books belong on the long table. A partner leaves it to the person until they finish."""
    steps: list[Step] = [Take(BOOK), Put(LONG), Rest(60), Take(BOOK), Put(LOW), Done()]
    core, did = beside(task(1), policy, steps, 2500)
    assert place_of(core, BOOK) == LONG
    assert core.verdict().success
    assert [e.verb for e in did if e.target == BOOK and e.seat != HUMAN] == ["pick", "place"]


def test_an_expert_that_has_finished_takes_up_again_what_a_person_undoes_after_that() -> None:
    """The expert has nothing left to do after some seconds, and the person undoes after that."""

    class UndoesLater(Quick):
        def script(self, body: Body) -> Script:
            yield from begin(body.core)
            while not body.core.seats["robot_0"].finished:
                yield []
            yield from super().script(body)

    person = UndoesLater(HUMAN, [Take(BOOK), Put(LOW), Rest(1200), Done()])
    core, did = beside(task(1), "expert", person, 4000)
    placed = [e.seat for e in did if e.target == BOOK and e.verb == "place"]
    assert placed == ["robot_0", HUMAN, "robot_0"]
    assert core.verdict().success, core.verdict().explanation
    assert core.seats["robot_0"].finished, "it says again that it has finished"


def test_a_partner_does_again_what_a_person_undoes_of_its_own() -> None:
    """The plate of the second task has a proposition of its own, which counts once it was true."""
    plate = "plate_2_:0000"

    class Undoes(Quick):
        def script(self, body: Body) -> Script:
            while place_of(body.core, plate) != SMALL:
                yield []
            yield from super().script(body)

    person = Undoes(HUMAN, [Take(plate), Rest(30), Put(LOW), Rest(900), Done()])
    core, did = beside(task(2), "expert:partner", person, 3000)
    assert ("place", HUMAN) in {(e.verb, e.seat) for e in did}
    assert core.verdict().success, core.verdict().explanation


def test_a_partner_waits_where_somebody_carries_what_belongs_together() -> None:
    """An apple and a can belong on the same table, which the first to be put down decides."""
    wardrobe, fridge, apple = "wardrobe_2_:0000", "fridge_2_:0000", "apple_2_:0000"
    steps: list[Step] = [
        Take("toy_truck_2_:0000"),
        Turn(wardrobe, True, 0),
        Put(wardrobe, "within"),
        Take("stuffed_toy_2_:0000"),
        Put(wardrobe, "within"),
        Turn(fridge, True, 0),
        Take(apple),
        Rest(900),
        Put(LOW),
    ]
    core, _ = beside(task(6), "expert:partner", steps, 2000)
    assert place_of(core, apple) == LOW
    assert core.verdict().success, core.verdict().explanation


@pytest.mark.parametrize("delay", [0, 60, 180, 200])
def test_a_partner_on_its_way_waits_where_somebody_takes_what_belongs_together(delay: int) -> None:
    """The person takes the can some ticks after the robot has set out for the apple."""
    wardrobe, can = "wardrobe_2_:0000", "can_1_:0000"
    steps: list[Step] = [
        Turn(wardrobe, True, 0),
        Take("toy_truck_2_:0000"),
        Put(wardrobe, "within"),
        Take("stuffed_toy_2_:0000"),
        Put(wardrobe, "within"),
        Rest(delay),
        Take(can),
        Rest(900),
        Put(LOW),
    ]
    core, did = beside(task(6), "expert:partner", steps, 2600)
    assert [e.verb for e in did if e.target == can and e.seat == HUMAN] == ["pick", "place"]
    assert core.verdict().success, core.verdict().explanation


@pytest.mark.parametrize("walks", [False, True])
def test_a_partner_whose_part_comes_after_anothers_offers_to_take_that(walks: bool) -> None:
    steps: list[Step] = [Go(place) for place in (SMALL, LOW) * 12] if walks else [Rest(2600)]
    core, _ = beside(task(6), "expert:partner", ScriptedPlayer(HUMAN, steps), 2600)
    lines = [line.text for line in core.state.chat if line.seat != HUMAN]
    assert any("My part comes after yours. Shall I take" in line for line in lines), lines


@pytest.mark.parametrize("tick", range(600, 606))
def test_an_idle_partner_takes_over_at_the_finish_whichever_tick_it_looks_at(tick: int) -> None:
    """Idle, it looks every sixth tick whether it is done, too."""
    core, _ = beside(task(2), "expert:partner", [Rest(tick), Done()], 1400)
    assert core.verdict().success, core.verdict().explanation
