"""Attempts of a trial, from its folder: policies alone and together, unpaced."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec import UNSET

from episodes.bounded_files import UnreadableError, read_json
from episodes.evaluation import EVALUATOR_VERSION
from server.recording.log_records import Header
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import RecordingError, read_recording
from server.research.coordination.attempts import (
    NO_VERDICT,
    Attempt,
    Reading,
    Source,
    counted,
    named,
    values_of,
)
from server.research.measures.registry import MEASURES
from server.research.summaries.episode_summary import EpisodeSummary, summary_of
from server.research.trials.plan import Run, Trial, TrialError, runs_of
from server.research.trials.runs import Place
from server.research.trials.trial_folder import SPEC
from server.sessions.spec import TICK_RATE, EpisodeSpec

NOT_PLAYED = "the trial has not played it"


def is_trial(folder: Path) -> bool:
    """Tell whether a folder holds a trial."""
    return (folder / SPEC).is_file()


def trial_source(folder: Path, data_dir: Path) -> Source:
    """Read a trial. Raises RecordingError, TrialError."""
    try:
        trial = read_json(folder / SPEC, Trial)
    except (UnreadableError, OSError) as error:
        raise TrialError(f"{folder} holds no trial that can be read: {error}") from error
    place, houses = Place(data_dir, folder), RecordedHouses(data_dir)
    attempts: list[Attempt] = []
    headers: list[Header] = []
    ends: list[str] = []
    left_out: Counter[str] = Counter()
    for run in runs_of(trial):
        path = place.recording(run)
        if not path.exists():
            left_out[NOT_PLAYED] += 1
            continue
        recordings = read_recording(path)
        if len(recordings) != 1 or recordings[0].header.digests != trial.digests:
            raise RecordingError(f"{path}: expected the run of the trial of its folder")
        (recording,) = recordings
        if recording.result is None:
            raise RecordingError(f"{path}: the end of the episode was lost")
        headers.append(recording.header)
        ends.append(recording.result.reason)
        summary = summary_of(recording, houses, MEASURES)
        if summary.verdict.success is None:
            left_out[NO_VERDICT] += 1
            continue
        attempts.append(_attempt(run, recording.header, summary, recording.result.ticks))
    return Source(
        f"trial {folder.name}",
        attempts,
        _circumstances(trial, headers, ends),
        trial.max_ticks / TICK_RATE,
        dict(left_out),
    )


def _attempt(run: Run, header: Header, summary: EpisodeSummary, ticks: int) -> Attempt:
    verdict = summary.verdict
    readings = [
        Reading(result.name, value.seat, value.number)
        for result in summary.measures
        for value in result.values
    ]
    times = [v for r in summary.measures if r.name == "time_to_success" for v in r.values]
    time_s = times[0].number if times else None
    return Attempt(
        tuple(sorted(name for name in run.team.policies.values() if name)),
        run.task_id,
        header.task.scene_id,
        header.scene_digest,
        _seed(header.episode_spec, header.spec.seed),
        values_of(
            readings, bool(verdict.success), verdict.percent_complete or 0.0, ticks / TICK_RATE
        ),
        time_s,
        bool(times) and not times[0].is_censored,
    )


def _seed(spec: EpisodeSpec, of_session: int) -> int:
    return of_session if spec.seed is UNSET else spec.seed


def _circumstances(trial: Trial, headers: list[Header], ends: list[str]) -> dict[str, str]:
    if trial.latency_s is not None:
        latency = f"each decision is charged {trial.latency_s:g} s"
    elif trial.charge is not UNSET:
        latency = "each model call is charged by its tokens"
    else:
        latency = "each decision is charged what it took"
    ending = "all have finished"
    if trial.ending is not UNSET and trial.ending.on_success:
        ending = "on success"
    return {
        "pace": "as fast as it goes; time is counted in ticks",
        "latency": f"{latency}; no network",
        "reading": "none: policies are given the task as a text, and chat at once",
        "rules": named(f"{h.profile} {h.profile_digest[:8]}" for h in headers),
        "ending": f"{ending}; limit: {trial.max_ticks / TICK_RATE:g} s",
        "how it ended": counted(ends),
        "explanations": "none",
        "tasks in a row": "up to 1",
        "simulator": named(f"{h.simulator} {h.simulator_version}" for h in headers),
        "evaluator": EVALUATOR_VERSION,
    }
