"""Episode results: what an episode came to when it ended."""

from __future__ import annotations

import msgspec

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
    if state is not None:
        lost_ticks = state.lost_ticks
        last = state.tick if state.ended_tick is None else state.ended_tick
        ticks = 0 if state.started_tick is None else last - state.started_tick
        digest = state.world.digest()
        reason = state.end_reason or reason
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
    )
