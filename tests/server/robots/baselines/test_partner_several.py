"""The scripted partner among several people: it names whom it means, and takes nothing unsaid."""

from __future__ import annotations

import re
from collections.abc import Sequence

from episodes.teams import Team
from server.robots.baselines.partner.sharing import SharedWork
from server.robots.baselines.scripted_player import Rest, ScriptedPlayer, Speak, Step
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Said
from server.sessions.intents import Intent
from server.sessions.spec import SessionSpec
from server.worker.unpaced_runner import run
from tests.server.robots.baselines.test_partner_player import QUICK, SECOND, options, played
from tests.server.sessions.first_house_sessions import ROBOT, episode_spec, simulator, task


class Leaver(ScriptedPlayer):
    """Player whose page is hidden from a tick on."""

    def intents(self, core: SessionCore) -> list[Intent]:
        if core.tick == 5 * SECOND:
            core.set_presence(self.seat, "away")
        return super().intents(core)


def team_of(people: int) -> SessionCore:
    written = ",".join([*["human=person"] * people, "robot=expert:partner"])
    spec = SessionSpec.of("ses_team", Team.parse(written), 1, naming="people")
    return SessionCore(spec, episode_spec(task(1)), task(1), simulator())


def said_among(*scripts: Sequence[Step], seconds: int, away: str = "") -> list[str]:
    """Play a task with two books beside people with scripts; return the robot's lines."""
    core = team_of(len(scripts))
    said: list[str] = []

    def watch(tick: Tick) -> None:
        said.extend(e.text for e in tick.events if isinstance(e, Said) and e.seat == ROBOT)

    seats = [f"human_{i}" for i in range(len(scripts))]
    people = [
        (Leaver if seat == away else ScriptedPlayer)(seat, steps)
        for seat, steps in zip(seats, scripts, strict=True)
    ]
    run(core, [make_player(QUICK, ROBOT, options()), *people], seconds * SECOND, watch=watch)
    return said


def test_an_answer_to_one_of_several_is_addressed_to_them() -> None:
    idle: list[Step] = [Rest(60 * SECOND)]
    claims: list[Step] = [Rest(4 * SECOND), Speak("I take the red book"), *idle]
    said = said_among(claims, idle, idle, seconds=10)
    assert "@person 1 All right, the red book is yours." in said
    assert not [line for line in said if "person " in line.removeprefix("@person 1")], said


def test_whoever_claimed_a_thing_is_told_when_the_robot_takes_it() -> None:
    asks: list[Step] = [Rest(9 * SECOND), Speak("@robot take the red book"), Rest(60 * SECOND)]
    claims: list[Step] = [Rest(4 * SECOND), Speak("I take the red book"), Rest(60 * SECOND)]
    said = said_among(asks, claims, seconds=20)
    told = "I take the red book. Person 2 need not see to it: Person 1 asked me to."
    assert told in said, said


def test_who_has_no_part_says_so_and_offers_only_when_nobody_does_anything() -> None:
    idle: list[Step] = [Rest(300 * SECOND)]
    soon = said_among(idle, idle, idle, seconds=25)
    assert soon[0].endswith("Nothing is left for Person 3 and me: say so if we can help.")
    assert not [line for line in soon if "Shall I take" in line]
    later = said_among(idle, idle, idle, seconds=110)
    offers = [line for line in later if "Shall I take" in line]
    assert len(offers) == 1, later
    assert re.match(r"@person [12] Shall I take", offers[0])
    assert not [line for line in later if "My part" in line]


def test_what_it_has_offered_in_vain_it_takes_while_nobody_does_anything() -> None:
    idle: list[Step] = [Rest(300 * SECOND)]
    said = said_among(idle, idle, idle, seconds=150)
    taken = [line for line in said if "now: say so" in line]
    assert re.match(r"@person [12] I take the (red|blue) book now: say so if", taken[0]), said
    asked = taken[0].replace("I take", "Shall I take").partition(" now")[0]
    assert said.index(f"{asked}?") < said.index(taken[0])
    declined: list[Step] = [Rest(50 * SECOND), Speak("@robot no"), *idle]
    told = said_among(declined, declined, idle, seconds=150)
    assert not [line for line in told if "now: say so" in line], told


def test_it_takes_what_somebody_has_who_is_away_and_says_so() -> None:
    idle: list[Step] = [Rest(300 * SECOND)]
    said = said_among(idle, idle, idle, seconds=70, away="human_0")
    assert [line for line in said if line.startswith("Person 1 is away: I take the ")], said


def test_whoever_begins_in_the_middle_goes_on_with_what_it_holds() -> None:
    idle: list[Step] = [Rest(120 * SECOND)]
    taken = next(
        tick for tick, who, verb, _ in played(1, idle).did if (who, verb) == (ROBOT, "pick")
    )
    core = played(1, idle, seconds=taken // SECOND + 1).core
    held = core.world.held[ROBOT]
    anew = SharedWork()
    anew.join(ROBOT)
    anew.prepare(core)
    assert anew.owner[held] == ROBOT
    assert len(anew.things(ROBOT)) == 1
    done = played(1, idle, seconds=60).core
    assert done.world.held.get(ROBOT) is None
    after = SharedWork()
    after.join(ROBOT)
    after.prepare(done)
    assert len(after.things()) == 1
    assert after.things(ROBOT) == []
