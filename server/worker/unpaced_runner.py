"""Runs a core with players that are programs, as fast as it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from server.recording.log_writer import LogWriter
from server.sessions.core import SessionCore, Tick
from server.sessions.player import AsksModels, Player, RunsSkills
from server.sessions.results import EpisodeResult
from server.sessions.spec import TICK_S


def run(
    core: SessionCore,
    players: Sequence[Player],
    max_ticks: int,
    *,
    log: LogWriter | None = None,
    started_at: float = 0.0,
    watch: Callable[[Tick], None] | None = None,
) -> EpisodeResult | None:
    """Step until the episode ends; None if it has not after ``max_ticks``.

    Session time is the clock: ``started_at`` plus 1/30 s per tick. ``log`` must have its episode
    opened; ``watch`` is called after every tick.
    """
    askers = [p for p in players if isinstance(p, AsksModels)]
    skilled = [p for p in players if isinstance(p, RunsSkills)]
    for _ in range(max_ticks):
        if core.phase == "ended":
            break
        for player in players:
            for intent in player.intents(core):
                core.submit(player.seat, intent)
        tick = core.step()
        # Before the log: the last step of an episode may be the end of somebody's skill.
        for player in players:
            player.see(tick)
        if log is not None:
            now = started_at + tick.tick * TICK_S
            for asker in askers:
                log.model_calls(core, asker.take_calls(), now)
            for one in skilled:
                log.skills(core, one.take_skills(), now)
            log.write(core, tick, now)
        if watch is not None:
            watch(tick)
    return core.result() if core.phase == "ended" else None
