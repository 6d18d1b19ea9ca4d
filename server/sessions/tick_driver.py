"""The driver of ticks: the one order in which a tick happens, live, unpaced and played again.

1. Players submit what they want for the next step.
2. The core steps.
3. Players see what it came to. The last step of an episode may be the end of somebody's skill,
   which belongs into the log.
4. The log has the model calls and skills of players, then the tick.
5. The tick is published. Nobody outside is told what the log does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from server.sessions.core import SessionCore, Tick
from server.sessions.player import Player
from server.sessions.policy_records import CallRecord, SkillRecord

Publish = Callable[[Tick], None]


class Players(Protocol):
    """The programs that play seats of a session now."""

    def submit(self) -> None:
        """Submit what they want for the next step."""
        ...

    def see(self, tick: Tick) -> None:
        """Take note of what a step came to."""
        ...

    def take_calls(self) -> Sequence[CallRecord]:
        """Return the model calls whose answers counted since the last time."""
        ...

    def take_skills(self) -> Sequence[SkillRecord]:
        """Return the skill calls that ended since the last time."""
        ...


class TickLog(Protocol):
    """The record of ticks; ``now`` is in seconds since 1970, or since a start of its own."""

    def model_calls(self, core: SessionCore, calls: Iterable[CallRecord], now: float) -> None: ...

    def skills(self, core: SessionCore, skills: Iterable[SkillRecord], now: float) -> None: ...

    def write(self, core: SessionCore, tick: Tick, now: float) -> None: ...


class FixedPlayers:
    """Players who keep their seats to the end; what one of them raises ends the run."""

    def __init__(self, core: SessionCore, players: Sequence[Player] = ()) -> None:
        self._core = core
        self._players = players

    def submit(self) -> None:
        for player in self._players:
            for intent in player.intents(self._core):
                self._core.submit(player.seat, intent)

    def see(self, tick: Tick) -> None:
        for player in self._players:
            player.see(tick)

    def take_calls(self) -> list[CallRecord]:
        return [call for player in self._players for call in player.take_calls()]

    def take_skills(self) -> list[SkillRecord]:
        return [skill for player in self._players for skill in player.take_skills()]


class TickDriver:
    """The stepper of a core, with its players, its log and whoever is told."""

    def __init__(
        self,
        core: SessionCore,
        players: Players,
        log: TickLog | None = None,
        publish: Publish | None = None,
    ) -> None:
        self._core = core
        self._players = players
        self._log = log
        self._publish = publish

    def step(self, now: float) -> Tick:
        """Make one tick; ``now`` is what the log gives as its time."""
        core, players, log = self._core, self._players, self._log
        players.submit()
        tick = core.step()
        players.see(tick)
        if log is not None:
            # Nearly every tick has none of both.
            if calls := players.take_calls():
                log.model_calls(core, calls, now)
            if skills := players.take_skills():
                log.skills(core, skills, now)
            log.write(core, tick, now)
        if self._publish is not None:
            self._publish(tick)
        return tick
