"""The result of an episode whose session cannot go on, salvaged from its log."""

from __future__ import annotations

from pathlib import Path

from episodes.evaluation import unavailable
from server.recording.log_checksums import verify
from server.recording.replay import episodes_in, fold_all
from server.sessions.results import EpisodeResult, episode_result
from server.sessions.spec import EpisodeSpec, SessionSpec


def result_from_log(
    path: Path, spec: SessionSpec, episode: EpisodeSpec, reason: str
) -> EpisodeResult:
    """Return the result up to where the log is whole.

    Never raises: a verdict may be unavailable.
    """
    try:
        header, lines = next(
            (h, rest)
            for h, rest in reversed(episodes_in(verify(path.read_bytes()).data))
            if h.episode_spec.episode_id == episode.episode_id
        )
        fold = fold_all(header, lines)
    except Exception as error:
        why = f"the log cannot be read: {type(error).__name__}: {error}"
        verdict = unavailable(why, spec.semantics)
        return episode_result(spec, episode, verdict, None, task_text="", reason=reason)
    return episode_result(
        spec,
        episode,
        fold.scorer.verdict(),
        fold.state,
        task_text=header.task.instruction,
        reason=reason,
    )
