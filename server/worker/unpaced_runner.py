"""The unpaced runner: a core with players that are programs, stepped as fast as it goes."""

from __future__ import annotations

from collections.abc import Sequence

from server.sessions.core import SessionCore
from server.sessions.player import Player
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_S
from server.sessions.tick_driver import FixedPlayers, Publish, TickDriver, TickLog


def run(
    core: SessionCore,
    players: Sequence[Player],
    max_ticks: int,
    *,
    log: TickLog | None = None,
    watch: Publish | None = None,
) -> EpisodeResult | None:
    """Step until the episode ends; return None if it has not after ``max_ticks``.

    Session time is the log's clock: 1/30 s per tick. ``log`` must have its episode opened;
    ``watch`` is called after every tick.
    """
    driver = TickDriver(core, FixedPlayers(core, players), log, watch)
    for _ in range(max_ticks):
        if core.phase == "ended":
            break
        driver.step((core.tick + 1) * TICK_S)
    return core.result() if core.phase == "ended" else None


def run_to_an_end(
    core: SessionCore,
    players: Sequence[Player],
    max_ticks: int,
    *,
    log: TickLog | None = None,
    watch: Publish | None = None,
) -> EpisodeResult:
    """Do as `run` does, then end by its time limit an episode that still goes on."""
    result = run(core, players, max_ticks, log=log, watch=watch)
    if result is not None:
        return result
    core.end("time_limit")
    # No player acts in this last tick.
    TickDriver(core, FixedPlayers(core), log).step((core.tick + 1) * TICK_S)
    return core.result()
