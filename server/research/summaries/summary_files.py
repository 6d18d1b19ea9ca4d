"""Files of summaries: one beside each packed log, taken only while it is of that log and ours."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from episodes.bounded_files import LARGEST, UnreadableError, read_file
from episodes.evaluation import EVALUATOR_VERSION
from server.recording.archive import PACKED_SUFFIX
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import RecordingError, read_recording
from server.research.measures.measure import Measure
from server.research.measures.registry import MEASURES
from server.research.summaries.episode_summary import EpisodeSummary, summary_of

SUFFIX = ".summary.json.gz"
VERSION = 1
"""Version of summaries, raised when the same log could give other seats or events."""


class Unread(msgspec.Struct, frozen=True):
    """Episode of which a log says nothing, with the reason."""

    episode_id: str
    problem: str


class LogSummary(msgspec.Struct, frozen=True):
    """Summaries of the episodes of a log, and what they were computed by and from."""

    episodes: tuple[EpisodeSummary, ...]
    unread: tuple[Unread, ...] = ()
    log_sha256: str = ""
    """Digest of the packed log in hex; empty: it is not to be kept."""
    version: int = VERSION
    evaluator_version: str = EVALUATOR_VERSION


def summary_path(packed_log: Path) -> Path:
    """Return the path of the summary of a packed log."""
    return packed_log.with_name(packed_log.name.removesuffix(PACKED_SUFFIX) + SUFFIX)


def summarise(
    log: Path, houses: RecordedHouses, measures: Sequence[Measure] = MEASURES
) -> LogSummary:
    """Return the summary of a log. Raises RecordingError for one that cannot be read.

    The summary can be kept where all of it is in the log, which is packed: houses of the data
    directory, which older logs need, may be built anew.
    """
    is_packed = log.name.endswith(PACKED_SUFFIX)
    recordings = read_recording(log, LARGEST)
    is_whole = all(recording.header.surroundings is not None for recording in recordings)
    digest = _digest(log) if is_packed and is_whole else ""
    episodes: list[EpisodeSummary] = []
    unread: list[Unread] = []
    for recording in recordings:
        try:
            episodes.append(summary_of(recording, houses, measures))
        except RecordingError as error:
            unread.append(Unread(recording.episode_id, without_folder(error, log)))
    return LogSummary(tuple(episodes), tuple(unread), digest)


def keep_summary(packed_log: Path, summary: LogSummary) -> None:
    """Keep a summary beside its packed log, if it can be kept. Raises OSError."""
    if not summary.log_sha256:
        return
    target = summary_path(packed_log)
    # It can be computed again from the log: after a crash it is whole, or it is not taken.
    packed = gzip.compress(msgspec.json.encode(summary), compresslevel=6, mtime=0)
    descriptor, draft = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(packed)
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise


def kept_summary(packed_log: Path, measures: Sequence[Measure] = MEASURES) -> LogSummary | None:
    """Return the summary that is kept of a packed log.

    None: there is none, or it is of another log, evaluator or version of a measure.
    """
    try:
        found = msgspec.json.decode(read_file(summary_path(packed_log), LARGEST), type=LogSummary)
        digest = _digest(packed_log)
    except (UnreadableError, OSError, msgspec.DecodeError):
        # Whatever is wrong with it, the log itself is read instead, and says what is wrong.
        return None
    is_ours = (found.version, found.evaluator_version) == (VERSION, EVALUATOR_VERSION)
    if not is_ours or found.log_sha256 != digest:
        return None
    wanted: Mapping[str, int] = {measure.name: measure.version for measure in measures}
    for episode in found.episodes:
        has = {result.name: result.version for result in episode.measures}
        if any(has.get(name) != version for name, version in wanted.items()):
            return None
    return found


def without_folder(error: Exception, log: Path) -> str:
    """Return what is wrong with a log without its folder, which differs from machine to machine."""
    return str(error).replace(f"{log.parent}/", "")


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
