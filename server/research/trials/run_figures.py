"""Figures of one run of a trial, read from its recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from episodes.metrics import Row, restricted, rows_of
from server.recording.answering import answered_by
from server.recording.model_calls import model_calls_of
from server.recording.prompt_deduplication import shared_chars
from server.recording.recordings import RecordingError, read_recording
from server.recording.traces import trace_of
from server.research.trials.plan import Run
from server.robots.models.request import TOO_LONG
from server.sessions.policy_records import CallRecord

CALLS: Final = (
    "tokens per call",
    "latency s",
    "parsed %",
    "shared start %",
    "overtaken %",
    "stale %",
    "cached %",
)
"""Columns about model calls.

``shared start`` is how much of a prompt is the start of the one before it of the same purpose in
its seat, which a server can have kept; ``cached`` what the server says that it had.
"""
Key = tuple[str, str, str]
"""Family, metric and reading of a metric of the session."""
SUCCESS: Final[Key] = ("partnr", "success", "code")
STEPS: Final[Key] = ("partnr", "steps", "paper")
TO_SUCCESS: Final[Key] = ("ending", "steps_to_success", "")


class RunFigures(NamedTuple):
    """Figures of a run: the metrics of its episode, and those of its model calls.

    ``until_finished`` and ``until_success`` are its ticks under either ending, the limit where it
    was not solved. ``calls`` has a line for each model call, in the order of `CALLS`.
    """

    task_id: str
    repetition: int
    house: str
    rows: Sequence[Row]
    until_finished: float
    until_success: float
    calls: Sequence[tuple[float | None, ...]] = ()
    out_of_context: bool = False
    """Whether a prompt was longer than the model's context."""
    answered_by: str = ""
    """The answerers of its model calls, in their server's words; empty: there were none."""

    def value(self, key: Key) -> float | None:
        """Return a metric of the session; None where it is undefined."""
        return next(
            (r.value for r in self.rows if (r.family, r.metric, r.reading) == key and not r.seat),
            None,
        )


def figures_of(
    run: Run, path: Path, limit: int, digests: Mapping[str, str] | UnsetType = UNSET
) -> RunFigures:
    """Read a run's recording. ``limit`` is the most ticks that a run has.

    Raises RecordingError, also where it has other ``digests`` than its trial.
    """
    recordings = read_recording(path)
    if len(recordings) != 1:
        raise RecordingError(f"{path}: expected one episode, got {len(recordings)}")
    (recording,) = recordings
    header = recording.header
    if recording.result is None:
        raise RecordingError(
            f"{path}: the end of the episode was lost, and what is left would count as a failure: "
            "remove it, and the same command plays it again"
        )
    if header.spec.session_id != f"ses_{run.key}":
        raise RecordingError(
            f"{path}: expected the run of its name, got another one ({header.spec.session_id}): "
            "remove it, and the same command plays it again"
        )
    if header.digests != digests:
        raise RecordingError(
            f"{path}: it was not played over the same data, houses, prompts, programs and model as "
            "the trial of its folder: remove it, and the same command plays it again"
        )
    with recording.folding():
        trace = trace_of(recording)
        rows = rows_of(trace, header.task.evaluation_propositions)
        calls = model_calls_of(recording)
        made = list(map(_figures, calls, _shared_starts(calls)))
    solved = bool(trace.verdict.success)
    too_long = any(TOO_LONG in call.error for call in calls)
    read = RunFigures(
        run.task_id,
        run.repetition,
        header.task.scene_id,
        rows,
        0.0,
        0.0,
        made,
        too_long,
        answered_by(recording),
    )
    to_success = read.value(TO_SUCCESS)
    return read._replace(
        until_finished=restricted(trace.ticks if solved else None, limit),
        until_success=restricted(None if to_success is None else int(to_success), limit),
    )


def _figures(call: CallRecord, shared: float | None) -> tuple[float | None, ...]:
    """Return the figures of one call, in the order of `CALLS`."""
    prompt, cached = call.prompt_tokens, call.cached_tokens
    return (
        None if prompt is None else float(prompt + (call.completion_tokens or 0)),
        call.latency_s,
        100.0 * (not call.error),
        None if shared is None else 100.0 * shared,
        100.0 * call.overtaken,
        100.0 * bool(call.stale),
        None if cached is None or not prompt else 100.0 * cached / prompt,
    )


def _shared_starts(calls: Sequence[CallRecord]) -> Iterator[float | None]:
    """Yield, for each prompt, the share that its longest common start with the one before it makes.

    The one before it is of the same purpose in the same seat, as policies with several prompts
    have one history for each. None for the first.
    """
    before: dict[tuple[str, str], str] = {}
    for call in calls:
        kind = (call.seat, call.purpose)
        known = before.get(kind)
        before[kind] = call.prompt
        yield shared_chars(known, call.prompt) / len(call.prompt) if known and call.prompt else None
