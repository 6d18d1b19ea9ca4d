"""Scripted robots after a pause: each goes on where it had been, and does what it is asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from server.robots.baselines.scripted_player import ScriptedPlayer, Step, Turn
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, Said
from server.worker.unpaced_runner import run
from tests.server.robots.baselines.test_partner_player import QUICK, SECOND, options, talk
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

SHORT, LONG = 4, 60


def did_beside(name: str, person: Sequence[Step], pauses: dict[int, int]) -> list[tuple[str, str]]:
    """Play a task beside somebody who is away, from some seconds on for some; return what it did.

    What is done comes as the verb and the name of the thing, in order; what is said, as ``says``.
    """
    core = core_of(task(1), naming="people", pause_while_away=True)
    players = [make_player(name, ROBOT, options()), ScriptedPlayer(HUMAN, person)]
    did: list[tuple[str, str]] = []

    def watch(tick: Tick) -> None:
        for event in tick.events:
            if isinstance(event, Did) and event.seat == ROBOT:
                did.append((event.verb, core.names.labels[event.target]))
            elif isinstance(event, Said) and event.seat == ROBOT:
                did.append(("says", event.text))

    at = 0
    for second, seconds in pauses.items():
        run(core, players, (second - at) * SECOND, watch=watch)
        core.set_presence(HUMAN, "reconnecting", 90.0)
        run(core, players, seconds * SECOND, watch=watch)
        assert phase_of(core) == "paused"
        core.set_presence(HUMAN, "connected")
        at = second
    run(core, players, (120 - at) * SECOND, watch=watch)
    return did


def phase_of(core: SessionCore) -> str:
    return core.phase


@pytest.mark.parametrize("seconds", [SHORT, LONG])
@pytest.mark.parametrize("name", [QUICK, "expert"])
def test_it_goes_on_where_it_had_been(name: str, seconds: int) -> None:
    """Pause it before its first thing, on the way with it, and where it has nothing left to do."""
    whole = did_beside(name, [], {})
    verbs = [verb for verb, _ in whole]
    assert {"pick", "place"} <= set(verbs)
    for second in (2, 5, 8, 30):
        paused = did_beside(name, [], {second: seconds})
        assert [one for one in paused if one[0] != "says"] == [
            one for one in whole if one[0] != "says"
        ], second


def test_what_it_is_asked_after_a_pause_is_done() -> None:
    person = [Turn("chest_of_drawers_1_:0000", True), *talk("open the dishwasher")]
    asked = talk("close the drawer I left open", "close the dishwasher", every_s=35)
    did = did_beside(QUICK, [*person, *asked], {25: LONG})
    closed = [name for verb, name in did if verb == "close"]
    assert closed == ["living room chest of drawers", "dishwasher"]
