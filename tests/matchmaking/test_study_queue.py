"""Queues of studies: ready checks, deadlines, full conditions; each stay has exactly one end."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from matchmaking.assignment.ledger import State as PlaceState
from matchmaking.limits import AtDeadline, Limits
from matchmaking.tickets import ABSENT, LIVE, Pool, State
from tests.matchmaking.matchmakers.test_balanced import PAIR, ROBOT, THREE, cells, with_cells
from tests.matchmaking.queue_rounds import groups_in
from tests.matchmaking.study.made_studies import study
from tests.matchmaking.waiting_people import LIMITS, Waiting, pairs


def test_both_confirm_and_play() -> None:
    lobby = pairs()
    ann, ben = lobby.come(1), lobby.come(2)
    assert lobby.round() == []
    assert (lobby.state(ann), lobby.state(ben)) == (State.PROPOSED, State.PROPOSED)
    assert lobby.queue.ready_until(ann) == lobby.now + 15
    assert lobby.queue.confirm(ann, lobby.now)
    assert lobby.round(14) == []
    assert lobby.queue.confirm(ben, lobby.now)
    (match,) = lobby.round()
    assert match.ticket_ids == (ann, ben)


def test_L6_who_is_not_ready_is_sent_away_and_the_other_goes_to_the_front() -> None:
    lobby = pairs()
    ann, ben = lobby.come(1), lobby.come(2)
    lobby.round()
    lobby.now += 1
    eve, dan = lobby.come(3), lobby.come(4)
    lobby.round()
    assert lobby.queue.confirm(ben, lobby.now)
    lobby.round(14)
    assert (lobby.state(ann), lobby.state(ben)) == (State.UNREADY, State.WAITING)
    # Those who came later were asked later, and are not ready either.
    assert lobby.queue.confirm(dan, lobby.now)
    assert lobby.queue.position(ben) == 1
    lobby.round(1)
    assert lobby.state(eve) is State.UNREADY
    lobby.round()
    assert (lobby.state(ben), lobby.state(dan)) == (State.PROPOSED, State.PROPOSED)


def test_the_place_of_a_group_that_fell_apart_is_given_back_once_its_head_leaves() -> None:
    lobby = pairs()
    ann, ben = lobby.come(1), lobby.come(2)
    lobby.round()
    assert lobby.state(ann) is State.PROPOSED
    lobby.queue.cancel(ben)
    assert lobby.places.assignment.ledger.states == [PlaceState.DRAWN], "the head keeps it"
    lobby.queue.cancel(ann)
    lobby.round()
    assert lobby.places.assignment.ledger.states == [PlaceState.GIVEN_UP]


def test_who_leaves_and_comes_back_begins_in_the_condition_that_was_drawn() -> None:
    lobby = Waiting(with_cells(PAIR, ROBOT, limits=LIMITS))
    numbers = iter(range(100))
    drawn = []
    for _ in range(8):
        pool = Pool.of_study(lobby.study.key)
        ticket = lobby.queue.join(f"tic_{next(numbers)}", "par_ann", pool, lobby.now)
        lobby.queue.appear(ticket.ticket_id, lobby.now)
        groups_in(lobby.queue, lobby.now, lobby.rng, lobby.homes)
        place = lobby.places.assignment.ledger.places[-1]
        drawn.append(place.arm)
        lobby.queue.cancel(ticket.ticket_id)
        lobby.round(10)
        assert lobby.places.assignment.ledger.states[place.place] is PlaceState.GIVEN_UP
    assert len(set(drawn)) == 1


def test_L6_the_front_is_before_those_who_came_earlier() -> None:
    lobby = pairs()
    lobby.homes = 1
    early = lobby.come(1)
    lobby.queue.vanish(early, lobby.now)
    ann, ben = lobby.come(2), lobby.come(3)
    lobby.round()
    lobby.queue.appear(early, lobby.now)
    lobby.queue.confirm(ann, lobby.now)
    lobby.queue.cancel(ben)
    assert lobby.state(ann) is State.WAITING
    assert lobby.queue.position(ann) == 1
    assert lobby.queue.position(early) == 2


def test_L15_an_operator_lets_somebody_wait_no_longer_and_the_study_says_what_comes() -> None:
    lobby = pairs(at_deadline=AtDeadline.SOLO)
    ann = lobby.come(1)
    assert lobby.round(5) == []
    assert lobby.queue.send_on(ann, lobby.now)
    assert lobby.queue.deadline(lobby.queue.get(ann)) == lobby.now  # type: ignore[arg-type]
    lobby.round()
    lobby.queue.confirm(ann, lobby.now)
    (match,) = lobby.round()
    assert match.ticket_ids == (ann,)
    assert match.decision is not None
    assert match.decision.reason == "by_hand_solo"
    assert not lobby.queue.send_on(ann, lobby.now), "who has left the lobby waits for nobody"


@pytest.mark.parametrize("is_dropped", [False, True])
def test_L15_who_is_let_go_and_whose_page_is_away_ends_as_at_the_deadline(
    is_dropped: bool,
) -> None:
    lobby = pairs(at_deadline=AtDeadline.END)
    ann, ben = (lobby.come(n, is_dropped) for n in (1, 2))
    if is_dropped:
        for ticket_id in (ann, ben):
            lobby.queue.vanish(ticket_id, lobby.now)
    assert lobby.queue.send_on(ann, lobby.now)
    lobby.round()
    assert lobby.state(ann) is not State.EXPIRED, "its page may still come, and begin with others"
    lobby.round(60)
    assert (lobby.state(ann), lobby.state(ben)) == (State.EXPIRED, State.GONE)


def test_L15_who_is_let_go_where_nobody_may_begin_ends_as_at_the_deadline() -> None:
    lobby = pairs(at_deadline=AtDeadline.END)
    ann = lobby.come(1)
    lobby.queue.send_on(ann, lobby.now)
    lobby.round(1)
    ben, eve = lobby.come(2), lobby.come(3)
    lobby.round()
    assert lobby.state(ann) is State.EXPIRED
    assert not lobby.queue.send_on(ben, lobby.now), "who is asked to be ready has a group"
    assert lobby.state(eve) is State.PROPOSED


def test_who_goes_away_while_asked_is_not_ready_and_may_come_back() -> None:
    lobby = pairs()
    ann, ben = lobby.come(1), lobby.come(2)
    lobby.round()
    lobby.queue.confirm(ann, lobby.now)
    lobby.queue.vanish(ann, lobby.now)
    assert lobby.state(ann) is State.PROPOSED
    assert not lobby.queue.confirm(ann, lobby.now), "nobody is there"
    lobby.queue.confirm(ben, lobby.now)
    assert lobby.round(3) == []
    lobby.queue.appear(ann, lobby.now)
    assert lobby.queue.confirm(ann, lobby.now)
    assert len(lobby.round()) == 1


def test_who_is_away_when_the_group_falls_keeps_only_the_grace() -> None:
    lobby = pairs()
    ann, ben = lobby.come(1), lobby.come(2)
    lobby.round()
    lobby.queue.vanish(ann, lobby.now)
    lobby.queue.cancel(ben)
    assert lobby.state(ann) is State.DROPPED
    lobby.round(5)
    assert lobby.state(ann) is State.GONE


def test_L5_who_dropped_is_not_matched_and_keeps_the_place_for_the_grace() -> None:
    lobby = pairs(limits=Limits(wait_s=120))
    ann, ben = lobby.come(1), lobby.come(2)
    lobby.queue.vanish(ann, lobby.now)
    assert lobby.round(4.9) == []
    lobby.queue.appear(ann, lobby.now)
    eve = lobby.come(3)
    (match,) = lobby.round()
    assert match.ticket_ids == (ann, ben)
    assert lobby.state(eve) is State.WAITING


def test_when_all_conditions_are_full_those_who_wait_are_told() -> None:
    lobby = pairs(cells=cells(PAIR, target=1), limits=Limits(wait_s=120))
    tickets = [lobby.come(number) for number in range(3)]
    away = lobby.come(3, is_here=False)
    lobby.round()
    states = [lobby.state(ticket) for ticket in (*tickets, away)]
    assert states == [State.MATCHED, State.MATCHED, State.OVER_RECRUITED, State.OVER_RECRUITED]


def test_a_group_that_is_asked_holds_its_condition_and_its_home() -> None:
    lobby = pairs(cells=cells(PAIR, target=1))
    lobby.homes = 1
    ann, ben, eve = lobby.come(1), lobby.come(2), lobby.come(3)
    lobby.round()
    assert lobby.state(eve) is State.OVER_RECRUITED
    lobby.queue.confirm(ann, lobby.now)
    lobby.queue.confirm(ben, lobby.now)
    assert len(lobby.round()) == 1


def test_while_a_group_is_asked_others_get_neither_its_home_nor_its_place() -> None:
    scarce = pairs()
    scarce.homes = 1
    for number in range(2):
        scarce.come(number)
    scarce.round()
    later = [scarce.come(number) for number in (2, 3)]
    scarce.round(1)
    assert [scarce.state(ticket) for ticket in later] == [State.WAITING] * 2
    nearly_full = pairs(cells=cells(PAIR, target=2))
    for number in range(2):
        nearly_full.come(number)
    nearly_full.round()
    later = [nearly_full.come(number) for number in range(2, 6)]
    nearly_full.round(1)
    states = [nearly_full.state(ticket) for ticket in later]
    assert states == [State.PROPOSED] * 2 + [State.OVER_RECRUITED] * 2


def test_at_the_deadline_a_robot_comes_and_nobody_is_sent_away() -> None:
    lobby = pairs(at_deadline=AtDeadline.ROBOT, substitute="expert")
    ann = lobby.come(1)
    assert lobby.round(119.9) == []
    assert lobby.round(0.1) == []
    assert lobby.queue.confirm(ann, lobby.now), (
        "asked as a group of two is, so that nothing is told by it"
    )
    (match,) = lobby.round()
    assert match.is_substituted
    assert lobby.state(ann) is State.MATCHED


def test_at_the_deadline_without_a_home_the_wait_is_over_all_the_same() -> None:
    lobby = pairs(at_deadline=AtDeadline.ROBOT, substitute="expert")
    lobby.homes = 0
    ann = lobby.come(1)
    lobby.round(120)
    assert lobby.state(ann) is State.EXPIRED


def test_a_study_of_which_nothing_is_known_yet_forms_no_groups() -> None:
    lobby = pairs()
    lobby.come(1)
    lobby.come(2)
    lobby.queue.places.clear()
    assert list(lobby.queue.round(0.0, Random(1), 9)) == []


class StudyLobby(RuleBasedStateMachine):
    """People of a study come, go, drop, return and confirm in any order."""

    tickets = Bundle("tickets")

    @initialize(
        outcome=st.sampled_from(list(AtDeadline)),
        teams=st.lists(st.sampled_from([PAIR, ROBOT, THREE]), min_size=1, max_size=3),
        ready_s=st.sampled_from([0.0, 15.0]),
        most=st.integers(1, 4),
    )
    def begin(self, outcome: AtDeadline, teams: list[Any], ready_s: float, most: int) -> None:
        if outcome is AtDeadline.SMALLER:
            teams = [*teams, THREE]
        of = study(
            factors=(),
            cells=cells(*teams, target=most, least=1),
            limits=Limits(grace_s=5, arrival_s=20, wait_s=120, ready_s=ready_s),
            at_deadline=outcome,
            substitute="expert",
        )
        self.lobby = Waiting(of)
        self.count = 0
        self.here: set[str] = set()
        self.groups: Counter[str] = Counter()
        self.joined: dict[str, float] = {}
        self.restarted_at = -1000.0

    @rule(after_s=st.sampled_from([0.0, 15.0, 120.0]))
    def restart(self, after_s: float) -> None:
        self.lobby.restart(after_s)
        self.restarted_at = self.lobby.now
        self.here.clear()

    @rule(target=tickets, is_here=st.booleans())
    def come(self, is_here: bool) -> str:
        self.count += 1
        ticket = self.lobby.come(self.count, is_here)
        self.joined[ticket] = self.lobby.now
        if is_here:
            self.here.add(ticket)
        return ticket

    @rule(ticket=tickets)
    def appear(self, ticket: str) -> None:
        if self.lobby.queue.appear(ticket, self.lobby.now):
            self.here.add(ticket)

    @rule(ticket=tickets)
    def vanish(self, ticket: str) -> None:
        if self.lobby.queue.vanish(ticket, self.lobby.now):
            self.here.discard(ticket)

    @rule(ticket=tickets)
    def cancel(self, ticket: str) -> None:
        if self.lobby.queue.cancel(ticket):
            self.lobby._end(ticket, State.CANCELLED)

    @rule(ticket=tickets)
    def confirm(self, ticket: str) -> None:
        if self.lobby.queue.confirm(ticket, self.lobby.now):
            assert ticket in self.here

    @rule(
        after_s=st.sampled_from([0.0, 0.5, 5.0, 15.0, 60.0, 120.0]),
        homes=st.sampled_from([0, 1, 9]),
    )
    def round(self, after_s: float, homes: int) -> None:
        self.lobby.homes = homes
        for match in self.lobby.round(after_s):
            self.groups.update(match.ticket_ids)
            assert set(match.ticket_ids) <= self.here, "only who is here is matched"
        # What a step of time leaves behind is over within the same round.
        limits = self.lobby.study.limits
        for ticket in self.lobby.queue:
            if ticket.state is State.WAITING:
                deadline = self.joined[ticket.ticket_id] + limits.wait_s
                back_by = self.restarted_at + limits.arrival_s
                assert self.lobby.now < max(deadline, back_by)
            if ticket.state in (State.PROPOSED, State.READY):
                until = self.lobby.queue.ready_until(ticket.ticket_id)
                assert until is not None
                assert self.lobby.now < until <= self.lobby.now + limits.ready_s

    @invariant()
    def nobody_is_in_two_groups(self) -> None:
        if hasattr(self, "groups"):
            assert set(self.groups.values()) <= {1}

    @invariant()
    def whoever_waits_is_here_and_has_not_left(self) -> None:
        if not hasattr(self, "lobby"):
            return
        for ticket in self.lobby.queue:
            assert ticket.ticket_id not in self.lobby.left
            assert ticket.state in LIVE
            if ticket.state in (State.WAITING, State.READY):
                assert ticket.ticket_id in self.here
            if ticket.state in ABSENT:
                assert ticket.ticket_id not in self.here
            asked = self.lobby.queue.ready_until(ticket.ticket_id) is not None
            assert asked == (ticket.state in (State.PROPOSED, State.READY))

    @invariant()
    def no_condition_has_more_groups_than_it_takes(self) -> None:
        if hasattr(self, "lobby"):
            ledger = self.lobby.places.assignment.ledger
            for cell in self.lobby.study.cells:
                assert ledger.count("match", "", cell.name, PlaceState.BEGUN) <= cell.target

    def teardown(self) -> None:
        """Let time pass: everybody who came has exactly one end."""
        if not hasattr(self, "lobby"):
            return
        self.lobby.homes = 9
        for _ in range(60):
            for ticket in list(self.lobby.queue):
                self.lobby.queue.confirm(ticket.ticket_id, self.lobby.now)
            self.lobby.round(5.0)
        assert set(self.lobby.left) == set(self.joined)
        assert len(self.lobby.queue) == 0


StudyLobby.TestCase.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
TestStudyLobby = StudyLobby.TestCase
