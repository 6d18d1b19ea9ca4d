"""Shares of places, against a model that only counts."""

from __future__ import annotations

from math import ceil

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from server.web.shares import Shares

MOST = 3
PEOPLE = st.sampled_from([f"par_{n}" for n in range(8)])
PLACES = st.sampled_from([f"place_{n}" for n in range(8)])
ADDRESSES = st.sampled_from(["192.0.2.1", "2001:db8::/64", None])


class SharesMachine(RuleBasedStateMachine):
    """People of three addresses (one exempt) who come, go on and leave in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.shares = Shares()
        self.model: dict[str, tuple[str | None, str, bool]] = {}
        self.entering: set[str] = set()

    def held(self, address: str, but: str = "") -> tuple[set[str], int]:
        """Return the places of an address, and how many of it seek a partner."""
        here = [(p, s) for who, (a, p, s) in self.model.items() if a == address and who != but]
        return {p for p, seeks in here if not seeks}, sum(seeks for _, seeks in here)

    @rule(who=PEOPLE, place=PLACES, address=ADDRESSES, seeks=st.booleans())
    def take(self, who: str, place: str, address: str | None, seeks: bool) -> None:
        others, seekers = self.held(address, who) if address else (set(), 0)
        adds_none = seekers % 2 == 1 if seeks else place in others
        expected = address is None or adds_none or len(others) + ceil(seekers / 2) < MOST
        assert self.shares.take(who, place, address, MOST, seeks=seeks) == expected
        if expected:
            self.model[who] = (address, place, seeks)
            self.entering.add(who)

    @rule(who=PEOPLE)
    def settle(self, who: str) -> None:
        if who in self.model:
            _, place, seeks = self.model[who]
            self.shares.settle(who, place, seeks=seeks)
            self.entering.discard(who)

    @rule(first=PEOPLE, second=PEOPLE, place=PLACES)
    def match(self, first: str, second: str, place: str) -> None:
        """Let two of one address who seek become a pair, in a session that nobody has yet."""
        pair = {who for who in (first, second) if who in self.model and self.model[who][2]}
        is_one_address = len({self.model[who][0] for who in pair}) == 1
        is_held = any(place == held for _, held, _ in self.model.values())
        if len(pair) == 2 and is_one_address and not is_held:
            for who in pair:
                self.shares.settle(who, place)
                self.model[who] = (self.model[who][0], place, False)
                self.entering.discard(who)

    @rule(who=PEOPLE)
    def drop(self, who: str) -> None:
        self.shares.drop(who)
        self.model.pop(who, None)
        self.entering.discard(who)

    @rule(gone=PLACES)
    def close(self, gone: str) -> None:
        self.shares.keep(lambda place: place != gone)
        for who, (_, place, _) in list(self.model.items()):
            if place == gone and who not in self.entering:
                del self.model[who]

    @invariant()
    def nobody_has_more_than_the_share(self) -> None:
        for address in ("192.0.2.1", "2001:db8::/64"):
            places, seekers = self.held(address)
            assert self.shares.held(address) == len(places) + ceil(seekers / 2) <= MOST

    @invariant()
    def everybody_holds_one_place_and_nothing_is_left_behind(self) -> None:
        assert len(self.shares) == len(self.model)
        looked_up: list[str] = []

        def lives(place: str) -> bool:
            looked_up.append(place)
            return True

        self.shares.keep(lives)
        settled = [place for who, (_, place, _) in self.model.items() if who not in self.entering]
        assert sorted(looked_up) == sorted(settled)


TestShares = SharesMachine.TestCase


def test_two_people_of_one_session_hold_one_place_between_them() -> None:
    shares = Shares()
    assert shares.take("a", "code", "net", 1)
    assert shares.take("b", "code", "net", 1)
    shares.settle("a", "ses_1")
    shares.settle("b", "ses_1")
    assert shares.held("net") == 1
    assert not shares.take("c", "tic_2", "net", 1)
    # Who leaves a partner behind takes a second place.
    assert not shares.take("a", "tic_3", "net", 1)
