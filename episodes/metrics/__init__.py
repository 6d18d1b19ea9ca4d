"""Metrics of episodes: PARTNR's, MAP-THOR's and TEACh's, each in the readings that differ."""

from episodes.metrics.intervals import (
    Interval,
    bootstrap,
    clopper_pearson,
    student_t,
)
from episodes.metrics.mapthor import MapThor, balance, map_thor
from episodes.metrics.partnr import Partnr, SeatShare, frames_of, partnr, seat_shares
from episodes.metrics.table import METRICS, Row, Summary, rows_of, summarise, to_csv
from episodes.metrics.teach import GoalConditions, goal_conditions, path_weight, pooled

__all__ = [
    "METRICS",
    "GoalConditions",
    "Interval",
    "MapThor",
    "Partnr",
    "Row",
    "SeatShare",
    "Summary",
    "balance",
    "bootstrap",
    "clopper_pearson",
    "frames_of",
    "goal_conditions",
    "map_thor",
    "partnr",
    "path_weight",
    "pooled",
    "rows_of",
    "seat_shares",
    "student_t",
    "summarise",
    "to_csv",
]
