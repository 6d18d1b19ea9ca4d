from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from matchmaking.invitations import InviteError
from matchmaking.limits import Limits
from matchmaking.queue import Queue
from matchmaking.tickets import Place, Pool, State, Ticket, Wish
from tests.matchmaking.queue_rounds import groups_in, left_in


def joined(
    queue: Queue, name: str, now: float = 0.0, wish: Wish = Wish.PERSON, code: str = ""
) -> str:
    ticket = queue.join(f"tic_{name}", f"par_{name}", Pool(wish, code), now)
    queue.appear(ticket.ticket_id, now)
    return ticket.ticket_id


def test_L2_a_thousand_at_once_make_five_hundred_pairs() -> None:
    queue = Queue()
    for number in range(1000):
        joined(queue, f"{number:04}")
    matches = groups_in(queue, 0.0, Random(1), 1000)
    assert len(matches) == 500
    assert len({a.participant_id for m in matches for a in m.assignments}) == 1000
    assert [m.ticket_ids for m in matches[:2]] == [
        ("tic_0000", "tic_0001"),
        ("tic_0002", "tic_0003"),
    ]
    assert len(queue) == 0


def test_who_has_not_arrived_is_not_matched() -> None:
    queue = Queue()
    joined(queue, "a")
    queue.join("tic_b", "par_b", Pool(Wish.PERSON), 0.0)
    assert groups_in(queue, 0.0, Random(0), 9) == []


def test_a_dropped_socket_keeps_the_place_for_the_grace() -> None:
    queue = Queue(Limits(grace_s=5.0))
    first = joined(queue, "a", 0.0)
    second = joined(queue, "b", 1.0, Wish.INVITE, "code")
    assert queue.vanish(first, 10.0)
    assert left_in(queue, 14.9) == []
    assert queue.appear(first, 14.9)
    assert queue.position(first) == 1
    assert left_in(queue, 16.0) == []
    assert queue.position(second) == 2


def test_after_the_grace_nobody_is_there() -> None:
    queue = Queue(Limits(grace_s=5.0))
    first = joined(queue, "a")
    queue.vanish(first, 10.0)
    assert queue.next_deadline() == 15.0
    assert [t.state for t in left_in(queue, 15.0)] == [State.GONE]
    assert not queue.appear(first, 15.0)
    assert queue.of("par_a") is None
    joined(queue, "b")
    assert groups_in(queue, 16.0, Random(0), 9) == []


def test_nobody_waits_for_ever() -> None:
    queue = Queue(Limits(wait_s=60.0))
    joined(queue, "a", 100.0)
    assert left_in(queue, 159.0) == []
    assert [t.state for t in left_in(queue, 160.0)] == [State.EXPIRED]


def test_when_all_homes_are_busy_people_keep_their_order() -> None:
    queue = Queue()
    tickets = [joined(queue, name, float(i)) for i, name in enumerate("abcd")]
    assert groups_in(queue, 5.0, Random(0), 0) == []
    assert [queue.position(t) for t in tickets] == [1, 2, 3, 4]
    (match,) = groups_in(queue, 6.0, Random(0), 1)
    assert match.ticket_ids == ("tic_a", "tic_b")
    assert queue.position("tic_c") == 1


def test_a_failed_match_goes_back_to_the_front() -> None:
    queue = Queue()
    for i, name in enumerate("abc"):
        joined(queue, name, float(i))
    (match,) = groups_in(queue, 5.0, Random(0), 1)
    queue.give_back(match)
    assert queue.position("tic_a") == 1
    assert queue.position("tic_c") == 3


def test_the_same_wish_again_is_the_same_ticket() -> None:
    queue = Queue()
    first = queue.join("tic_1", "par_a", Pool(Wish.PERSON), 0.0)
    assert queue.join("tic_2", "par_a", Pool(Wish.PERSON), 1.0) == first
    with pytest.raises(ValueError, match="already waits with tic_1"):
        queue.join("tic_3", "par_a", Pool(Wish.SOLO), 1.0)


