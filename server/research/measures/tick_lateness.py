"""Lateness of ticks: how well the server kept time."""

from __future__ import annotations

from statistics import fmean

from server.research.measures.measure import Measure, of_team

MEAN = Measure(
    name="tick_lateness",
    version=1,
    definition="How long after its time a tick of the session began, on average.",
    unit="ms",
    source="pace",
    compute=lambda doings: of_team(
        fmean(pace.mean_late_ms for pace in doings.paces) if doings.paces else None
    ),
)
MOST = Measure(
    name="tick_lateness_most",
    version=1,
    definition="How long after its time a tick of the session began, at most.",
    unit="ms",
    source="pace",
    compute=lambda doings: of_team(max((p.most_late_ms for p in doings.paces), default=None)),
)
