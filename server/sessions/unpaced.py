"""Runs a core with players that are programs, as fast as it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Intent
from server.sessions.log import SessionLog
from server.sessions.messages import EpisodeResult
from server.sessions.spec import TICK_S


class Player(Protocol):
    """Something that plays a seat, tick by tick."""

    seat: str

    def intents(self, core: SessionCore) -> Sequence[Intent]:
        """What to submit before the next step."""
        ...

    def see(self, tick: Tick) -> None:
        """What the step came to."""
        ...


def run(
    core: SessionCore,
    players: Sequence[Player],
    max_ticks: int,
    *,
    log: SessionLog | None = None,
    started_at: float = 0.0,
    watch: Callable[[Tick], None] | None = None,
) -> EpisodeResult | None:
    """Step until the episode ends; None if it has not after ``max_ticks``.

    Session time is the clock: ``started_at`` plus 1/30 s per tick. ``log`` must have its episode
    opened; ``watch`` is called after every tick.
    """
    for _ in range(max_ticks):
        if core.phase == "ended":
            break
        for player in players:
            for intent in player.intents(core):
                core.submit(player.seat, intent)
        tick = core.step()
        if log is not None:
            log.write(core, tick, started_at + tick.tick * TICK_S)
        if watch is not None:
            watch(tick)
        for player in players:
            player.see(tick)
    return core.result() if core.phase == "ended" else None
