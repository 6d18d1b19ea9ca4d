"""Figures of studies at `/metrics`: pauses by cause, and reports that no operator was told of.

Numbers only: neither a study nor a person is named.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

import structlog
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from matchmaking.recruiting_limits import Cause
from server.store import DatabaseError
from server.store.study_pauses import pauses_that_go_on, untold_troubles
from server.web.application_state import ApplicationState

log = structlog.get_logger(__name__)

LONGEST_S = 2.0
"""Seconds after which figures are left out: a database that hangs takes no others with it."""


class StudyFigures(NamedTuple):
    """Figures of all studies of a server."""

    paused: dict[str, int]
    """Studies that are open and take nobody now, by cause."""
    untold_reports: int


class StudyCollector(Collector):
    """Collector of the figures of studies; None: the database does not answer."""

    def __init__(self, figures: StudyFigures | None) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        if self._figures is None:
            return
        paused = GaugeMetricFamily(
            "cohabit_studies_paused",
            "Open studies whose recruiting is paused, by cause.",
            labels=("cause",),
        )
        for cause, count in self._figures.paused.items():
            paused.add_metric((cause,), count)
        yield paused
        yield GaugeMetricFamily(
            "cohabit_untold_reports",
            "Reports of participants that no operator was told of by mail or webhook yet.",
            self._figures.untold_reports,
        )


async def study_figures(state: ApplicationState) -> StudyFigures | None:
    """Return the figures of studies; None: the database does not answer."""
    names = [opened.study.name for opened in state.studies]
    modes = {o.study.name: o.study.mode for o in state.studies if not o.is_closed}
    try:
        async with asyncio.timeout(LONGEST_S), state.database.transaction() as db:
            pauses = {row.study: row.cause for row in await pauses_that_go_on(db, modes)}
            untold = len(await untold_troubles(db, names))
    except (DatabaseError, TimeoutError) as error:
        log.warning("metrics.no_database", reason=str(error))
        return None
    paused = dict.fromkeys(map(str, Cause), 0)
    for cause in pauses.values():
        paused[cause] = paused.get(cause, 0) + 1
    return StudyFigures(paused, untold)
