"""Files in the shape of habitat-hitl's recordings, for the scripts of PARTNR's human study.

``CONDITION/raw/SESSION/session.json.gz`` and one ``EPISODE.json.gz`` for each attempt. A frame is
a step of 1/30 s; one in which nobody did anything is ``{}``, as there. The last frame never is,
because the scripts read the result from it. Camera, poses and states of things are left out:
those scripts that replay an episode need its recording.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from episodes.evaluation.verdict import Verdict
from episodes.metrics.partnr import frames_of
from episodes.trace import Trace
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import RecordingError
from server.recording.traces import trace_of
from server.research.exports.context import ExportContext
from server.research.exports.export import Tell
from server.research.exports.export_folder import ExportFolder
from server.research.exports.played_episodes import Logs
from server.research.exports.tables.leftout import LeftOut
from server.research.summaries.summary_files import without_folder
from server.sessions.events import LAST_REASONS
from server.sessions.spec import TICK_RATE
from server.store.models import EpisodeRow, SessionRow

NO_CONDITION = "none"
"""Folder of attempts that were played in no condition."""


class Written(NamedTuple):
    """Files that were written."""

    episodes: Mapping[str, int]
    """Number of attempts by condition."""
    left_out: list[LeftOut]


def write_hitl(
    context: ExportContext,
    logs: Logs,
    target: Path,
    tell: Tell = lambda _done, _total: None,
) -> Written:
    """Write the attempts of a study to ``target``, which must not be there yet.

    ``tell`` is called with the number of attempts that are done, and of all. Raises
    ExportFolderError.
    """
    counts: dict[str, int] = {}
    left_out: list[LeftOut] = []
    houses = RecordedHouses(logs.data_dir)
    done, total = 0, len(context.episodes)
    with ExportFolder(target) as folder:
        for session_id, rows in groupby(context.episodes, key=lambda row: row.session_id):
            found: dict[str, list[EpisodeRow]] = {}
            traces = _Traces(session_id, logs, houses)
            for row in rows:
                trace = traces.of(row.episode_id)
                done += 1
                tell(done, total)
                if isinstance(trace, str):
                    left_out.append(LeftOut(row.episode_id, "log", trace))
                    continue
                place = context.condition_of(row) or NO_CONDITION
                found.setdefault(place, []).append(row)
                name = f"{place}/raw/{session_id}/{row.episode_id}.json.gz"
                folder.file(name, _packed(_episode(context, row, trace)))
            for place, mine in found.items():
                counts[place] = counts.get(place, 0) + len(mine)
                session = context.group_of_session[session_id].session
                assert session is not None, "it has episodes"
                name = f"{place}/raw/{session_id}/session.json.gz"
                folder.file(name, _packed(_session(context, session, mine)))
        folder.text("README.md", _readme(context, counts))
    return Written(counts, left_out)


class _Traces:
    """Traces of a session's episodes, from its log, which is read once."""

    def __init__(self, session_id: str, logs: Logs, houses: RecordedHouses) -> None:
        self._session_id, self._houses = session_id, houses
        self._path = logs.of(session_id)
        self._problem = "" if self._path is not None else f"there is no log of {session_id}"
        try:
            self._recordings = dict(logs.recordings(session_id))
        except RecordingError as error:
            assert self._path is not None, "it was read"
            self._recordings, self._problem = {}, without_folder(error, self._path)

    def of(self, episode_id: str) -> Trace | str:
        """Return the trace of an episode, or the reason why there is none."""
        recording = self._recordings.get(episode_id)
        if recording is None:
            return self._problem or f"the log of {self._session_id} has no such episode"
        if recording.is_cut:
            return "lines of it are lost or altered, so that nobody knows how it ended"
        try:
            return trace_of(recording, None, self._houses)
        except RecordingError as error:
            return without_folder(error, recording.path)


def _episode(context: ExportContext, row: EpisodeRow, trace: Trace) -> dict[str, Any]:
    group = context.group_of_session[row.session_id]
    frames = [frame and {**frame, "t": frame["t"] / TICK_RATE} for frame in frames_of(trace)]
    verdict: Verdict = trace.verdict
    percent = verdict.percent_complete
    return {
        "session": {"session_error": "", "frame_count": len(frames)},
        "users": _users(context, row.session_id),
        "episode": {
            "episode_index": row.order_index,
            # Tries of one group are rounds of one episode there, those of another group are not.
            "episode_id": f"{row.task_id}/{group.group_id}",
            "scene_id": row.scene_id,
            "dataset": row.dataset,
            "episode_info": {
                "task_id": row.task_id,
                "group_id": group.group_id,
                "try_index": row.try_index,
                "is_tutorial": context.is_practice(row),
            },
            "start_timestamp": _seconds(row.opened_at.timestamp()),
            "end_timestamp": None if row.ended_at is None else _seconds(row.ended_at.timestamp()),
            "finished": percent is not None and row.end_reason not in LAST_REASONS,
            "task_percent_complete": percent,
            "frame_count": len(frames),
        },
        "frames": frames,
        "metrics": {
            "task_percent_complete": percent,
            "task_state_success": None if verdict.success is None else float(verdict.success),
            "task_explanation": verdict.explanation,
            "num_steps": trace.ticks,
        },
    }


def _session(context: ExportContext, session: SessionRow, rows: list[EpisodeRow]) -> dict[str, Any]:
    opened, closed = session.opened_at, session.closed_at
    return {
        "session": {
            "episode_indices": [row.order_index for row in rows],
            "session_error": "",
            "start_timestamp": _seconds(opened.timestamp()),
            "end_timestamp": None if closed is None else _seconds(closed.timestamp()),
        },
        "users": _users(context, session.session_id),
        "episodes": [row.task_id for row in rows],
    }


def _users(context: ExportContext, session_id: str) -> list[dict[str, Any]]:
    """Return the people of a session, seat by seat; the scripts want ids of digits alone."""
    people = [
        row.participant_id
        for row in context.occupancies.get(session_id, ())
        if row.participant_id is not None
    ]
    return [
        {
            "user_index": index,
            "connection_record": {"user_id": _digits(context.pseudonym(person))},
        }
        for index, person in enumerate(dict.fromkeys(people))
    ]


def _digits(pseudonym: str) -> str:
    """Return a pseudonym as a number of fifteen digits."""
    number = int.from_bytes(hashlib.sha256(pseudonym.encode()).digest()[:8], "big")
    return f"{number % 10**15:015d}"


def _seconds(at: float) -> str:
    """Return a time as seconds since 1970, so that times sorted as texts are in order."""
    return f"{at:017.6f}"


def _packed(value: Mapping[str, Any]) -> bytes:
    """Return JSON, packed, the same bytes each time."""
    return gzip.compress(msgspec.json.encode(value, order="deterministic"), 6, mtime=0)


def _readme(context: ExportContext, counts: Mapping[str, int]) -> str:
    return "\n".join(_lines(context, counts)) + "\n"


def _lines(context: ExportContext, counts: Mapping[str, int]) -> Iterator[str]:
    study = context.study
    yield f"# {study.title[study.languages[0]]}"
    yield ""
    yield (
        f"Attempts of the study {study.name}, version {study.version} ({study.mode}), manifest "
        f"{context.stored.manifest.digest}, in the shape of habitat-hitl's recordings: a "
        "collection for each condition, for `scripts/hitl_analysis` of PARTNR."
    )
    yield ""
    yield "| collection | attempts |"
    yield "|---|---|"
    for place, count in sorted(counts.items()):
        yield f"| `{place}` | {count} |"
