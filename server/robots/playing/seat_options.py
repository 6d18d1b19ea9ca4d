"""Options of a seat that a policy plays in, whatever policy it is."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from server.sessions.intents import Drive, Intent
from server.sessions.spec import TICK_RATE

Observability = Literal["full", "partial"]
Watching = Literal["all", "seen"]


class SeatOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of a policy in its seat. By default nothing is asked early, again or instead."""

    observability: Observability = "partial"
    shares_views: bool = True
    partner: Watching = "all"
    max_decisions: int | None = None
    """The most decisions, after which it has finished (PARTNR's ``replanning_threshold``)."""
    think_s: float = 0.0
    """Seconds that a body pauses after what it did before the next decision is asked for."""
    latency_s: float = 0.0
    """Seconds from the asking until a decision counts, at the earliest."""
    speed: float = 1.0
    """The share of its body's pace at which it walks, above 0 and up to 1."""
    revalidate: bool = False
    """Whether to ask the policy again, once and told why, in place of running an overtaken answer.

    That goes for a call about what somebody else has moved meanwhile, and for the wish to stop when
    something has been said.
    """
    prefetch: bool = False
    """Whether to ask for the next decision while a skill runs, where the policy can; an answer that
    assumed too much is dropped."""
    gives_up_s: float | None = 90.0
    """Seconds without one decision that did not fail until its seat counts as left; None: never.

    That goes for live sessions, whatever policy it is: somebody sits beside it. Trials do not ask.
    """
    tells_finish: bool = True
    """Whether it is told that others have finished, or take it back, as people are."""
    closes_s: float | None = 2.0
    """Seconds for which it may wait without doing anything once everybody else has finished; then
    it has finished too. None: as long as it likes."""
    tools: tuple[str, ...] = ()
    """The skills it may use; empty: all of its body's."""

    def __post_init__(self) -> None:
        if not 0 < self.speed <= 1:
            raise ValueError(f"expected a speed above 0 and up to 1, got {self.speed:g}")
        if min(self.think_s, self.latency_s) < 0:
            raise ValueError("expected think_s and latency_s of 0 or more")
        if self.closes_s is not None and self.closes_s < 0:
            raise ValueError(f"expected closes_s of 0 or more or none, got {self.closes_s:g}")

    @property
    def latency_ticks(self) -> int:
        return math.ceil(self.latency_s * TICK_RATE)

    def paced(self, wanted: list[Intent], fastest: float) -> list[Intent]:
        """Slow a skill's intents down to the pace that is set; ``fastest`` is the body's (m/s)."""
        most = self.speed * fastest
        return [
            Drive(min(i.forward, most), i.strafe) if isinstance(i, Drive) else i for i in wanted
        ]