def test_an_invitation_has_room_for_two() -> None:
    queue = Queue()
    joined(queue, "a", 0.0, Wish.INVITE, "code")
    joined(queue, "b", 1.0, Wish.INVITE, "code")
    with pytest.raises(InviteError) as failure:
        queue.join("tic_c", "par_c", Pool(Wish.INVITE, "code"), 2.0)
    assert failure.value.kind == "full"
    assert [t.ticket_id for t in queue.holders("code")] == ["tic_a", "tic_b"]


def test_a_host_without_a_guest_stands_in_nobodys_way() -> None:
    queue = Queue()
    joined(queue, "host", 0.0, Wish.INVITE, "code")
    other = joined(queue, "a", 1.0)
    assert queue.position(other) == 1
    joined(queue, "guest", 2.0, Wish.INVITE, "code")
    assert queue.position(other) == 2


class Lobby(RuleBasedStateMachine):
    """People come, go, drop and return in any order; a model keeps the books."""

    tickets = Bundle("tickets")

    def __init__(self) -> None:
        super().__init__()
        self.queue = Queue(Limits(grace_s=5.0, arrival_s=20.0, wait_s=300.0))
        self.rng = Random(3)
        self.now = 0.0
        self.count = 0
        self.present: set[str] = set()
        self.matched: dict[str, tuple[str, ...]] = {}
        self.left: set[str] = set()

    @rule(
        target=tickets,
        wish=st.sampled_from([(Wish.SOLO, ""), (Wish.PERSON, ""), (Wish.INVITE, "x")]),
    )
    def join(self, wish: tuple[Wish, str]) -> str:
        self.count += 1
        name = f"{self.count:04}"
        try:
            return self.queue.join(f"tic_{name}", f"par_{name}", Pool(*wish), self.now).ticket_id
        except InviteError:
            return "tic_refused"

    def place_of(self, ticket_id: str) -> Place:
        ticket = self.queue.get(ticket_id)
        assert ticket is not None
        return ticket.place

    @rule(ticket=tickets)
    def appear(self, ticket: str) -> None:
        if self.queue.appear(ticket, self.now):
            assert ticket not in self.left
            self.present.add(ticket)

    @rule(ticket=tickets)
    def vanish(self, ticket: str) -> None:
        if self.queue.vanish(ticket, self.now):
            self.present.discard(ticket)

    @rule(ticket=consumes(tickets))
    def cancel(self, ticket: str) -> None:
        if self.queue.cancel(ticket):
            self.present.discard(ticket)
            self.left.add(ticket)

    @rule(seconds=st.sampled_from([0.1, 1.0, 5.0, 60.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        for ticket in left_in(self.queue, self.now):
            self.present.discard(ticket.ticket_id)
            self.left.add(ticket.ticket_id)

    @rule(homes=st.integers(0, 3), works=st.booleans())
    def pair(self, homes: int, works: bool) -> None:
        order = {t: self.place_of(t) for t in self.present}
        matches = []
        for found in self.queue.round(self.now, self.rng, homes):
            if isinstance(found, Ticket):
                self.present.discard(found.ticket_id)
                self.left.add(found.ticket_id)
            else:
                matches.append(found)
        assert len(matches) <= homes
        for match in matches:
            for ticket in match.ticket_ids:
                assert ticket in self.present, "only who is present is matched"
                assert ticket not in self.left, "nobody is matched after leaving"
                assert ticket not in self.matched, "nobody is in two matches"
        served = [order[t] for m in matches for t in m.ticket_ids if t in order]
        assert len(set(served)) == len(served)
        for match in matches:
            if works:
                self.queue.settle(match)
                for ticket in match.ticket_ids:
                    self.matched[ticket] = match.ticket_ids
                    self.present.discard(ticket)
            else:
                self.queue.give_back(match)

    @invariant()
    def there_are_no_ghosts(self) -> None:
        for ticket in self.queue:
            assert ticket.ticket_id not in self.left | set(self.matched)
            assert (ticket.state is State.WAITING) == (ticket.ticket_id in self.present)
            if ticket.absent_until is not None:
                assert ticket.absent_until <= self.now + 20.0

    @invariant()
    def one_ticket_each(self) -> None:
        people = [t.participant_id for t in self.queue]
        assert len(people) == len(set(people))


Lobby.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestLobby = Lobby.TestCase
