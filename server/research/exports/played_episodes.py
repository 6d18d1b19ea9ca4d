"""Episodes with what their logs say, in the order of the study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from episodes.bounded_files import LARGEST
from episodes.evaluation import Verdict
from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import Recording, RecordingError, read_recording
from server.research.measures.measure import Measure
from server.research.measures.registry import MEASURES
from server.research.summaries.episode_summary import EpisodeSummary
from server.research.summaries.summary_files import (
    LogSummary,
    keep_summary,
    kept_summary,
    summarise,
    without_folder,
)
from server.store.models import EpisodeRow

log = structlog.get_logger(__name__)


class PlayedEpisode(NamedTuple):
    """An episode of a study, with what its log says; ``problem`` says why it says nothing."""

    row: EpisodeRow
    summary: EpisodeSummary | None
    problem: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """The final verdict: that of the log, else the one that was shown; None: neither."""
        return self.shown if self.summary is None else self.summary.verdict

    @property
    def shown(self) -> Verdict | None:
        """The verdict that was reached while people played; None: the episode has not ended."""
        stored = self.row.verdict
        return None if stored is None else msgspec.convert(stored, Verdict)


class Logs(NamedTuple):
    """Folders with the logs of sessions, packed or not."""

    recordings_dir: Path
    archive_dir: Path
    data_dir: Path

    def of(self, session_id: str) -> Path | None:
        """Return the log of a session; None: there is none."""
        paths = (
            self.archive_dir / f"{session_id}{PACKED_SUFFIX}",
            self.recordings_dir / f"{session_id}{SUFFIX}",
        )
        return next((path for path in paths if path.exists()), None)

    def recordings(self, session_id: str) -> Mapping[str, Recording]:
        """Read the episodes of a session by their ids. Raises RecordingError."""
        path = self.of(session_id)
        found = () if path is None else read_recording(path, LARGEST)
        return {recording.episode_id: recording for recording in found}


def played_episodes(
    episodes: Iterable[EpisodeRow], logs: Logs, measures: Sequence[Measure]
) -> Iterator[PlayedEpisode]:
    """Yield episodes with what their logs say; where one cannot be read, with the reason.

    What was summarised when a log was packed is read, the rest is computed from the log.
    """
    houses = RecordedHouses(logs.data_dir)
    for session_id, rows in groupby(episodes, key=lambda row: row.session_id):
        found, problem = _summary(session_id, logs, houses, measures)
        summaries = {summary.episode_id: summary for summary in found.episodes}
        problems = {unread.episode_id: unread.problem for unread in found.unread}
        for row in rows:
            missing = problem or f"the log of {session_id} has no such episode"
            summary = summaries.get(row.episode_id)
            why = "" if summary is not None else problems.get(row.episode_id, missing)
            yield PlayedEpisode(row, summary, why)


def _summary(
    session_id: str, logs: Logs, houses: RecordedHouses, measures: Sequence[Measure]
) -> tuple[LogSummary, str]:
    path = logs.of(session_id)
    if path is None:
        return LogSummary(()), f"there is no log of {session_id}"
    is_packed = path.name.endswith(PACKED_SUFFIX)
    kept = kept_summary(path, measures) if is_packed else None
    if kept is not None:
        return kept, ""
    try:
        found = summarise(path, houses, measures)
    except RecordingError as error:
        return LogSummary(()), without_folder(error, path)
    if is_packed and tuple(measures) == MEASURES:
        try:
            keep_summary(path, found)
        except OSError as error:
            # The export is whole without it; the next one computes it again.
            log.warning("summary.not_kept", session=session_id, reason=str(error))
    return found, ""
