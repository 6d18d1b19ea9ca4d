"""Seats whose people are away, and which an operator has played: until they are back."""

from __future__ import annotations

import pytest

from server.wire.messages import FinishInput, ReadyInput, SayInput
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT
from tests.server.worker.live_table import Chatter, Table


def _table(when_gone: str = "policy") -> Table:
    stand_in = "chatter" if when_gone == "policy" else ""
    return Table({"chatter": Chatter}, when_gone=when_gone, stand_in=stand_in)


def _stands_in(table: Table) -> bool:
    return table.session.core.seats[ROBOT].stands_in


def test_the_seat_of_somebody_who_is_gone_is_played_at_once_and_theirs_when_they_come() -> None:
    table = _table()
    human, robot = table.start()
    table.leave(robot)
    table.run(0.2, [human])
    assert not _stands_in(table)
    table.session.fill(ROBOT)
    table.run(0.1, [human])
    assert _stands_in(table)
    assert table.presence(ROBOT) == "connected"
    table.run(1, [human])
    robot = table.come(ROBOT)
    table.run(0.1, [human, robot])
    assert not _stands_in(table)


def test_somebody_whose_page_is_open_takes_the_seat_back_by_doing_something() -> None:
    table = _table()
    human, robot = table.start()
    table.session.fill(ROBOT)
    table.run(2, [human])
    assert _stands_in(table)
    table.send(robot, SayInput("here I am"))
    table.run(0.1, [human, robot])
    assert not _stands_in(table)


def test_a_seat_that_is_filled_while_people_gather_stays_so() -> None:
    table = Table({"chatter": Chatter}, when_gone="policy", stand_in="chatter", idle_s=30.0)
    human, _silent = table.come(HUMAN), table.come(ROBOT)
    table.send(human, ReadyInput())
    table.run(1, [human])
    assert table.phase == "gathering"
    table.session.fill(ROBOT)
    table.run(5, [human])
    assert (table.phase, _stands_in(table)) == ("running", True)


@pytest.mark.parametrize("when_gone", ["go_on", "end"])
def test_where_no_policy_stands_in_nothing_happens(when_gone: str) -> None:
    table = _table(when_gone)
    human, robot = table.start()
    table.leave(robot)
    table.session.fill(ROBOT)
    table.run(0.1, [human])
    assert (_stands_in(table), table.phase) == (False, "running")


def test_nobody_stands_in_for_who_has_finished_or_where_nobody_else_is() -> None:
    table = _table()
    human, robot = table.start()
    table.send(robot, FinishInput())
    table.run(0.1, [human])
    table.session.fill(ROBOT)
    table.run(0.1, [human])
    assert not _stands_in(table)
    table = _table()
    human, robot = table.start()
    table.leave(human)
    table.session.fill(ROBOT)
    table.run(0.1, [robot])
    assert not _stands_in(table)
