"""Offers of a scripted partner: the things of others' shares that it could take, and when.

What it has offered in vain to somebody who goes on doing nothing it takes
in a team, unless they claimed it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from episodes.poses import Vec3
from server.robots.baselines.partner.absence import there
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.sharing import SharedWork
from server.sessions.core import SessionCore
from server.sessions.spec import TICK_RATE

OFFER_S = 4.0
"""Seconds without work of its own before it says anything of a person's share."""
FIRST_S = 60.0
"""Seconds for which it has been done with its part, and nobody has done anything, before the first
offer: whoever has to find the things first is not hurried."""
DECLINED_S = 120.0
"""Seconds for which nobody does anything, before it offers what somebody wanted to see to."""
STILL_S = 30.0
"""Seconds for which somebody does nothing before it offers to take what is theirs once more."""
AGAIN_S = 60.0
"""Seconds between two such offers, at least; for as long nobody does anything who only walks."""
STIRS_M = 0.3
"""Length of way (m) that is more than standing."""


class Offers:
    """Offers of one seat, and the time for which others have stood where they are."""

    def __init__(self, seat: str, work: SharedWork) -> None:
        self.seat = seat
        self.work = work
        self.had_part = False
        """Whether the seat has had anything to do yet."""
        self.named: set[str] = set()
        """Things that it has offered to take, or has asked others to see to."""
        self.acted = 0
        """The tick at which anybody else last did something."""
        self._last = -math.inf
        self._stood: dict[str, tuple[Vec3, int]] = {}
        """Places of others when it last looked, and the tick since which they stand there."""

    def due(
        self,
        core: SessionCore,
        idle_s: float,
        unanswered: Collection[str],
        declined: Mapping[str, int],
        *,
        is_relieved: bool,
    ) -> tuple[str, str] | None:
        """Return a thing that it could take of a person's share, and how it says so.

        Once when its own part has long been done, unless an offer is open, and soon where it
        ``is_relieved`` of all that it had; again, where it had no part, and where its part comes
        after others', only when whoever has the thing does nothing.
        Where it is ``unanswered`` already, the line may say that it takes it: then the thing is
        its own.
        """
        if idle_s < OFFER_S or self.seat != self.work.lead:
            return None
        comes_after = bool(self.work.things(self.seat))
        people = [s for s in there(core) if not core.seats[s].policy]
        still_s = {seat: self._still_s(core, seat) for seat in people}
        quiet_s = (core.tick - self.acted) / TICK_RATE
        had_time = min(idle_s, quiet_s) >= FIRST_S
        for thing in self.work.carried(core, people, self.seat):
            # What somebody has said to take they need not be asked for at once.
            is_swap = is_relieved and thing not in self.named and thing not in self.work.by_request
            is_new = self.had_part and thing not in self.named and not comes_after
            if is_new and not had_time and not is_swap:
                continue
            if thing in declined:
                since = max(declined[thing], self.acted)
                if core.tick - since < DECLINED_S * TICK_RATE:
                    continue
            is_first = (is_new or is_swap) and not unanswered
            is_still = still_s[self.work.owner[thing] or ""] >= STILL_S
            does_nothing = is_still or quiet_s >= AGAIN_S
            is_again = does_nothing and core.tick - self._last >= AGAIN_S * TICK_RATE
            if is_first or is_again:
                self.named.add(thing)
                self._last = core.tick
                say = Phrases(core, self.seat)
                owner = self.work.owner[thing] or ""
                if thing in unanswered and self._may_take(core, thing):
                    self.work.hand(thing, self.seat)
                    taken = f"I take {say.the(thing)} now: say so if it is yours."
                    return thing, say.offered_to(owner, taken)
                asked = f"Shall I take {say.the(thing)}{', too' if self.had_part else ''}?"
                if is_swap:
                    return thing, say.offered_to(owner, f"Shall I take {say.the(thing)} instead?")
                if comes_after:
                    asked = f"My part comes after yours. {asked}"
                elif self.had_part:
                    asked = f"My part is done. {asked}"
                return thing, say.offered_to(owner, asked)
        return None

    def _may_take(self, core: SessionCore, thing: str) -> bool:
        """Tell whether it takes what it has offered in vain: in a team, unless somebody has it.

        The only person of a pair is left their share, as long as they like.
        """
        is_team = sum(1 for seat in core.spec.seats if seat.occupied) > 2
        return is_team and thing not in self.work.by_request

    def _still_s(self, core: SessionCore, seat: str) -> float:
        """Return the seconds for which somebody has stood and nobody has done anything."""
        place = core.world.agents[seat].position
        before = self._stood.get(seat)
        if before is None or math.dist(before[0], place) > STIRS_M:
            self._stood[seat] = (place, core.tick)
            return 0.0
        return (core.tick - max(before[1], self.acted)) / TICK_RATE
