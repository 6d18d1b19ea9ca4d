"""Episode results: what an episode came to when it ended."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from episodes.evaluation import Verdict
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.sessions.state import EpisodeState


class EpisodeResult(msgspec.Struct, frozen=True, tag="result", omit_defaults=True):
    """Result of an ended episode. The web process stores it, then tells the players."""

    session_id: str
    episode_id: str
    task_id: str
    reason: str
    ticks: int
    """The ticks from start to end."""
    verdict: Verdict
    state_digest: str
    task_text: str
    lost_ticks: int = 0
    """Ticks that were played, and shown to people, and are in no recording."""
    clock: str = "start"
    """The rule by which the task's clock started (`ClockRule`); empty: it never did."""
    clock_ticks: int = 0
    """Ticks between the start of the episode and that of the clock."""
    is_substituted: bool = False
    """Whether a policy had a person's place, from the start or for a while."""
    gone: dict[str, int] = {}
    """Seats that their people had left when it ended, and the ticks for which they had."""


def episode_result(
    spec: SessionSpec,
    episode: EpisodeSpec,
    verdict: Verdict,
    state: EpisodeState | None,
    *,
    task_text: str,
    reason: str = "failed",
) -> EpisodeResult:
    """Return what an episode came to: at its end, or up to now if it has not ended.

    ``reason`` is why it goes no further where ``state`` knows no end. Where nothing is known but
    that it was played, ``state`` is None: no ticks, no digest.
    """
    ticks, lost_ticks, digest = 0, 0, ""
    clock, clock_ticks = "start", 0
    is_substituted, gone = spec.is_substituted is True, dict[str, int]()
    if state is not None:
        lost_ticks = state.lost_ticks
        last = state.tick if state.ended_tick is None else state.ended_tick
        ticks = 0 if state.started_tick is None else last - state.started_tick
        digest = state.world.digest()
        reason = state.end_reason or reason
        seats = state.seats.values()
        is_substituted |= any(seated.stand_in_tick is not UNSET for seated in seats)
        gone = {seat: last - tick for seat, tick in _left_ticks(state)}
        if state.clock is not UNSET:
            clock = state.clock.rule or ""
            begun = last if state.clock.tick is None else state.clock.tick
            clock_ticks = 0 if state.started_tick is None else begun - state.started_tick
    return EpisodeResult(
        session_id=spec.session_id,
        episode_id=episode.episode_id,
        task_id=episode.task_id,
        reason=reason,
        ticks=ticks,
        verdict=verdict,
        state_digest=digest,
        task_text=task_text,
        lost_ticks=lost_ticks,
        clock=clock,
        clock_ticks=clock_ticks,
        is_substituted=is_substituted,
        gone=gone,
    )


def _left_ticks(state: EpisodeState) -> Iterator[tuple[str, int]]:
    """Yield the seats whose people are not there, and the ticks at which they left.

    Whoever had finished before has done their part. Whoever was gone before the episode, in a
    task of before, never came to it.
    """
    for seat, seated in state.seats.items():
        tick = seated.stand_in_tick if seated.stands_in else seated.left_tick
        if not seated.deserted:
            continue
        if tick is not UNSET:
            yield seat, tick
        elif state.ending is not UNSET and not seated.finished:
            yield seat, state.tick if state.started_tick is None else state.started_tick
