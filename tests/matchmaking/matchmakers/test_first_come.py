from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from matchmaking.matchmakers.first_come import fifo
from matchmaking.tickets import State, Ticket, Wish


def waiting(number: int, wish: Wish = Wish.PERSON, code: str = "", participant: str = "") -> Ticket:
    return Ticket(
        f"tic_{number:04}", participant or f"par_{number}", wish, float(number), State.WAITING, code
    )


def groups(tickets: list[Ticket], seed: int = 0) -> list[tuple[str, ...]]:
    return [match.ticket_ids for match in fifo(tickets, 0.0, Random(seed))]


def test_two_are_paired_and_the_third_waits() -> None:
    assert groups([waiting(1), waiting(2), waiting(3)]) == [("tic_0001", "tic_0002")]


def test_who_came_first_is_served_first_whatever_the_order_of_the_argument() -> None:
    assert groups([waiting(4), waiting(2), waiting(3), waiting(1)]) == [
        ("tic_0001", "tic_0002"),
        ("tic_0003", "tic_0004"),
    ]


def test_an_invitation_pairs_only_its_own_two() -> None:
    tickets = [
        waiting(1, Wish.INVITE, "aaa"),
        waiting(2),
        waiting(3, Wish.INVITE, "bbb"),
        waiting(4),
        waiting(5, Wish.INVITE, "aaa"),
    ]
    assert groups(tickets) == [("tic_0002", "tic_0004"), ("tic_0001", "tic_0005")]


def test_alone_means_one_ticket_in_the_human_seat() -> None:
    (match,) = fifo([waiting(1, Wish.SOLO)], 0.0, Random(0))
    assert [(a.ticket_id, a.seat_id) for a in match.assignments] == [("tic_0001", "human_0")]


def test_nobody_plays_with_themselves() -> None:
    mine = [waiting(1, participant="par_me"), waiting(2, participant="par_me")]
    assert groups(mine) == []
    assert groups([*mine, waiting(3)]) == [("tic_0001", "tic_0003")]


def test_the_robot_seat_is_drawn_by_the_generator_and_is_fair() -> None:
    def robot(seed: int) -> str:
        (match,) = fifo([waiting(1), waiting(2)], 0.0, Random(seed))
        return next(a.ticket_id for a in match.assignments if a.seat_id == "robot_0")

    assert robot(5) == robot(5)
    counts = Counter(robot(seed) for seed in range(400))
    assert 160 < counts["tic_0001"] < 240


wishes = st.sampled_from(
    [(Wish.SOLO, ""), (Wish.PERSON, ""), (Wish.INVITE, "a"), (Wish.INVITE, "b")]
)


@given(st.lists(wishes, max_size=40), st.integers(0, 99))
def test_matches_are_disjoint_and_leave_at_most_one_of_a_pool(
    kinds: list[tuple[Wish, str]], seed: int
) -> None:
    tickets = [waiting(i, wish, code) for i, (wish, code) in enumerate(kinds)]
    matches = fifo(tickets, 0.0, Random(seed))
    used = [t for match in matches for t in match.ticket_ids]
    assert len(used) == len(set(used))
    left = Counter(t.pool for t in tickets if t.ticket_id not in used)
    assert all(n == 1 and wish is not Wish.SOLO for (wish, *_), n in left.items())
    for match in matches:
        pools = {t.pool for t in tickets if t.ticket_id in match.ticket_ids}
        assert len(pools) == 1
        assert len({a.seat_id for a in match.assignments}) == len(match.assignments)
