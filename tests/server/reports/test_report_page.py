import msgspec
import pytest

from episodes.drawing.timeline import Lane, Wait
from episodes.evaluation import ConstraintOutcome, Verdict, unavailable
from episodes.evaluation.account import Account, Shortfall
from episodes.evaluation.account_sentences import clock
from server.reports.decisions import Choice
from server.reports.page import (
    Actor,
    Report,
    as_read,
    blockages,
    decisions,
    departures,
    limit_words,
    make_report,
    open_policies,
)
from server.reports.placements import Placement
from server.reports.task_clock import TaskClock
from server.sessions.spec import SessionSpec
from tests.server.web.doubles import proposition, verdict

ACTORS = {
    "human_0": Actor("you", "human", "human-1"),
    "robot_0": Actor("your partner", "robot", "robot-1"),
}
MISSING = {"satisfied": False, "satisfied_tick": None, "by_seat": None, "holds_now": False}


def report(value: Verdict, reason: str = "finished", ticks: int = 1800) -> Report:
    return make_report(value, reason, ticks, ACTORS)


@pytest.mark.parametrize(
    ("told", "read"),
    [
        ("The cup is in the hand of the robot.", "The cup is in the hand of your partner."),
        ("The cup is in the hand of the human.", "The cup is in your hand."),
        ("It was moved by the robot at 1:05.", "It was moved by your partner at 1:05."),
        ("It was moved by the human at 1:05.", "It was moved by you at 1:05."),
    ],
)
def test_whoever_reads_of_a_pair_reads_one_word_for_each(told: str, read: str) -> None:
    assert as_read(told, ACTORS) == read
    account = Account(shortfalls=(Shortfall(0, "never", 0, (), told, (told,)),))
    value = msgspec.structs.replace(verdict(proposition(0, **MISSING)), account=account)
    (point,) = report(value).points
    assert (point.text, point.mend) == (read, (read,))


def test_everything_done() -> None:
    made = report(verdict(proposition(0)))
    assert made.sentence == "Task complete: everything is where it should be."
    assert (made.percent, made.tone, made.lasted) == (100, "good", "1:00")
    (row,) = made.rows
    assert (row.mark, row.at, row.actor) == ("done", "0:42", ACTORS["human_0"])


def test_times_are_those_of_the_clock_that_players_saw() -> None:
    """The clock started ten seconds after the episode, when all had begun to play."""
    made = make_report(verdict(proposition(0)), "finished", 1800, ACTORS, clock=TaskClock(300))
    assert (made.lasted, made.rows[0].at) == ("0:50", "0:32")
    begun = make_report(verdict(proposition(0)), "finished", 1800, ACTORS, clock=TaskClock(1500))
    assert begun.rows[0].at == "0:00"


def test_the_explanation_tells_the_same_times_as_the_rows() -> None:
    """The evaluator counts from the start of the episode, eleven seconds before the clock."""
    told = "Now it is there. 1 of 2 were done by the human at 0:42, undone by the robot at 1:00."
    missing = Shortfall(0, "part", 1, (), told, ("Look at 0:42 again.",))
    value = msgspec.structs.replace(
        verdict(
            proposition(0, broken_tick=1800, holds_now=False),
            proposition(1, **MISSING),
        ),
        account=Account(shortfalls=(missing,)),
    )
    made = make_report(value, "finished", 3000, ACTORS, clock=TaskClock(330))
    assert made.rows[0].at == "0:31"
    assert made.points[0].text.endswith("done by you at 0:31, undone by your partner at 0:49.")
    placed = {0: Placement(1350, "human_0", None, "the cup", "")}
    late = make_report(value, "finished", 3000, ACTORS, clock=TaskClock(330), placed=placed)
    assert late.rows[0].at == "0:34"
    assert "done by you at 0:34" in late.points[0].text


def test_what_is_missing_is_said_as_it_should_have_been() -> None:
    made = report(verdict(proposition(0), proposition(1, **MISSING)))
    assert made.sentence == "1 of 2 steps done."
    assert made.rows[1].text == "Cup should have been placed on top of the table"
    assert (made.rows[1].mark, made.rows[1].actor, made.rows[1].at) == ("missing", None, "")


