"""Absences in a report: who was away for a while, and for how long."""

from __future__ import annotations

from episodes.drawing.timeline import Lane, Span
from server.reports.absences import absences
from server.reports.task_clock import TaskClock
from tests.server.reports.test_report_page import ACTORS


def test_it_says_who_was_away_and_for_how_long() -> None:
    lanes = [
        Lane("human_0", "human-1", "the human", away=(Span(60 * 30, 160 * 30, ""),)),
        Lane("robot_0", "robot-1", "the robot", away=(Span(30 * 30, 72 * 30, ""), Span(0, 9, ""))),
    ]
    assert absences(lanes, ACTORS, clock=TaskClock(300)) == (
        "0:20 Your partner was away for 42 s.",
        "0:50 You were away for 1 min 40 s.",
    )


def test_who_left_for_good_is_not_told_to_have_been_away_then() -> None:
    gone = Lane(
        "robot_0",
        "robot-1",
        "the robot",
        away=(Span(300, 600, ""), Span(900, 3000, "")),
        left=2700,
    )
    assert absences([gone], ACTORS) == ("0:10 Your partner was away for 10 s.",)
