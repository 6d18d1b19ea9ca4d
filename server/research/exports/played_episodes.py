"""Episodes with what their logs say: each is folded and scored once, in the order of the study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import msgspec

from episodes.bounded_files import LARGEST
from episodes.evaluation import Verdict
from server.recording.archive import PACKED_SUFFIX, SUFFIX
from server.recording.recorded_houses import RecordedHouses, known_surroundings
from server.recording.recordings import Recording, RecordingError, read_recording
from server.recording.traces import trace_of
from server.research.measures.doings import Doings, doings_of
from server.store.models import EpisodeRow


class PlayedEpisode(NamedTuple):
    """An episode of a study, with what its log says; ``problem`` says why it says nothing."""

    row: EpisodeRow
    log: tuple[Recording, Doings] | None
    problem: str

    @property
    def verdict(self) -> Verdict | None:
        """The final verdict: that of the log, else the one that was shown; None: neither."""
        if self.log is not None:
            return self.log[1].trace.verdict
        return self.shown

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


def played_episodes(episodes: Iterable[EpisodeRow], logs: Logs) -> Iterator[PlayedEpisode]:
    """Yield episodes with their logs; one that cannot be read is yielded with the reason."""
    houses = RecordedHouses(logs.data_dir)
    for session_id, rows in groupby(episodes, key=lambda row: row.session_id):
        recordings, problem = _read(session_id, logs)
        for row in rows:
            recording = recordings.get(row.episode_id)
            if recording is None:
                why = problem or f"the log of {session_id} has no such episode"
                yield PlayedEpisode(row, None, why)
                continue
            try:
                yield PlayedEpisode(row, (recording, _doings(recording, houses)), "")
            except RecordingError as error:
                yield PlayedEpisode(row, None, _without_folder(error, logs))


def _doings(recording: Recording, houses: RecordedHouses) -> Doings:
    if recording.is_cut:
        raise RecordingError("the end of it was lost, and is in no log")
    trace = trace_of(recording, None, houses)
    return doings_of(recording, trace, known_surroundings(recording.header, houses))


def _read(session_id: str, logs: Logs) -> tuple[dict[str, Recording], str]:
    path = logs.of(session_id)
    if path is None:
        return {}, f"there is no log of {session_id}"
    try:
        found = read_recording(path, LARGEST)
    except RecordingError as error:
        return {}, _without_folder(error, logs)
    return {recording.episode_id: recording for recording in found}, ""


def _without_folder(error: Exception, logs: Logs) -> str:
    """Return what went wrong without the folder, which differs from machine to machine."""
    text = str(error)
    for folder in (logs.archive_dir, logs.recordings_dir):
        text = text.replace(f"{folder}/", "")
    return text
