"""The result of an episode whose session cannot go on, salvaged from its log."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from episodes.evaluation import unavailable
from server.recording.archive import read_own_log
from server.recording.log_checksums import verify
from server.recording.played_mark import read_mark
from server.recording.replay import episodes_in, fold_all, recorded_play, seen_play
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.results import EpisodeResult, episode_result
from server.sessions.spec import EpisodeSpec, SessionSpec

UNREADABLE = "What was done could not be kept, so nobody can tell how much of the task was done."
"""Reason of the verdict of an episode whose log cannot be read, for its people."""

log = structlog.get_logger(__name__)


class Salvaged(NamedTuple):
    """A result, and what was played after all that stands in the log."""

    result: EpisodeResult
    lost: PlayCount
    recorded: PlayCount
    """The play that stands in the log, of all its episodes together."""


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
        recorded, shown = recorded_play(verified), shown.at_least(seen_play(verified))
        header, lines = next(
            (h, rest)
            for h, rest in reversed(episodes_in(verified.data))
            if h.episode_spec.episode_id == episode.episode_id
        )
        fold = fold_all(header, lines)
        verdict, text = fold.scorer.verdict(), header.task.instruction
        state = fold.state
    except Exception as error:
        # People read the verdict: what is wrong is for operators.
        log.error(
            "session.log_unreadable", session=spec.session_id, log=str(path), reason=repr(error)
        )
        verdict, text, state = unavailable(UNREADABLE, spec.semantics), "", None
    missing = played.lost_after(recorded, shown)
    missing_ticks = missing.ticks
    if state is not None:
        state.lose(missing_ticks)
        missing_ticks = state.lost_ticks
    result = episode_result(spec, episode, verdict, state, task_text=text, reason=reason)
    result = msgspec.structs.replace(result, lost_ticks=missing_ticks)
    return Salvaged(result, missing.after(played.lost_before), recorded)
