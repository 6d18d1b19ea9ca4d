"""Skills that are a single primitive: ask once, wait for the answer, tell it in PARTNR's words."""

from __future__ import annotations

from episodes.rules import Refusal
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Act, Intent
from server.sessions.state import STILL
from server.skills.feedback import SUCCESS, TOO_LONG, About, failure, refused
from server.skills.registry import Skill

WAIT_TICKS = 600
"""PARTNR's Wait: five times 120 steps."""


class PrimitiveSkill:
    """One run of a skill with a verb, or of Wait. Each tick: `intents`, the core's step, `see`.

    ``response`` is empty while it runs; any text means that it is over.
    """

    def __init__(self, seat: str, skill: Skill, target: str = "", intent_id: int = 1) -> None:
        if skill.verb is None and skill.arguments:
            raise ValueError(f"{skill.name} is not a single primitive")
        self.seat = seat
        self.skill = skill
        self.target = target
        self.response = ""
        self._intent_id = intent_id
        self._ticks = 0
        self._answered = False
        self._refusal: Refusal | None = None

    def intents(self, core: SessionCore) -> list[Intent]:
        """What to submit before the next step."""
        if self.response:
            return []
        if self._answered:
            self._end(core)
            return []
        limit = WAIT_TICKS if self.skill.cap is None else self.skill.cap
        if self._ticks >= limit:
            self.response = SUCCESS if self.skill.verb is None else failure(TOO_LONG)
            return []
        self._ticks += 1
        if self._ticks > 1:
            return []
        if self.skill.verb is None:
            return [STILL]
        return [STILL, Act(self._intent_id, self.skill.verb, self.target)]

    def see(self, tick: Tick) -> None:
        """Take note of the answer."""
        for heard in tick.intents:
            intent = heard.intent
            if heard.seat != self.seat or not isinstance(intent, Act):
                continue
            if intent.intent_id == self._intent_id:
                self._answered, self._refusal = True, heard.refusal

    def _end(self, core: SessionCore) -> None:
        assert self.skill.verb is not None
        if self._refusal is None:
            self.response = SUCCESS
            return
        names = core.names.graph
        held = core.world.held.get(self.seat)
        about = About(names.get(self.target, self.target), "" if held is None else names[held])
        self.response = refused(self.skill.verb, self._refusal, about)
