from typing import cast

import pytest

from episodes.drawing.steps import TaskSteps
from episodes.drawing.timeline import Lane, Wait
from episodes.poses import IDENTITY, Pose
from episodes.seats import PAIR
from episodes.world import AgentMoved, AgentPose, HolderChanged, ObjectMoved
from server.recording import log_records
from server.recording.log_records import TickLine
from server.reports.course import Played, played
from server.sessions.events import Blocked, Did, PhaseChanged, PresenceChanged, Said
from server.sessions.spec import SessionSpec

HUMAN, ROBOT = "human_0", "robot_0"
NO_STEPS = TaskSteps((), (), ())


class Header:
    """All that the fold of a log asks of its header."""

    def __init__(self, spec: SessionSpec | None = None) -> None:
        self.spec = spec or SessionSpec.pair("ses_1", 1)
        self.tick = 0


def at(x: float, z: float = 0.0) -> AgentPose:
    return AgentPose((x, 0.0, z), 0.0, 0.0)


def course_of(*lines: TickLine, spec: SessionSpec | None = None) -> Played:
    return played(
        cast("log_records.Header", Header(spec)), lines, NO_STEPS, lambda handle: f"the {handle}"
    )


def lane_of(story: Played, seat: str) -> Lane:
    return next(lane for lane in story.course.lanes if lane.seat == seat)


def walk(start: int, end: int, seat: str = HUMAN, speed: float = 0.05) -> list[TickLine]:
    return [TickLine(t, (AgentMoved(seat, at(speed * t)),)) for t in range(start, end + 1)]


def test_walking_is_told_in_spans_and_metres() -> None:
    lines = [TickLine(0, events=(PhaseChanged("running"),)), *walk(0, 40), *walk(45, 60)]
    story = course_of(*lines, *walk(100, 120))
    lane = lane_of(story, HUMAN)
    # A stop of a few ticks is none.
    assert [(s.start, s.end) for s in lane.walks] == [(0, 60), (99, 120)]
    assert lane.walked_m == pytest.approx(0.05 * 120)
    assert lane_of(story, ROBOT).walks == ()
    assert story.course.ticks == 120


def test_holding_acting_and_chatting() -> None:
    story = course_of(
        TickLine(10, events=(PhaseChanged("running"),)),
        TickLine(40, (HolderChanged("cup", HUMAN),), (Did(HUMAN, "pick", "cup"),)),
        TickLine(70, (), (Said(ROBOT, "hello"),)),
        TickLine(
            100,
            (HolderChanged("cup", None), ObjectMoved("cup", Pose((1.0, 2.0, 3.0), IDENTITY))),
            (Did(HUMAN, "place", "cup", where="table|top"),),
        ),
        TickLine(130, (HolderChanged("plate", ROBOT), AgentMoved(ROBOT, at(4.0)))),
        TickLine(190, (), (PhaseChanged("ended", "finished"),)),
    )
    human, robot = lane_of(story, HUMAN), lane_of(story, ROBOT)
    assert [(h.start, h.end, h.what) for h in human.holds] == [(30, 90, "held the cup")]
    assert [(a.tick, a.what) for a in human.acts] == [
        (30, "picked up the cup"),
        (90, "put down the cup"),
    ]
    assert [(c.tick, c.what) for c in robot.chats] == [(60, "hello")]
    # What is held at the end is held to the end, and is where its holder is.
    assert [(h.start, h.end) for h in robot.holds] == [(120, 180)]
    assert story.finals == {"cup": (1.0, 2.0, 3.0), "plate": (4.0, 0.0, 0.0)}
    assert story.course.ticks == 180


def test_what_is_handed_over_changes_hands() -> None:
    story = course_of(
        TickLine(0, (HolderChanged("cup", HUMAN),), (PhaseChanged("running"),)),
        TickLine(30, (HolderChanged("cup", ROBOT),)),
        TickLine(60, (HolderChanged("cup", None),)),
    )
    assert [(h.start, h.end) for h in lane_of(story, HUMAN).holds] == [(0, 30)]
    assert [(h.start, h.end) for h in lane_of(story, ROBOT).holds] == [(30, 60)]


def test_absence_is_told_and_what_came_before_the_start_is_not() -> None:
    story = course_of(
        TickLine(5, (), (Said(HUMAN, "are you there?"), PresenceChanged(ROBOT, "ready"))),
        TickLine(30, (), (PhaseChanged("running"),)),
        TickLine(60, (), (PresenceChanged(ROBOT, "reconnecting", 30.0),)),
        TickLine(90, (), (PresenceChanged(ROBOT, "connected"),)),
        TickLine(120, (), (PresenceChanged(ROBOT, "away"),)),
        TickLine(150, (), (PhaseChanged("ended", "left"),)),
    )
    assert lane_of(story, HUMAN).chats == ()
    assert [(s.start, s.end) for s in lane_of(story, ROBOT).away] == [(30, 60), (90, 120)]


def test_an_empty_seat_has_no_lane() -> None:
    story = course_of(TickLine(1), spec=SessionSpec.solo("ses_1", 1))
    assert [lane.seat for lane in story.course.lanes] == [HUMAN]
    assert [s.seat_id for s in PAIR] == [ROBOT, HUMAN]


def test_bodies_that_stood_in_the_way_for_long_are_told() -> None:
    story = course_of(
        TickLine(30, (), (PhaseChanged("running"),)),
        TickLine(60, (), (Blocked(HUMAN, ROBOT, "pushes"),)),
        TickLine(70, (), (Blocked(HUMAN, "", "lets_go"),)),
        TickLine(90, (), (Blocked(HUMAN, ROBOT, "pushes"),)),
        TickLine(150, (), (Blocked(HUMAN, ROBOT, "passes"),)),
        TickLine(170, (), (Blocked(HUMAN, "", "passed"),)),
        TickLine(200, (), (Blocked(ROBOT, HUMAN, "pushes"),)),
        TickLine(230, (), (PhaseChanged("ended", "left"),)),
    )
    assert lane_of(story, HUMAN).waits == (
        Wait(60, 120, "the robot stood in the way for 2 s", ROBOT),
    )
    assert lane_of(story, ROBOT).waits == (
        Wait(170, 200, "the person stood in the way for 1 s", HUMAN),
    )
