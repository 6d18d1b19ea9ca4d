"""Policies in seats: at the start, or in place of a participant who is not there.

Who sits where is the core's state (and in the log); this only follows it. A policy goes the way
of a participant: the same intents, the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from msgspec import UNSET

from server.sessions.aim import Aim
from server.sessions.core import SessionCore, Tick
from server.sessions.events import OccupantChanged
from server.sessions.player import Player
from server.sessions.policy_records import CallRecord, SkillRecord
from server.worker.hidden_policies import HiddenPolicies
from server.worker.seen_people import SeenPeople

Company = dict[str, Any]
"""State that the policies of one episode share: one mind for both bodies is kept there."""
MakePlayer = Callable[[str, Company], Player]
"""Builder of the player of a seat."""
PolicyBuilder = Mapping[str, MakePlayer]
"""Builders of players, by the name that a session's spec uses."""

log = structlog.get_logger(__name__)


def shown_aim(player: Player) -> Aim | None:
    """Return what to show of a player's aim; one that thinks or waits has no aim of its own."""
    aim = player.aim
    if aim is not None and player.status in ("", aim.text):
        return aim
    if not player.status:
        return None
    return Aim("think" if player.status == "thinking" else "wait", player.status)


class PolicySeats:
    """The policies that drive seats of a session now."""

    def __init__(
        self, core: SessionCore, policies: PolicyBuilder, people: SeenPeople | None = None
    ) -> None:
        """Take ``people``, whom the worker has seen; None: it has seen nobody yet."""
        self._core = core
        self._hidden = HiddenPolicies(core, people or SeenPeople())
        self._policies = policies
        self._players: dict[str, Player] = {}
        self._names: dict[str, str] = {}
        self._company: Company = {}
        self._news = True
        """Whether somebody may have taken a seat since the last look."""

    def begin(self) -> None:
        """Begin another episode: everybody starts afresh."""
        self.close()
        self._players.clear()
        self._names.clear()
        self._company = {}
        self._hidden.begin()
        self._news = True

    def submit(self) -> None:
        """Submit what the policies want for the next step, and tell what they are doing."""
        if self._news:
            self._follow()
        if not self._players:
            return
        # Nobody's partner has done half of the task when they take their first step.
        waits = self._core.clock_waits
        for seat, player in list(self._players.items()):
            if not self._hidden.is_here(seat):
                continue
            if waits and not self._hidden.begins_the_clock(seat):
                continue
            try:
                for intent in self._hidden.come_in(seat, player.intents(self._core)):
                    self._core.submit(seat, intent)
            except Exception as error:
                self._dismiss(seat, repr(error))
                continue
            if player.gave_up:
                self._dismiss(seat, player.gave_up)
        if waits:
            return
        for seat, player in self._players.items():
            if player.status != self._core.seats[seat].doing:
                self._core.set_doing(seat, player.status)
            aim = shown_aim(player)
            if (aim or UNSET) != self._core.seats[seat].aim:
                self._core.set_aim(seat, aim)

    def take_calls(self) -> list[CallRecord]:
        """Return the model calls whose answers counted since the last time."""
        found: list[CallRecord] = []
        for seat, player in list(self._players.items()):
            try:
                found += player.take_calls()
            except Exception as error:
                self._dismiss(seat, repr(error))
        return found

    def take_skills(self) -> list[SkillRecord]:
        """Return the skill calls that ended since the last time."""
        return [skill for player in self._players.values() for skill in player.take_skills()]

    def close(self) -> None:
        """Drop what is being thought. Idempotent."""
        for seat in self._players:
            self._close(seat)

    def see(self, tick: Tick) -> None:
        """Show the policies what a step came to."""
        if tick.events and any(isinstance(e, OccupantChanged) for e in tick.events):
            self._news = True
        if tick.events:
            self._hidden.see(tick)
        for seat, player in list(self._players.items()):
            try:
                player.see(tick)
            except Exception as error:
                self._dismiss(seat, repr(error))

    def _follow(self) -> None:
        self._news = False
        for seat, seated in self._core.seats.items():
            if self._names.get(seat, "") == seated.policy:
                continue
            self._close(seat)
            self._players.pop(seat, None)
            self._names[seat] = seated.policy
            if not seated.policy:
                continue
            try:
                self._players[seat] = self._policies[seated.policy](seat, self._company)
            except Exception as error:
                self._dismiss(seat, repr(error))

    def _dismiss(self, seat: str, reason: str) -> None:
        """Take the seat from a policy that fails: that costs its seat, not the session.

        What follows is what follows when a participant has gone; nobody stands in for a stand-in.
        """
        log.warning(
            "policy.failed",
            session=self._core.spec.session_id,
            seat=seat,
            policy=self._names.get(seat, ""),
            reason=reason,
        )
        self._close(seat)
        self._players.pop(seat, None)
        core, spec = self._core, self._core.spec
        stand_in = spec.stand_in if spec.when_gone == "policy" else ""
        if stand_in and stand_in != self._names.get(seat):
            core.set_occupant(seat, stand_in)
            return
        core.set_presence(seat, "gone")
        if spec.when_gone == "end":
            core.end("left")

    def _close(self, seat: str) -> None:
        """Close a policy; what it does wrong at its end costs nobody anything."""
        player = self._players.get(seat)
        if player is None:
            return
        try:
            player.close()
        except Exception as error:
            log.warning(
                "policy.not_closed",
                session=self._core.spec.session_id,
                seat=seat,
                policy=self._names.get(seat, ""),
                reason=repr(error),
            )
