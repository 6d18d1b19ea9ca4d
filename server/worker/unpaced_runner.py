"""Runs a core with players that are programs, as fast as it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from server.ipc.messages import EpisodeResult
from server.recording.log_writer import SessionLog
from server.sessions.core import SessionCore, Tick
from server.sessions.intents import Intent
from server.sessions.policy_records import CallRecord, SkillRecord
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


@runtime_checkable
class AsksModels(Protocol):
    """A player whose calls of language models belong in the log."""

    def take_calls(self) -> Sequence[CallRecord]:
        """Those whose answers counted since the last time."""
        ...


@runtime_checkable
class RunsSkills(Protocol):
    """A player whose skill calls belong in the log."""

    def take_skills(self) -> Sequence[SkillRecord]:
        """Those that ended since the last time."""
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
