"""The result of an episode whose session cannot go on, salvaged from its log."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec

from episodes.evaluation import unavailable
from server.recording.archive import read_own_log
from server.recording.log_checksums import verify
from server.recording.played_mark import read_mark
from server.recording.replay import episodes_in, fold_all, recorded_play
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.results import EpisodeResult, episode_result
from server.sessions.spec import EpisodeSpec, SessionSpec


class Salvaged(NamedTuple):
    """A result, and what was played after all that stands in the log."""

    result: EpisodeResult
    lost: PlayCount


def result_from_log(
    path: Path, spec: SessionSpec, episode: EpisodeSpec, reason: str, shown: PlayCount = NO_PLAY
) -> Salvaged:
    """Return the result up to where the log is whole.

    ``shown`` is how far anybody was shown it, as far as is known. Never raises: a verdict may be
    unavailable.
    """
    played = read_mark(path)
    # Of a log in which nothing can be read, all is lost.
    recorded = NO_PLAY
    try:
        verified = verify(read_own_log(path))
        recorded = recorded_play(verified)
        header, lines = next(
            (h, rest)
            for h, rest in reversed(episodes_in(verified.data))
            if h.episode_spec.episode_id == episode.episode_id
        )
        fold = fold_all(header, lines)
        verdict, text = fold.scorer.verdict(), header.task.instruction
        state = fold.state
    except Exception as error:
        why = f"the log cannot be read: {type(error).__name__}: {error}"
        verdict, text, state = unavailable(why, spec.semantics), "", None
    missing = played.lost_after(recorded, shown)
    missing_ticks = missing.ticks
    if state is not None:
        state.lose(missing_ticks)
        missing_ticks = state.lost_ticks
    result = episode_result(spec, episode, verdict, state, task_text=text, reason=reason)
    result = msgspec.structs.replace(result, lost_ticks=missing_ticks)
    return Salvaged(result, missing.after(played.lost_before))