def test_why_it_ended_is_said_unless_all_is_done() -> None:
    part = verdict(proposition(0, **MISSING))
    assert report(part, "time_limit").sentence.startswith("Time ran out. Nothing")
    assert report(part, "left").sentence.startswith("It ended because somebody left, or was")
    assert report(verdict(proposition(0)), "time_limit").sentence.startswith("Task complete")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("TemporalConstraint", "Done, but not in the order"),
        ("TerminalSatisfactionConstraint", "Done, but it was undone"),
        ("SameArgConstraint", "Done, but not all with the same"),
        ("DifferentArgConstraint", "Done, but not with different"),
    ],
)
def test_a_broken_constraint_is_explained_in_the_row(kind: str, words: str) -> None:
    value = verdict(
        proposition(0),
        proposition(1, valid=False),
        constraints=(ConstraintOutcome(0, kind, False, (True, False), (1,)),),
    )
    made = report(value)
    assert made.sentence == "Every step was done, but not quite in the way the task asks."
    assert [r.mark for r in made.rows] == ["done", "void"]
    assert made.rows[1].note.startswith(words)


def test_who_undid_it() -> None:
    value = verdict(
        proposition(0, holds_now=False, broken_tick=3000, broken_by_seat="robot_0"),
    )
    assert report(value).rows[0].note == "Undone at 1:40 by your partner."


def test_our_explanation_says_what_would_have_put_it_right() -> None:
    missing = Shortfall(0, "never", 0, (), "The cup should be clean.", ("Wash the cup.",))
    value = verdict(proposition(0, **MISSING))
    made = report(msgspec.structs.replace(value, account=Account(shortfalls=(missing,))))
    assert made.points == (("The cup should be clean.", ("Wash the cup.",)),)
    assert report(value).points == ()


def test_no_verdict_is_not_the_same_as_nothing_done() -> None:
    made = report(unavailable("the task names a thing that is not there", "documented"))
    assert made.percent is None
    assert made.sentence == "This task could not be judged."
    assert "not there" in made.explanation


@pytest.mark.parametrize(
    ("complete", "success", "shown"),
    [(0.0, False, 0), (0.001, False, 1), (0.999, False, 99), (1.0, True, 100)],
)
def test_rounding_never_lies(complete: float, success: bool, shown: int) -> None:
    value = verdict(proposition(0), percent_complete=complete, success=success)
    assert report(value).percent == shown


def test_the_limit_of_a_task_is_told_in_minutes() -> None:
    assert [limit_words(limit_s) for limit_s in (30, 60, 77, 300)] == [
        "0:30 minutes",
        "1 minute",
        "1:17 minutes",
        "5 minutes",
    ]


def test_the_clock() -> None:
    assert [clock(t) for t in (0, 29, 30, 1799, 30 * 754)] == [
        "0:00",
        "0:00",
        "0:01",
        "0:59",
        "12:34",
    ]


def test_decisions_are_told_of_those_who_may_be_told_of() -> None:
    def choice(seat: str, tick: int, thought: float | None) -> Choice:
        return Choice(
            seat=seat, tick=tick, words="waiting", trouble="", took_s=1.5, thought_s=thought
        )

    chosen = [choice("robot_0", 300, 0.25), choice("robot_0", 600, None), choice("human_0", 1, 1)]
    robot = ACTORS["robot_0"]
    assert decisions(chosen, {"robot_0": robot}) == {
        robot: [("0:10", "waiting", "", "1.5 s", "0.2 s"), ("0:20", "waiting", "", "1.5 s", "")]
    }
    assert decisions(chosen, {}) == {}


def test_hidden_policies_and_stand_ins_are_not_told_of() -> None:
    spec = SessionSpec.pair("ses_1", 1)
    person, robot = spec.seats if spec.seats[0].seat.kind == "human" else spec.seats[::-1]
    played = msgspec.structs.replace(
        spec, seats=(person, msgspec.structs.replace(robot, policy="react"))
    )
    assert open_policies(played, ACTORS) == {"robot_0": ACTORS["robot_0"]}
    assert open_policies(msgspec.structs.replace(played, tells_doing=False), ACTORS) == {}
    # Who stands in for a participant has a seat that is no policy's.
    stand_in = msgspec.structs.replace(spec, when_gone="policy", stand_in="expert")
    assert open_policies(stand_in, ACTORS) == {}


def test_who_stood_in_whose_way_is_told_in_the_order_of_time() -> None:
    lanes = [
        Lane("human_0", "human-1", "the human", waits=(Wait(600, 660, "", "robot_0"),)),
        Lane("robot_0", "robot-1", "the robot", waits=(Wait(90, 130, "", "human_0"),)),
    ]
    assert blockages(lanes, ACTORS) == (
        "0:03 You stood in your partner's way for 1 s.",
        "0:20 Your partner stood in your way for 2 s.",
    )


def test_who_left_before_the_end_is_told_with_the_time() -> None:
    lanes = [
        Lane("human_0", "human-1", "the human"),
        Lane("robot_0", "robot-1", "the robot", left=56 * 30),
    ]
    assert departures(lanes, ACTORS) == ("0:56 Your partner left, and did not come back.",)
    assert departures(lanes[:1], ACTORS) == ()
