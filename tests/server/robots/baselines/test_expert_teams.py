"""Experts in teams: they claim what is nearest, and more of them are not slower."""

from __future__ import annotations

from typing import Any

import pytest

from episodes.teams import Team
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Act, Place, Ready
from server.sessions.spec import Ending, SessionSpec
from server.skills.standing_places import middle
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    do,
    episode_spec,
    put,
    simulator,
    stand_for,
    task,
)

FOR_ROBOTS = (1, 2, 3, 6)
"""Numbers of tasks that robots can do alone."""


def ticks_of(team: Team, number: int, *, shares: bool = True, did: list[Did] | None = None) -> int:
    """Play a task until all have finished, with one agenda or one each; return the ticks."""
    chosen = task(number)
    spec = SessionSpec.of("ses_1", team, 1, ending=Ending(), finish_wait_s=0.0)
    core = SessionCore(spec, episode_spec(chosen), chosen, simulator())
    company: dict[str, Any] = {}
    unused: Any = None
    players = [
        make_player(name, seat, PlayerOptions(unused, company=company if shares else {}))
        for seat, name in team.policies.items()
    ]

    def watch(tick: Tick) -> None:
        if did is not None:
            did.extend(event for event in tick.events if isinstance(event, Did))

    result = run(core, players, 20_000, watch=watch)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
    return core.tick


def team_of(*bodies: str) -> Team:
    return Team.parse(",".join(bodies))


def test_teams_are_no_slower_than_with_an_agenda_each_and_three_are_faster_than_one() -> None:
    totals: dict[int, int] = {}
    for count in (1, 2, 3, 5):
        team = team_of(*["robot=expert"] * count)
        totals[count] = sum(ticks_of(team, number) for number in FOR_ROBOTS)
        alone = sum(ticks_of(team, number, shares=False) for number in FOR_ROBOTS)
        assert totals[count] <= alone
    assert max(totals[2], totals[3], totals[5]) < totals[1]
    assert totals[3] < 0.6 * totals[1]


def test_people_see_to_what_only_they_can_do_first() -> None:
    """The fourth task wants a cup washed and put away, by either."""
    did: list[Did] = []
    ticks_of(team_of("human=expert", "robot=expert", "robot=expert"), 4, did=did)
    washed = [event for event in did if event.verb == "clean"]
    assert [event.seat for event in washed] == ["human_0"]


def test_scripted_people_share_out_the_work() -> None:
    """Over both tasks: in the short sixth one alone two stand in each other's way."""
    alone = together = 0
    for number in (1, 6):
        did: list[Did] = []
        alone += ticks_of(team_of("human=scripted"), number)
        together += ticks_of(team_of("human=scripted", "human=scripted"), number, did=did)
        assert {event.seat for event in did} == {"human_0", "human_1"}
    assert together < 0.8 * alone


@pytest.mark.parametrize("policy", ["expert", "expert:partner", "scripted"])
def test_what_a_person_has_put_right_stays_there_while_they_hold_another_of_the_kind(
    policy: str,
) -> None:
    """The first task wants two books on a table: the person puts one there, and takes the other."""
    chosen = task(1)
    team = team_of("human=person", "human=scripted" if policy == "scripted" else f"robot={policy}")
    core = SessionCore(SessionSpec.of("ses_1", team, 1), episode_spec(chosen), chosen, simulator())
    for one in core.state.occupied():
        core.submit(one, Ready())
    core.step()
    seat = next(iter(team.policies))
    table, placed, held = "table_4_:0000", "book_2_:0000", "book_1_:0000"
    stand_for(core, HUMAN, placed)
    assert not do(core, HUMAN, "pick", placed)
    stand_for(core, HUMAN, table)
    x, y, z = middle(core, table)
    assert not put(core, HUMAN, (x, y + 0.5, z))
    stand_for(core, HUMAN, "stand_1_:0002")
    assert not do(core, HUMAN, "open", "stand_1_:0002", 0)
    stand_for(core, HUMAN, held)
    assert not do(core, HUMAN, "pick", held)
    unused: Any = None
    player = make_player(policy, seat, PlayerOptions(unused))
    did: list[Did] = []

    def watch(tick: Tick) -> None:
        did.extend(event for event in tick.events if isinstance(event, Did))

    run(core, [player], 900, watch=watch)
    assert [e for e in did if e.target in (placed, held)] == []
    assert core.world.holders == {held: HUMAN}


def test_what_a_person_puts_right_while_the_partner_pauses_before_it_begins_stays_there() -> None:
    chosen = task(1)
    team = team_of("human=person", "robot=expert:partner")
    core = SessionCore(SessionSpec.of("ses_1", team, 1), episode_spec(chosen), chosen, simulator())
    for one in core.state.occupied():
        core.submit(one, Ready())
    core.step()
    seat = next(iter(team.policies))
    unused: Any = None
    player = make_player("expert:partner", seat, PlayerOptions(unused))
    # It has chosen this one by then, and has not set out.
    table, book, at, did = "table_4_:0000", "book_2_:0000", 60, list[Did]()

    def watch(tick: Tick) -> None:
        did.extend(event for event in tick.events if isinstance(event, Did))
        if tick.tick == at:
            stand_for(core, HUMAN, book)
            core.submit(HUMAN, Act(core.tick, "pick", book, None))
        elif tick.tick == at + 2:
            stand_for(core, HUMAN, table)
            x, y, z = middle(core, table)
            core.submit(HUMAN, Place(core.tick, (x, y + 0.5, z), 0.0, None))

    run(core, [player], 900, watch=watch)
    assert [(e.seat, e.verb) for e in did if e.target == book] == [
        (HUMAN, "pick"),
        (HUMAN, "place"),
    ]


def test_one_who_has_left_leaves_its_claims_to_the_others() -> None:
    team = team_of("robot=expert", "robot=expert")
    chosen = task(1)
    spec = SessionSpec.of("ses_1", team, 1, ending=Ending(), finish_wait_s=0.0)
    core = SessionCore(spec, episode_spec(chosen), chosen, simulator())
    company: dict[str, Any] = {}
    unused: Any = None
    one, other = (
        make_player(name, seat, PlayerOptions(unused, company=company))
        for seat, name in team.policies.items()
    )

    def leave(tick: Tick) -> None:
        if tick.tick == 20:
            other.close()
            other.finished = True  # type: ignore[attr-defined]
            core.set_presence(other.seat, "gone")

    result = run(core, [one, other], 20_000, watch=leave)
    assert result is not None
    assert result.verdict.success, result.verdict.explanation
