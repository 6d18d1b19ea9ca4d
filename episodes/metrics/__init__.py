"""Metrics of episodes: PARTNR's, MAP-THOR's and TEACh's, each in the readings that differ."""

from episodes.metrics.comparison import Comparison, Paired, compare, holm, paired
from episodes.metrics.endings import Endings, endings, restricted
from episodes.metrics.intervals import (
    Interval,
    bootstrap,
    clopper_pearson,
    standard_error,
    student_t,
)
from episodes.metrics.mapthor import MapThor, map_thor
from episodes.metrics.partnr import Partnr, SeatShare, frames_of, partnr, seat_shares
from episodes.metrics.table import METRICS, Row, Summary, rows_of, summarise, to_csv
from episodes.metrics.teach import GoalConditions, goal_conditions, path_weight, pooled
from episodes.metrics.team import SeatMeasures, TeamMeasures, balance, team_measures

__all__ = [
    "METRICS",
    "Comparison",
    "Endings",
    "GoalConditions",
    "Interval",
    "MapThor",
    "Paired",
    "Partnr",
    "Row",
    "SeatMeasures",
    "SeatShare",
    "Summary",
    "TeamMeasures",
    "balance",
    "bootstrap",
    "clopper_pearson",
    "compare",
    "endings",
    "frames_of",
    "goal_conditions",
    "holm",
    "map_thor",
    "paired",
    "partnr",
    "path_weight",
    "pooled",
    "restricted",
    "rows_of",
    "seat_shares",
    "standard_error",
    "student_t",
    "summarise",
    "team_measures",
    "to_csv",
]
