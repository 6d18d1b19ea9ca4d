"""Episodes in the first house in which a person of the eight plays, for tests."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from episodes.teams import Team
from server.robots.baselines.people.person import Person
from server.robots.baselines.people.player import PersonPlayer
from server.robots.baselines.scripted_player import Done, Rest, ScriptedPlayer, Speak, Step
from server.robots.playing.thinkers import ChargedThinker
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.sessions.core import SessionCore, Tick
from server.sessions.events import Did, Said
from server.sessions.player import Player
from server.sessions.policy_records import SkillRecord
from server.sessions.results import EpisodeResult
from server.sessions.spec import Ending, SessionSpec
from server.worker.unpaced_runner import run_to_an_end
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    episode_spec,
    simulator,
    task,
)

MOST_TICKS = 20_000
SECONDS = 30
"""Ticks of a second."""


class Played(NamedTuple):
    """The outcome of an episode, and what was done and said."""

    result: EpisodeResult
    did: list[Did]
    said: list[Said]
    skills: list[SkillRecord]
    person: Person
    core: SessionCore

    def lines(self, seat: str = HUMAN) -> list[str]:
        return [line.text for line in self.said if line.seat == seat]

    def puts(self, seat: str = HUMAN) -> list[str]:
        return [d.target for d in self.did if d.seat == seat and d.verb == "place"]

    @property
    def success(self) -> bool:
        return bool(self.result.verdict.success)


def saying(*lines: str, first_s: float = 2.0, each_s: float = 4.0, stays_s: float = 0) -> Player:
    """Return a robot that says lines, one after another, then finishes."""
    steps: list[Step] = [Rest(round(first_s * SECONDS))]
    for line in lines:
        steps += [Speak(line), Rest(round(each_s * SECONDS))]
    return ScriptedPlayer(ROBOT, [*steps, Rest(round(stays_s * SECONDS)), Done()])


def played(
    name: str,
    number: int = 2,
    *partners: Player,
    seed: int = 0,
    team: str = "",
    ticks: int = MOST_TICKS,
) -> Played:
    """Play a first task with a person, alone or beside others; ``team`` names more bodies."""
    bodies = team or ("human=x,robot=y" if partners else "human=x")
    spec = SessionSpec.of("ses_1", Team.parse(bodies), 1, ending=Ending())
    core = SessionCore(spec, episode_spec(task(number)), task(number), simulator())
    loop = asyncio.new_event_loop()
    player = make_player(name, HUMAN, PlayerOptions(ChargedThinker(loop, 0.1), seed=seed))
    assert isinstance(player, PersonPlayer)
    person = player.policy
    assert isinstance(person, Person)
    did: list[Did] = []
    said: list[Said] = []

    def watch(tick: Tick) -> None:
        did.extend(e for e in tick.events if isinstance(e, Did))
        said.extend(e for e in tick.events if isinstance(e, Said))

    result = run_to_an_end(core, [player, *partners], ticks, watch=watch)
    loop.close()
    assert player.failed_decisions is None, player.failed_decisions
    return Played(result, did, said, player.take_skills(), person, core)
