"""Page `/metrics` in the format of Prometheus: figures of the host and its workers.

Numbers only, by worker; never by session or person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from fastapi import APIRouter
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from server.durations import CALL_BOUNDS_S, EVALUATION_BOUNDS_S, WAIT_BOUNDS_S, Durations
from server.hosting.host_stats import HostStats, WorkerState
from server.ipc.messages import LATE_BUCKETS_S
from server.web.application_state import ApplicationState, AppState
from server.web.operator_standing import GuessesSpentError
from server.web.study_metrics import StudyCollector, study_figures

router = APIRouter(default_response_class=Response)

_GAUGES = {
    "sessions": "Open sessions.",
    "playing": "Sessions whose episode goes on.",
    "connections": "Browsers that play or watch.",
    "queued_bytes": "Bytes that wait in the web process to leave through sockets.",
    "publishing": "Verdicts that are not stored in the database yet.",
    "unrecorded": "Sessions whose log cannot be written now.",
    "unrecorded_s": "Seconds of play that are in no log now, of all sessions together.",
}
_COUNTERS = {
    "messages_out": "Messages handed to browsers' sockets.",
    "bytes_out": "Their bytes.",
    "returns": "Sockets that came to a seat which had one before.",
    "fell_behind": "How often a browser read too slowly and was sent nothing for a while.",
    "lost_seconds": "Seconds of play that people were shown and that no recording has.",
    "lost_events": "Acts and lines of chat that people were shown and that no recording has.",
    "lost_sessions": "Sessions that lost some of it.",
    "ignored": "Messages of players that came while their session had no worker.",
}
_LABELS = ("worker",)


class HostCollector(Collector):
    """Collector of the figures of a host, at each scrape."""

    def __init__(self, state: ApplicationState, stats: HostStats) -> None:
        self._state, self._stats = state, stats

    def collect(self) -> Iterable[Metric]:
        stats, state = self._stats, self._state
        for name, text in _GAUGES.items():
            yield GaugeMetricFamily(f"cohabit_{name}", text, getattr(stats, name))
        for name, text in _COUNTERS.items():
            yield CounterMetricFamily(f"cohabit_{name}", text, getattr(stats, name))
        yield GaugeMetricFamily("cohabit_waiting", "People in the lobby.", state.lobby.waiting())
        yield GaugeMetricFamily(
            "cohabit_free_homes",
            "Sessions that may still open; 0 while admission is closed.",
            state.sessions.free_places(),
        )
        yield GaugeMetricFamily(
            "cohabit_admission_open",
            "1 while new sessions may open; 0 under overload, without room to record, at the end.",
            state.host.refusal() is None,
        )
        yield GaugeMetricFamily(
            "cohabit_untidy_sessions",
            "Sessions that could not be resumed or closed; this is tried again.",
            state.sessions.untidy,
        )
        yield GaugeMetricFamily(
            "cohabit_orphaned_logs",
            "Logs of sessions that the database does not know, when that was last looked up.",
            state.readiness.orphans.count,
        )
        turned_away = CounterMetricFamily(
            "cohabit_turned_away", "Forms that met a limit.", labels=("limit",)
        )
        for limit, times in state.admission.turned_away.items():
            turned_away.add_metric((limit,), times)
        yield turned_away
        yield CounterMetricFamily(
            "cohabit_given_back",
            "Sessions closed because no page of them asked for anything any more.",
            state.sessions.given_back,
        )
        stays = HistogramMetricFamily(
            "cohabit_lobby_stay_seconds",
            "Stays in the lobby that ended, by how: matched, gone, unready, expired and so on.",
            labels=("outcome",),
        )
        for outcome, told in state.lobby.tally.told().items():
            _add(stays, str(outcome), WAIT_BOUNDS_S, told)
        yield stays
        yield from _workers(stats.workers)


def _workers(workers: tuple[WorkerState, ...]) -> Iterable[Metric]:
    up = GaugeMetricFamily("cohabit_worker_up", "1 while the process runs.", labels=_LABELS)
    overloaded = GaugeMetricFamily(
        "cohabit_worker_overloaded", "1 while it takes no more sessions.", labels=_LABELS
    )
    restarts = CounterMetricFamily(
        "cohabit_worker_restarts", "How often it died and was started again.", labels=_LABELS
    )
    stretched = CounterMetricFamily(
        "cohabit_time_stretched_seconds",
        "How much sessions fell behind real time, because ticks are never skipped.",
        labels=_LABELS,
    )
    for worker in workers:
        name = (worker.name,)
        up.add_metric(name, worker.is_up)
        overloaded.add_metric(name, worker.is_overloaded)
        restarts.add_metric(name, worker.restarts)
        stretched.add_metric(name, worker.stretched_s)
    yield from (up, overloaded, restarts, stretched)
    yield from _stats(workers)


_WORKER_GAUGES = {
    "sessions": "Sessions in this worker.",
    "rss_bytes": "Resident memory.",
    "tick_us_mean": "A whole tick of a session, all in, in microseconds, in the last second.",
    "log_lag_s": "Age of the oldest thing that should be in a log and is not, in seconds.",
    "unrecorded": "Its sessions whose log cannot be written now.",
    "unrecorded_s": "Seconds of play of its sessions that are in no log now.",
}
_WORKER_COUNTERS = {
    "cpu_s": "Processor time, in seconds.",
    "episodes": "Episodes begun.",
    "log_bytes": "Bytes written to logs.",
    "logs_restored": "Times that a log was removed or spoiled while written, and written again.",
}


def _stats(workers: tuple[WorkerState, ...]) -> Iterable[Metric]:
    told = [(worker.name, worker.stats) for worker in workers if worker.stats is not None]
    for field, text in _WORKER_GAUGES.items():
        gauge = GaugeMetricFamily(f"cohabit_worker_{field}", text, labels=_LABELS)
        for name, stats in told:
            gauge.add_metric((name,), getattr(stats, field))
        yield gauge
    for field, text in _WORKER_COUNTERS.items():
        counter = CounterMetricFamily(f"cohabit_worker_{field}", text, labels=_LABELS)
        for name, stats in told:
            counter.add_metric((name,), getattr(stats, field))
        yield counter
    late = HistogramMetricFamily(
        "cohabit_tick_lateness_seconds", "How long after its time a tick began.", labels=_LABELS
    )
    calls = HistogramMetricFamily(
        "cohabit_model_call_seconds", "How long answers of a model took.", labels=_LABELS
    )
    errors = CounterMetricFamily(
        "cohabit_model_errors", "Calls of a model that came to nothing.", labels=_LABELS
    )
    looks = HistogramMetricFamily(
        "cohabit_evaluation_seconds", "How long the evaluator took for a tick.", labels=_LABELS
    )
    for name, stats in told:
        _add(late, name, LATE_BUCKETS_S, Durations(stats.late_counts, stats.late_sum_s))
        _add(calls, name, CALL_BOUNDS_S, stats.model_calls)
        errors.add_metric((name,), stats.model_errors)
        _add(looks, name, EVALUATION_BOUNDS_S, stats.evaluations)
    yield from (late, calls, errors, looks)


def _add(
    family: HistogramMetricFamily, label: str, bounds_s: Sequence[float], told: Durations
) -> None:
    """Add what was told under a label; nothing where nothing is counted yet."""
    bounds = [*(str(bound) for bound in bounds_s), "+Inf"]
    counts = accumulate(told.counts)
    if told.counts:
        buckets = [(bound, float(count)) for bound, count in zip(bounds, counts, strict=True)]
        family.add_metric((label,), buckets, told.sum_s)


@router.get("/metrics")
async def metrics(state: AppState, request: Request) -> Response:
    """Answer with the figures, to operators alone (see `Operators.is_machine`)."""
    try:
        if not state.operators.is_machine(request):
            return PlainTextResponse(
                "for operators: send COHABIT_METRICS_TOKEN as a bearer token", 403
            )
    except GuessesSpentError as error:
        headers = {"retry-after": str(error.retry_after_s)}
        return PlainTextResponse(f"{error.heading}. {error.text}", error.status, headers)
    registry = CollectorRegistry()
    ProcessCollector(namespace="cohabit_web", registry=registry)
    registry.register(HostCollector(state, state.host.stats()))
    registry.register(StudyCollector(await study_figures(state)))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
