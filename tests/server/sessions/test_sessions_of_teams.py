"""Sessions of one, two, three and five bodies: played, replayed, resumed and scored again.

On both simulators.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from episodes.teams import Team
from server.recording.log_checksums import verify
from server.recording.replay import episodes_in, fold_all, rescore, resume
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import ScriptedPlayer
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did
from server.sessions.intents import Finish, Intent, Look, Ready, Say
from server.sessions.player import Player
from server.sessions.spec import TICK_S, SessionSpec
from server.worker.unpaced_runner import run
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    Recording,
    do,
    episode_spec,
    in_the_open,
    stand_for,
    task,
)
from tests.server.simulators.either_simulator import MakeSimulator, on_either

TEAMS = ("1human", "pair", "human=person,robot=person,robot=person", "5human")


def core_of_team(team: str, simulator: MakeSimulator) -> SessionCore:
    """Return a session of people in which nobody is ready yet."""
    chosen = task(2)
    spec = SessionSpec.of("ses_1", Team.parse(team), 1)
    return SessionCore(spec, episode_spec(chosen), chosen, simulator())


def began(team: str, simulator: MakeSimulator) -> tuple[Recording, list[str]]:
    """Return a session that runs and is recorded, and its seats."""
    recording = Recording(core_of_team(team, simulator))
    seats = list(recording.core.seats)
    for seat in seats:
        assert recording.core.phase == "gathering"
        recording.step([(seat, Ready())])
    assert recording.core.phase == "running"
    return recording, seats


@on_either
@pytest.mark.parametrize("team", TEAMS)
def test_all_act_and_the_log_is_the_session(
    team: str, simulator: MakeSimulator, tmp_path: Path
) -> None:
    recording, seats = began(team, simulator)
    core = recording.core
    before = {seat: core.world.agents[seat].yaw for seat in seats}
    wishes: list[tuple[str, Intent]] = [
        (seat, Look(yaw + 1.0, 0.0)) for seat, yaw in before.items()
    ]
    recording.step([*wishes, *((seat, Say(f"I am {seat}")) for seat in seats)])
    for _ in range(10):
        recording.step()
    assert all(core.world.agents[seat].yaw != before[seat] for seat in seats)
    assert [(line.seat, line.text) for line in core.chat] == [(s, f"I am {s}") for s in seats]

    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(recording.data())
    again, log, report = resume(torn, simulator, now=1000.0)
    assert (list(again.seats), again.tick, report.tick) == (seats, core.tick, core.tick)
    assert again.world.digest() == core.world.digest()
    assert again.spec.team == core.spec.team
    log.close(1000.0)

    for number, seat in enumerate(seats, 1):
        assert core.phase == "running"
        recording.step([(seat, Finish())])
        assert sum(s.finished for s in core.seats.values()) == number
    assert core.phase == "ended"
    assert core.result().reason == "finished"
    data = recording.data()
    header, lines = episodes_in(verify(data).data)[-1]
    assert fold_all(header, lines).state.world.digest() == core.world.digest()
    assert rescore(data) == core.verdict()


@on_either
@pytest.mark.parametrize("team", TEAMS)
def test_what_one_holds_nobody_else_can_take(team: str, simulator: MakeSimulator) -> None:
    recording, seats = began(team, simulator)
    core = recording.core
    thing = in_the_open(core)
    for seat in seats:
        stand_for(core, seat, thing)
    first, *others = seats
    assert do(core, first, "pick", thing) == ""
    assert [do(core, seat, "pick", thing) for seat in others] == ["not_with_partner"] * len(others)


@on_either
@pytest.mark.parametrize("team", TEAMS[2:])
def test_the_credit_names_the_seat_whoever_else_is_there(
    team: str, simulator: MakeSimulator
) -> None:
    recording, seats = began(team, simulator)
    core = recording.core
    player = ScriptedPlayer(HUMAN, solve(core))
    while core.phase == "running" and not player.finished:
        player.see(recording.step([(HUMAN, intent) for intent in player.intents(core)]))
    assert player.failure is None
    recording.step([(seat, Finish()) for seat in seats])
    assert core.result().verdict.success
    assert {p.by_seat for p in core.result().verdict.propositions} == {HUMAN}
    assert core.result().ticks * TICK_S < 300
    assert rescore(recording.data()) == core.verdict()


def experts_of(core: SessionCore) -> list[Player]:
    """Return the players of a session's robots, who share an agenda."""
    company: dict[str, Any] = {}
    unused: Any = None
    return [
        make_player(name, seat, PlayerOptions(unused, company=company))
        for seat, name in core.spec.team.policies.items()
    ]


@on_either
@pytest.mark.parametrize("robots", [3, 2])
def test_robots_go_on_with_what_they_hold_after_a_crash(
    robots: int, simulator: MakeSimulator, tmp_path: Path
) -> None:
    """Three robots alone, and two beside a person, bring two books to a table."""
    bodies = ["human=person"] * (3 - robots) + ["robot=expert"] * robots
    spec = SessionSpec.of("ses_1", Team.parse(",".join(bodies)), 1)
    recording = Recording(SessionCore(spec, episode_spec(task(1)), task(1), simulator()))
    core, players = recording.core, experts_of(recording.core)
    recording.step([(seat, Ready()) for seat in core.seats])
    while not core.world.holders:
        assert core.tick < 1000
        tick = recording.step([(p.seat, one) for p in players for one in p.intents(core)])
        for player in players:
            player.see(tick)
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(recording.data())
    again, log, _ = resume(torn, simulator, now=1000.0)
    log.close(1000.0)
    assert again.world.holders == core.world.holders
    did: list[Did] = []

    def watch(tick: Tick) -> None:
        did.extend(event for event in tick.events if isinstance(event, Did))

    run(again, experts_of(again), 1000, watch=watch)
    assert again.verdict().success
    for thing, holder in core.world.holders.items():
        assert [(e.seat, e.verb) for e in did if e.target == thing] == [(holder, "place")]
