"""Offers of a scripted partner to take what is left to a person: when they come."""

from __future__ import annotations

from server.robots.baselines.partner import phrases
from server.robots.baselines.scripted_player import Rest, ScriptedPlayer, Speak, Step
from server.robots.registry.registry import make_player
from server.sessions.core import Tick
from server.sessions.events import Did, Said
from server.worker.unpaced_runner import run
from tests.server.robots.baselines.test_partner_player import QUICK, SECOND, options
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task


def lines(*person: Step, seconds: int) -> tuple[list[tuple[float, str]], float]:
    """Play the two books; return the robot's lines with their seconds, and when it was done."""
    core = core_of(task(1), naming="people")
    said: list[tuple[float, str]] = []
    done = 0.0

    def watch(tick: Tick) -> None:
        nonlocal done
        for event in tick.events:
            if isinstance(event, Said) and event.seat == ROBOT:
                said.append((tick.tick / SECOND, event.text))
            elif isinstance(event, Did) and event.seat == ROBOT:
                done = done or (tick.tick / SECOND if event.verb == "place" else 0.0)

    players = [make_player(QUICK, ROBOT, options()), ScriptedPlayer(HUMAN, person)]
    run(core, players, seconds * SECOND, watch=watch)
    return said, done


def test_the_first_offer_leaves_time_to_find_the_things() -> None:
    said, done = lines(Rest(150 * SECOND), seconds=150)
    offers = [at for at, line in said if "Shall I take" in line]
    assert offers
    assert 60 <= offers[0] - done <= 70


def test_after_a_no_it_asks_again_only_after_two_minutes_in_which_nothing_was_done() -> None:
    for no in ("no thanks", "No, I take it."):
        said, _ = lines(Rest(95 * SECOND), Speak(no), Rest(200 * SECOND), seconds=290)
        offers = [at for at, line in said if "Shall I take" in line]
        assert offers[0] < 95, said
        assert all(at >= 95 + 120 for at in offers[1:]), said
        assert len(offers) > 1, said
        answer = next(line for at, line in said if at > 95)
        assert answer == phrases.AGREED or answer.endswith("is yours."), answer
