"""Finish of a scripted partner: it thinks that the task is done only when nothing is in a hand.

The evaluator judges a held thing where the hand holds it. To a person *done* means put down.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from server.robots.baselines.partner import phrases
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.sharing import SharedWork
from server.sessions.core import SessionCore
from server.sessions.intents import Finish
from server.sessions.spec import TICK_RATE
from server.sessions.state import STILL
from server.skills.body import Script

QUIET_S = 30.0
"""Seconds in which no program does anything, after which it does not wait for programs."""
AGAIN_S = 45.0
"""Seconds between two requests to put the same thing down."""


class Finishing:
    """The finish of one seat, and what it has asked others to put down."""

    def __init__(self, seat: str, work: SharedWork) -> None:
        self.seat = seat
        self.work = work
        self.has_finished = False
        self._asked: dict[tuple[str, str], int] = {}
        """Ticks at which somebody was last asked to put a thing down."""

    def in_hands(self, core: SessionCore) -> dict[str, str]:
        """Return who holds what of all that the task names, by thing."""
        watched = core.scorer.watched
        return {t: seat for t, seat in core.world.holders.items() if t in watched}

    def end(
        self,
        core: SessionCore,
        acted: int,
        say: Callable[[str], None],
        *,
        is_stopped: bool = False,
    ) -> Script:
        """Finish where it is time to, and take that back where somebody goes on."""
        others = [s for s in core.state.occupied() if s not in self.work.seats]
        present = [s for s in others if not (core.seats[s].finished or core.seats[s].deserted)]
        if self.is_premature(core, present):
            yield from self.withdraw()
        is_due, lines = self.due(core, present, acted, is_stopped=is_stopped)
        for line in lines:
            say(line)
        if is_due:
            yield from self.finish()

    def due(
        self, core: SessionCore, present: list[str], acted: int, *, is_stopped: bool = False
    ) -> tuple[bool, list[str]]:
        """Tell whether it finishes now, and what is to be said.

        ``present`` are those others who have neither finished nor left, ``acted`` the tick at which
        anybody else last did something. What it ``is_stopped`` from doing does not keep it.
        """
        if core.phase != "running" or self.has_finished:
            return False, []
        if not is_stopped and self._is_busy(core, present):
            return False, []
        held, is_done = self.in_hands(core), bool(core.verdict().success)
        # What was done in a wrong order, say, is never judged right, and nothing is left to do.
        is_over = is_done or (bool(self.work.goals) and not self.work.open)
        if is_over and held and present:
            return False, self._to_put_down(core, held)
        programs = all(core.seats[s].policy for s in present)
        is_quiet = core.tick - acted > QUIET_S * TICK_RATE
        if not (is_over or not present or (programs and is_quiet)):
            return False, []
        says = is_over and self.seat == self.work.lead and present and not programs
        line = phrases.ALL_DONE if is_done else phrases.NOTHING_MORE
        return True, [line] if says else []

    def _is_busy(self, core: SessionCore, present: list[str]) -> bool:
        """Tell whether a scripted seat has work left that will come about."""
        work = self.work
        if present:
            return any(work.is_busy(core, seat) for seat in work.seats)
        # Nobody is left to do what it would have to wait for.
        return any(work.next(core, seat) is not None for seat in work.seats)

    def finish(self) -> Script:
        self.has_finished = True
        yield [STILL, Finish()]

    def withdraw(self) -> Script:
        if self.has_finished:
            self.has_finished = False
            yield [Finish(False)]

    def is_premature(self, core: SessionCore, present: list[str]) -> bool:
        """Tell whether somebody has taken a thing of the task into the hand since it finished."""
        return self.has_finished and any(s in present for s in self.in_hands(core).values())

    def _to_put_down(self, core: SessionCore, held: dict[str, str]) -> list[str]:
        if self.seat != self.work.lead:
            return []
        said = []
        for thing, holder in held.items():
            last = self._asked.get((thing, holder), -math.inf)
            if holder in self.work.seats or core.tick - last < AGAIN_S * TICK_RATE:
                continue
            self._asked[thing, holder] = core.tick
            say = Phrases(core, self.seat)
            said.append(say.to(holder, say.still_in_hand(thing, self.work.goals)))
        return said
