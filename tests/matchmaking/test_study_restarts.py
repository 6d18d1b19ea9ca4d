"""Queues of studies after a restart: who waited goes on waiting, with the others."""

from __future__ import annotations

import pytest

from matchmaking.limits import AtDeadline, Limits
from matchmaking.study import Study
from matchmaking.tickets import State
from tests.matchmaking.matchmakers.test_balanced import PAIR, THREE, cells, with_cells
from tests.matchmaking.waiting_people import Waiting, pairs


def test_restored_tickets_keep_their_place_and_deadline() -> None:
    before = pairs(limits=Limits(wait_s=120))
    ann = before.come(1)
    ticket = before.queue.get(ann)
    assert ticket is not None
    after = pairs(limits=Limits(wait_s=120))
    after.queue.restore(ticket, 60.0)
    after.now = 60.0
    assert after.state(ann) is State.DROPPED
    assert after.queue.appear(ann, after.now)
    after.come(2)
    after.come(3)
    (match,) = after.round()
    assert match.ticket_ids[0] == ann
    lonely = pairs(limits=Limits(wait_s=120))
    lonely.queue.restore(ticket, 60.0)
    lonely.queue.appear(ann, lonely.now)
    lonely.now = 60.0
    lonely.round(59.9)
    assert lonely.state(ann) is State.WAITING
    lonely.round(0.1)
    assert lonely.state(ann) is State.EXPIRED


TRIO = cells(THREE, least=2)


@pytest.mark.parametrize(
    ("of", "count", "groups"),
    [
        (with_cells(THREE, cells=TRIO, at_deadline=AtDeadline.SMALLER), 2, [2]),
        (with_cells(THREE, cells=TRIO, at_deadline=AtDeadline.SMALLER), 5, [3, 2]),
        (with_cells(PAIR, at_deadline=AtDeadline.END), 2, [2]),
        (with_cells(THREE, at_deadline=AtDeadline.SOLO), 2, [1, 1]),
        (with_cells(PAIR, at_deadline=AtDeadline.ROBOT, substitute="expert"), 1, [1]),
    ],
    ids=["smaller", "smaller and full", "full", "alone", "robot"],
)
def test_a_deadline_that_passes_while_the_server_is_down_is_that_of_those_who_come_back(
    of: Study, count: int, groups: list[int]
) -> None:
    lobby = Waiting(of)
    tickets = [lobby.come(number) for number in range(count)]
    lobby.restart(after_s=130)
    formed = []
    for ticket in reversed(tickets):
        formed += lobby.round(3)
        assert lobby.queue.appear(ticket, lobby.now)
        formed += lobby.round()
    formed += lobby.round(of.limits.arrival_s - 3 * count)
    assert sorted(map(len, (match.ticket_ids for match in formed)), reverse=True) == groups
    assert {lobby.state(ticket) for ticket in tickets} == {State.MATCHED}


def test_after_a_restart_the_deadline_is_over_once_nobody_may_come_back_any_more() -> None:
    lobby = Waiting(with_cells(THREE, cells=TRIO, at_deadline=AtDeadline.SMALLER))
    ann, ben = lobby.come(1), lobby.come(2)
    lobby.restart(after_s=130)
    lobby.queue.appear(ann, lobby.now)
    assert lobby.round(19.9) == []
    assert lobby.state(ann) is State.WAITING
    assert lobby.queue.next_deadline() == lobby.queue.deadline(lobby.queue.get(ann))  # type: ignore[arg-type]
    lobby.round(0.1)
    assert (lobby.state(ann), lobby.state(ben)) == (State.EXPIRED, State.GONE)
