"""What an episode came to whose session cannot go on, read from its log."""

from __future__ import annotations

from pathlib import Path

from episodes.evaluation import unavailable
from server.recording.replay import episodes_in, fold_all, verify
from server.sessions.results import EpisodeResult
from server.sessions.spec import EpisodeSpec, SessionSpec


def result_from_log(
    path: Path, spec: SessionSpec, episode: EpisodeSpec, reason: str
) -> EpisodeResult:
    """The result up to where the log is whole. Never raises: a verdict may be unavailable."""
    try:
        header, lines = next(
            (h, rest)
            for h, rest in reversed(episodes_in(verify(path.read_bytes()).data))
            if h.episode_spec.episode_id == episode.episode_id
        )
        fold = fold_all(header, lines)
    except Exception as error:
        why = f"the log cannot be read: {type(error).__name__}: {error}"
        return EpisodeResult(
            session_id=spec.session_id,
            episode_id=episode.episode_id,
            task_id=episode.task_id,
            reason=reason,
            ticks=0,
            verdict=unavailable(why, spec.semantics),
            state_digest="",
            task_text="",
        )
    state = fold.state
    last = state.tick if state.ended_tick is None else state.ended_tick
    return EpisodeResult(
        session_id=spec.session_id,
        episode_id=episode.episode_id,
        task_id=episode.task_id,
        reason=state.end_reason or reason,
        ticks=last - (last if state.started_tick is None else state.started_tick),
        verdict=fold.scoring.verdict(),
        state_digest=state.world.digest(),
        task_text=header.task.instruction,
    )
