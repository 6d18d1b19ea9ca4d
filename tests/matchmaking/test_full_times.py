"""Waits that conditions have in common, and those for a session, which are the server's alone."""

from __future__ import annotations

from msgspec.structs import replace

from matchmaking.due_instants import next_due
from matchmaking.full_times import FullTimes
from matchmaking.limits import Limits
from matchmaking.matches import Match
from matchmaking.study import Study
from tests.matchmaking.matchmakers.test_balanced import PAIR, ROBOT, cells, with_cells
from tests.matchmaking.waiting_people import Waiting


def test_only_times_without_a_session_count() -> None:
    times = FullTimes()
    times.note(10.0, is_full=False)
    assert times.since(0.0) == 0.0
    times.note(20.0, is_full=True)
    times.note(25.0, is_full=True)
    times.note(30.0, is_full=False)
    times.note(50.0, is_full=True)
    assert times.since(0.0) == 10.0
    assert times.since(27.0) == 3.0
    assert times.since(40.0) == 0.0, "the last has not ended yet"


def yoked() -> Study:
    pair, robot = cells(PAIR, ROBOT, target=20)
    return with_cells(
        cells=(pair, replace(robot, waits_like=pair.name)), limits=Limits(wait_s=1000)
    )


def waits_of(match: Match) -> tuple[float, ...]:
    assert match.decision is not None
    return match.decision.waits_s


def test_time_for_a_session_is_no_wait_that_others_get() -> None:
    lobby = Waiting(with_cells(PAIR, limits=Limits(wait_s=1000)))
    lobby.homes = 0
    lobby.come(1)
    assert lobby.round(4) == []
    lobby.come(2)
    assert lobby.round() == []
    for _ in range(30):
        assert lobby.round(1) == []
    lobby.homes = 1
    (match,) = lobby.round(0.5)
    assert waits_of(match) == (4.0, 0.0)
    assert match.decision is not None
    assert match.decision.held_s == 30.5


def test_a_page_that_comes_late_has_waited_since_it_came() -> None:
    lobby = Waiting(with_cells(PAIR, limits=Limits(wait_s=1000)))
    ann = lobby.come(1, is_here=False)
    lobby.now = 3.0
    lobby.queue.appear(ann, lobby.now)
    lobby.now = 5.0
    lobby.queue.appear(ann, lobby.now)
    lobby.come(2)
    (match,) = lobby.round()
    assert waits_of(match) == (2.0, 0.0)


def test_who_waits_for_nobody_begins_with_the_next_before_waits_are_known() -> None:
    """A time drawn blindly would be minutes where others wait for seconds."""
    lobby = next(w for n in range(99) if (w := Waiting(yoked(), str(n))) and first_cell(w) == "c1")
    place = lobby.places.of("par_1")
    assert place is not None
    assert place.waits_for_next
    ann = lobby.come(1)
    assert lobby.round(7) == []
    ben = lobby.come(2)
    (match,) = lobby.round()
    assert match.ticket_ids == (ann,)
    assert lobby.state(ben) not in lobby.left.values()


def first_cell(lobby: Waiting) -> str:
    place = lobby.places.of("par_1")
    return "" if place is None else place.cell.name


def test_a_wait_as_long_as_anybody_may_wait_begins_at_the_deadline_though_the_page_came_late() -> (
    None
):
    lobby = next(w for n in range(99) if (w := Waiting(yoked(), str(n))) and first_cell(w) == "c1")
    place = lobby.places.of("par_1")
    assert place is not None
    lobby.places._places[place.number] = place._replace(wait_s=1000.0, waits_for_next=False)
    ann = lobby.come(1, is_here=False)
    lobby.now = 3.0
    lobby.queue.appear(ann, lobby.now)
    assert next_due(lobby.queue, lobby.now) == 1000.0
    assert lobby.round(996.9) == []
    lobby.now = 1000.0
    (match,) = lobby.round()
    assert match.ticket_ids == (ann,)
