"""Robots in the lobby: asked for, or given after a wait; never in anybody's way."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from episodes.teams import Team
from matchmaking.matchmakers.first_come import FirstCome, fifo
from matchmaking.offers import PAIR, Offer, Offers
from matchmaking.queue import Queue
from matchmaking.tickets import Pool, State, Ticket, Wish


def _waiting(number: int, wish: Wish, joined_at: float = 0.0, robot: str = "") -> Ticket:
    return Ticket(
        f"tic_{number:04}", f"par_{number:04}", wish, joined_at, State.WAITING, robot=robot
    )


def test_who_asks_for_a_robot_gets_it_at_once_in_the_human_seat() -> None:
    (match,) = fifo([_waiting(1, Wish.ROBOT, robot="expert")], 0.0, Random(1))
    assert [a.seat_id for a in match.assignments] == ["human_0"]
    assert match.team == Team.parse("human=person,robot=expert")


def test_two_who_ask_for_a_robot_are_not_paired_with_each_other() -> None:
    tickets = [_waiting(n, Wish.ROBOT, robot="expert") for n in range(2)]
    assert [len(m.assignments) for m in fifo(tickets, 0.0, Random(1))] == [1, 1]


@given(
    st.lists(st.floats(0.0, 100.0), max_size=9),
    st.floats(1.0, 60.0),
    st.booleans(),
)
def test_a_robot_comes_after_the_wait_and_never_instead_of_a_person(
    joined: list[float], wait_s: float, answers: bool
) -> None:
    tickets = [_waiting(n, Wish.PERSON, at) for n, at in enumerate(joined)]
    offers = Offers(pair=Offer("", PAIR.team, 1, wait_s, "expert"))
    pair = FirstCome(offers, lambda _name: answers)
    matches = pair(tickets, 100.0, Random(1))
    people = [m for m in matches if not m.team.policies]
    assert people == fifo(tickets, 100.0, Random(1))
    robots = [m for m in matches if m.team.policies]
    # At most one is left over by pairs; a robot takes nobody else.
    assert len(robots) <= len(tickets) % 2
    last = max(tickets, key=lambda t: t.place, default=None)
    if len(tickets) % 2 and last is not None:
        late = answers and 100.0 - last.joined_at >= wait_s
        assert bool(robots) == late
        assert all(m.ticket_ids == (last.ticket_id,) for m in robots)
    assert all([a.seat_id for a in m.assignments] == ["human_0"] for m in robots)


def test_another_robot_is_another_wish() -> None:
    queue = Queue()
    queue.join("tic_1", "par_1", Pool(Wish.ROBOT, robot="cohab"), 0.0)
    again = queue.join("tic_2", "par_1", Pool(Wish.ROBOT, robot="cohab"), 1.0)
    assert again.ticket_id == "tic_1"
    assert again.pool != Pool(Wish.ROBOT, robot="expert")
