"""Measures of teams by the papers' formulas, which `episodes.metrics` computes."""

from __future__ import annotations

from collections.abc import Callable

from episodes.metrics import partnr, team_measures
from episodes.metrics.team import SeatMeasures, TeamMeasures
from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value, of_team


def _of_team(field: Callable[[TeamMeasures], float | None]) -> Callable[[Doings], list[Value]]:
    return lambda doings: of_team(field(team_measures(doings.trace, doings.goals)))


def _of_seats(field: Callable[[SeatMeasures], float | None]) -> Callable[[Doings], list[Value]]:
    return lambda doings: [
        Value(seat.seat, field(seat)) for seat in team_measures(doings.trace, doings.goals).seats
    ]


def _exploration(doings: Doings) -> list[Value]:
    return of_team(partnr(doings.trace).exploration)


TEAM_MEASURES = (
    Measure(
        name="task_offloading",
        version=1,
        definition="Share of the goals that count and are credited to anybody, credited to robots, "
        "whatever the outcome (PARTNR counts successes only).",
        unit="share from 0 to 1",
        source="goals, actions",
        compute=_of_team(lambda team: team.offloading),
    ),
    Measure(
        name="extraneous_effort",
        version=1,
        definition="Share of accepted actions that did not raise percent complete (PARTNR, "
        "section 4.2.2). What rises while a thing is carried over its place counts for putting it "
        "down, if it holds then.",
        unit="share from 0 to 1",
        source="intents, percent complete",
        compute=_of_team(lambda team: team.extraneous),
    ),
    Measure(
        name="exploration",
        version=1,
        definition="Steps until the first thing was picked up (PARTNR); empty: none was.",
        unit="1/30 s",
        source="intents",
        compute=_exploration,
    ),
    Measure(
        name="transport_rate",
        version=1,
        definition="Share of goals that were satisfied and not invalidated (MAP-THOR).",
        unit="share from 0 to 1",
        source="verdict",
        compute=_of_team(lambda team: team.transport_rate),
    ),
    Measure(
        name="coverage",
        version=1,
        definition="Share of the goals' things and places that accepted actions named (MAP-THOR).",
        unit="share from 0 to 1",
        source="intents",
        compute=_of_team(lambda team: team.coverage),
    ),
    Measure(
        name="balance",
        version=1,
        definition="Goals of whoever completed fewest over goals of whoever completed most "
        "(MAP-THOR); empty for a body alone.",
        unit="share from 0 to 1",
        source="goals, actions",
        compute=_of_team(lambda team: team.balance),
    ),
    Measure(
        name="work_share",
        version=1,
        definition="Share of the goals that count and are credited to anybody, credited to the "
        "seat.",
        unit="share from 0 to 1",
        source="goals, actions",
        compute=_of_seats(lambda seat: seat.credit_share),
    ),
)
