"""Shares of places, against a model that only counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from math import ceil

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from matchmaking.offers import Sought
from server.web.shares import Holding, Shares

MOST = 3
MOST_FORMS = 2
"""Most forms of one person that are under way."""
PEOPLE = st.sampled_from([f"par_{n}" for n in range(8)])
PLACES = st.sampled_from([f"place_{n}" for n in range(8)])
PAIR, TRIO, OTHER_TRIO = Sought("", 2), Sought("3human", 3), Sought("3human+robot", 3)
GROUPS = st.sampled_from([None, PAIR, TRIO, OTHER_TRIO])
ADDRESSES = st.sampled_from(["192.0.2.1", "2001:db8::/64", None])


def count(holdings: Iterable[Holding]) -> int:
    """Return how many places are held, where each participant holds one."""
    held = list(holdings)
    groups = Counter(holding.seeks for holding in held if holding.seeks)
    places = {holding.place for holding in held if not holding.seeks}
    return len(places) + sum(ceil(people / group.people) for group, people in groups.items())


class SharesMachine(RuleBasedStateMachine):
    """People of three addresses (one exempt) who come, go on and leave in any order.

    They may send several forms at once. The model is what each of them may end up with.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shares = Shares()
        self.settled: dict[str, Holding] = {}
        self.entering: list[tuple[str, Holding]] = []

    def held(self, address: str) -> int:
        """Return the most places that an address can have when all forms are answered."""
        possible: dict[str, list[Holding]] = {}
        for who, holding in [*self.settled.items(), *self.entering]:
            if holding.counted_as == address:
                possible.setdefault(who, []).append(holding)
        return max(count(chosen) for chosen in product(*possible.values()))

    @rule(who=PEOPLE, place=PLACES, address=ADDRESSES, seeks=GROUPS)
    def take(self, who: str, place: str, address: str | None, seeks: Sought | None) -> None:
        if sum(sender == who for sender, _ in self.entering) == MOST_FORMS:
            return
        others = [h for p, h in self.settled.items() if p != who and h.counted_as == address]
        wanted = Holding(place, address, seeks)
        has_room = count([*others, wanted]) <= max(MOST, count(others))
        holding = self.shares.take(who, place, address, MOST, seeks=seeks)
        if address is None:
            assert holding is not None
        elif not self.entering:
            own = self.settled.get(who)
            if own is None or own.counted_as != address or own.seeks == seeks:
                assert (holding is not None) == has_room
            else:
                # Both are possible until the form is answered, and the present one is counted, too.
                assert holding is None or has_room
        if holding is not None:
            assert holding == wanted
            self.entering.append((who, holding))

    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        """Answer a form: it has led to the place, or nowhere."""
        if not self.entering:
            return
        who, holding = self.entering.pop(data.draw(st.integers(0, len(self.entering) - 1)))
        if data.draw(st.booleans()):
            self.shares.settle(who, holding, holding.place, seeks=holding.seeks)
            self.settled[who] = Holding(holding.place, holding.counted_as, holding.seeks)
        else:
            self.shares.give_back(who, holding)

    @rule(sought=st.sampled_from([PAIR, TRIO, OTHER_TRIO]), address=ADDRESSES, place=PLACES)
    def match(self, sought: Sought, address: str | None, place: str) -> None:
        """Let those of one address who seek a group play, in a session that nobody has yet."""
        held = [*self.settled.values(), *(holding for _, holding in self.entering)]
        busy = dict(self.entering).keys()
        group = [
            who
            for who, holding in self.settled.items()
            if (holding.seeks, holding.counted_as) == (sought, address) and who not in busy
        ][: sought.people]
        if len(group) < sought.people or any(place == holding.place for holding in held):
            return
        for who in group:
            self.shares.follow(who, place)
            self.settled[who] = Holding(place, address)

    @rule(gone=PLACES)
    def close(self, gone: str) -> None:
        self.shares.keep(lambda place: place != gone)
        for who, holding in list(self.settled.items()):
            if holding.place == gone:
                del self.settled[who]

    @invariant()
    def nobody_has_more_than_the_share(self) -> None:
        for address in ("192.0.2.1", "2001:db8::/64"):
            assert self.held(address) <= self.shares.held(address) <= MOST

    @invariant()
    def places_are_counted_exactly_when_all_forms_are_answered(self) -> None:
        if not self.entering:
            for address in ("192.0.2.1", "2001:db8::/64"):
                assert self.held(address) == self.shares.held(address)

    @invariant()
    def everybody_holds_one_place_and_nothing_is_left_behind(self) -> None:
        assert len(self.shares) == len(self.settled.keys() | dict(self.entering).keys())
        looked_up: list[str] = []

        def lives(place: str) -> bool:
            looked_up.append(place)
            return True

        self.shares.keep(lives)
        assert sorted(looked_up) == sorted(holding.place for holding in self.settled.values())


TestShares = SharesMachine.TestCase


def enter(shares: Shares, who: str, place: str, most: int, *, seeks: Sought | None = None) -> bool:
    """Take a place and settle there; return whether that was allowed."""
    holding = shares.take(who, place, "net", most, seeks=seeks)
    if holding is not None:
        shares.settle(who, holding, place, seeks=seeks)
    return holding is not None


def test_two_people_of_one_session_hold_one_place_between_them() -> None:
    shares = Shares()
    assert enter(shares, "a", "code", 1)
    assert enter(shares, "b", "code", 1)
    shares.follow("a", "ses_1")
    shares.follow("b", "ses_1")
    assert shares.held("net") == 1
    assert not enter(shares, "c", "tic_2", 1)
    # Who leaves a partner behind takes a second place.
    assert not enter(shares, "a", "tic_3", 1)


def test_a_form_that_led_nowhere_leaves_the_place_that_another_took() -> None:
    shares = Shares()
    first = shares.take("a", "tic_1", "net", 1)
    second = shares.take("a", "tic_2", "net", 1)
    assert first is not None
    assert second is not None
    shares.settle("a", first, "tic_1")
    shares.follow("a", "ses_1")
    shares.give_back("a", second)
    assert shares.held("net") == 1
    assert not enter(shares, "b", "tic_3", 1)


def test_who_may_come_to_seek_may_need_a_place_of_their_own() -> None:
    shares = Shares()
    assert enter(shares, "a", "code", 2)
    assert shares.take("b", "code", "net", 2) is not None
    assert shares.held("net") == 1
    assert shares.take("b", "code", "net", 2, seeks=PAIR) is not None
    assert shares.held("net") == 2


def test_all_of_an_address_may_go_elsewhere_at_once() -> None:
    shares = Shares()
    for who in "abcd":
        assert enter(shares, who, f"ses_{who}", 4)
    assert all(shares.take(who, f"tic_{who}", "net", 4) for who in "abcd")
    assert shares.held("net") == 4
    # None of them has left yet: their way may lead nowhere.
    assert shares.take("e", "tic_e", "net", 4) is None


def test_three_who_wait_for_a_group_of_three_take_one_place() -> None:
    shares = Shares()
    assert all(enter(shares, who, f"tic_{who}", 1, seeks=TRIO) for who in "abc")
    assert shares.held("net") == 1
    assert not enter(shares, "d", "tic_d", 1, seeks=TRIO)
    # Those who want another group will play elsewhere, be it as large.
    assert not enter(shares, "e", "tic_e", 1, seeks=PAIR)
    assert not enter(shares, "e", "tic_e", 1, seeks=OTHER_TRIO)
