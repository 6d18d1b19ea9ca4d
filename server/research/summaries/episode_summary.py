"""Summary of a recorded episode: its verdict, seats, measures and events, from one pass."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

import msgspec

from episodes.evaluation import Verdict
from episodes.metrics import seat_shares
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import Recording, RecordingError
from server.research.measures.doings import Doings, Span, doings_of
from server.research.measures.measure import Measure, Value
from server.research.summaries.episode_events import EpisodeEvent, EventReader
from server.sessions.spec import TICK_RATE


class SeatSummary(msgspec.Struct, frozen=True):
    """Share of an occupied seat in an episode."""

    seat: str
    work_share: float | None
    n_actions: int
    n_refused: int
    n_extraneous_actions: int
    distance_m: float
    idle_s: float
    disconnected_s: float
    hidden_s: float


class MeasureResult(msgspec.Struct, frozen=True):
    """Values of a measure; ``problem`` says why there are none."""

    name: str
    version: int
    values: tuple[Value, ...] = ()
    problem: str = ""


class EpisodeSummary(msgspec.Struct, frozen=True):
    """Answers to what exports ask of the log of an episode; nothing that was said is in it."""

    episode_id: str
    verdict: Verdict
    started_tick: int
    """Tick of the session at which the episode started."""
    seats: tuple[SeatSummary, ...]
    measures: tuple[MeasureResult, ...]
    events: tuple[EpisodeEvent, ...]


def summary_of(
    recording: Recording, houses: RecordedHouses, measures: Sequence[Measure]
) -> EpisodeSummary:
    """Return the summary of an episode, scored again. Raises RecordingError."""
    if recording.is_cut:
        raise RecordingError("lines of it are lost or altered, so that nobody knows how it ended")
    events = EventReader()
    doings = doings_of(recording, houses, also=(events.take,))
    return EpisodeSummary(
        recording.episode_id,
        doings.trace.verdict,
        doings.started_tick,
        _seats(doings),
        tuple(_result(measure, doings) for measure in measures),
        events.events(doings.started_tick),
    )


def _seats(doings: Doings) -> tuple[SeatSummary, ...]:
    return tuple(
        SeatSummary(
            seat=share.seat,
            work_share=share.work_share,
            n_actions=share.actions,
            n_refused=share.refused,
            n_extraneous_actions=share.actions - share.useful,
            distance_m=share.distance_m,
            idle_s=_seconds(doings.idle(share.seat)),
            disconnected_s=_seconds(doings.disconnected.get(share.seat, ())),
            hidden_s=_seconds(doings.hidden.get(share.seat, ())),
        )
        for share in seat_shares(doings.trace)
    )


def _seconds(spans: Sequence[Span]) -> float:
    return sum(span.end - span.start for span in spans) / TICK_RATE


def _result(measure: Measure, doings: Doings) -> MeasureResult:
    """Compute a measure; one that raises has the reason instead of values."""
    try:
        values = tuple(
            value._replace(number=None if value.number is None else float(value.number))
            for value in measure.compute(doings)
        )
    except (Exception, SystemExit) as error:
        # A measure of somebody's own may raise anything: the others are computed. The error's own
        # text could quote what people said.
        *_, frame = traceback.extract_tb(error.__traceback__)
        where = f"in line {frame.lineno} of {Path(frame.filename).name}"
        why = f"it raised {type(error).__name__} {where}"
        return MeasureResult(measure.name, measure.version, problem=why)
    return MeasureResult(measure.name, measure.version, values)
