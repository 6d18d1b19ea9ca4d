"""Episode results: what an episode came to when it ended."""

from __future__ import annotations

import msgspec

from episodes.evaluation import Verdict


class EpisodeResult(msgspec.Struct, frozen=True, tag="result"):
    """An episode has ended. The web process stores it, then tells the players."""

    session_id: str
    episode_id: str
    task_id: str
    reason: str
    ticks: int
    """From start to end."""
    verdict: Verdict
    state_digest: str
    task_text: str
