"""Condition-balanced matchmaking: who plays with whom in which condition, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.teams import Team
from matchmaking.limits import AtDeadline, Limits
from matchmaking.matches import MOST_CANDIDATES, Match
from matchmaking.matchmakers.balanced import Balanced
from matchmaking.matchmakers.contract import FIRST_GATHERINGS, Gathering, Looks
from matchmaking.matchmakers.registry import matchmaker_of
from matchmaking.offers import Offer
from matchmaking.pair_rules import LatencyBound
from matchmaking.study import Study, StudyError
from matchmaking.study.conditions import Cell
from matchmaking.tickets import State, Ticket, Wish
from tests.matchmaking.made_places import places_of
from tests.matchmaking.study.made_studies import study

NOW = 1000.0
PAIR, ROBOT = Team.parse("pair"), Team.parse("human=person,robot=expert")
SOLO, THREE = Team.parse("solo"), Team.parse("3human")


def cells(*teams: Team, target: int = 10, **changes: Any) -> tuple[Cell, ...]:
    """Return conditions ``c0``, ``c1`` … with these teams."""
    return tuple(
        Cell(name=f"c{n}", team=team, target=target, **changes) for n, team in enumerate(teams)
    )


def with_cells(*teams: Team, **changes: Any) -> Study:
    fields = {"factors": (), "cells": cells(*teams), "limits": Limits(wait_s=120)}
    return study(**{**fields, **changes})


def waiting(number: int, age_s: float = 0.0, **changes: Any) -> Ticket:
    return Ticket(
        f"tic_{number:04}",
        f"par_{number:04}",
        Wish.PERSON,
        NOW - age_s,
        State.WAITING,
        **changes,
    )


def match(
    of: Study,
    tickets: Sequence[Ticket],
    completed: dict[str, int] | None = None,
    answers: bool = True,
    seed: str = "secret",
) -> list[Match]:
    places = places_of(of, completed, lambda _name: answers, seed)
    return Balanced(of, lambda _name: answers)(tickets, NOW, Random(1), places)


def groups_of(matches: Sequence[Match]) -> list[tuple[str, ...]]:
    return [found.ticket_ids for found in matches]


def test_a_group_says_in_which_condition_it_is_and_how_full_they_were() -> None:
    of = with_cells(PAIR, PAIR, PAIR)
    (found,) = match(of, [waiting(1), waiting(2)], {"c0": 3, "c1": 2, "c2": 3})
    assert found.cell in {"c0", "c1", "c2"}
    assert found.study == of.key
    assert found.place is not None
    assert found.decision is not None
    assert found.decision.loads == {"c0": 0.3, "c1": 0.2, "c2": 0.3}


def test_a_target_twice_as_high_gets_twice_as_many() -> None:
    of = study(
        factors=(),
        cells=(
            Cell(name="many", team=PAIR, target=20),
            Cell(name="few", team=PAIR, target=10),
        ),
    )
    found = match(of, [waiting(n) for n in range(60)])
    assert Counter(one.cell for one in found) == {"many": 20, "few": 10}


def test_a_round_fills_conditions_evenly_whatever_their_size() -> None:
    found = match(with_cells(PAIR, ROBOT, THREE), [waiting(n) for n in range(60)])
    counts = Counter(one.cell for one in found)
    assert counts == {"c0": 10, "c1": 10, "c2": 10}
    assert {one.cell: len(one.assignments) for one in found} == {"c0": 2, "c1": 1, "c2": 3}


def test_nobody_is_put_into_a_full_condition() -> None:
    of = with_cells(PAIR, PAIR)
    found = match(of, [waiting(n) for n in range(9)], {"c0": 9, "c1": 10})
    assert [one.cell for one in found] == ["c0"]


def test_K4_a_condition_that_began_as_often_as_it_may_is_closed() -> None:
    of = study(factors=(), cells=cells(PAIR, target=2, most_begun=3))
    places = places_of(of)
    for number in range(3):
        place = places.of(f"par_{number}")
        assert place is not None
        assert places.deal(place.number, [f"par_{number}"])
        places.begin(place.number, [f"par_{number}"])
        places.leave(place.number, "left")
    assert places.of("par_9") is None
    assert places.is_full_for("par_9")


def test_a_condition_is_kept_until_its_group_begins_or_its_head_leaves() -> None:
    """Otherwise who waits for a large group would soon be given a small one."""
    for number in range(40):
        of = with_cells(PAIR, ROBOT)
        places = places_of(of, seed=f"secret {number}")
        matchmaker = Balanced(of, lambda _: True)
        rounds = [matchmaker([waiting(1)], NOW + n, Random(n), places) for n in range(20)]
        assert len({len(found) for found in rounds}) == 1
        assert len(places.assignment.ledger.places) == 1


def test_L7_which_condition_is_next_is_drawn_by_the_seed_and_is_fair() -> None:
    of = with_cells(PAIR, PAIR)
    first = Counter(
        match(of, [waiting(1), waiting(2)], seed=f"secret {number}")[0].cell
        for number in range(400)
    )
    assert 160 < first["c0"] < 240


def test_somebody_who_joins_another_group_gives_the_place_back() -> None:
    of = with_cells(PAIR)
    places, matchmaker = places_of(of), Balanced(of, lambda _: True)
    early, late = waiting(1, age_s=10), waiting(2)
    matchmaker([late], NOW, Random(1), places)
    (found,) = matchmaker([early, late], NOW + 1, Random(1), places)
    assert found.place == 1
    assert places.assignment.ledger.reasons == {0: "joined_another_group"}


def test_a_group_alone_waits_as_those_did_whom_it_is_yoked_to() -> None:
    alone = Cell(name="alone", team=SOLO, target=10, waits_like="pair")
    of = study(factors=(), cells=(alone, Cell(name="pair", team=PAIR, target=10)))
    places, matchmaker = places_of(of), Balanced(of, lambda _: True)
    waits = []
    for number in range(12):
        places._waits_s["pair"] = [(0.0, wait_s) for wait_s in [20.0, 70.0] * 6]
        ticket = waiting(number)
        place = places.of(ticket.participant_id)
        assert place is not None
        if place.cell.name == "alone":
            waits.append(place.wait_s)
            early = matchmaker([ticket], NOW + place.wait_s - 1, Random(1), places)
            assert early == []
            (found,) = matchmaker([ticket], NOW + place.wait_s, Random(1), places)
            assert found.cell == "alone"
        assert places.deal(place.number, [ticket.participant_id])
        places.begin(place.number, [ticket.participant_id])
    assert len(waits) >= 4, "a block has both once or twice"
    assert waits == ([20.0, 70.0] * 6)[: len(waits)], "each wait once, in its order"


def test_a_condition_whose_policy_does_not_answer_waits_for_it() -> None:
    found = match(with_cells(PAIR, ROBOT), [waiting(n) for n in range(8)], answers=False)
    assert {one.cell for one in found} == {"c0"}


def test_L9_former_partners_are_not_put_together() -> None:
    tickets = [waiting(1), waiting(2, met=frozenset({"par_0001"})), waiting(3), waiting(4)]
    found = match(with_cells(PAIR), tickets)
    assert groups_of(found) == [("tic_0001", "tic_0003"), ("tic_0002", "tic_0004")]
    decision = found[0].decision
    assert decision is not None
    assert [(c.ticket_id, c.against) for c in decision.candidates] == [
        ("tic_0001", ""),
        ("tic_0002", "played_together"),
        ("tic_0003", ""),
    ]
    assert match(with_cells(PAIR), tickets[:2]) == []


def test_former_partners_meet_again_where_the_study_says_so() -> None:
    tickets = [waiting(1), waiting(2, met=frozenset({"par_0001"}))]
    assert len(match(with_cells(PAIR, partners_again=True), tickets)) == 1


@pytest.mark.parametrize(
    ("age_s", "sum_ms", "are_together"),
    [
        (0, 100, True),
        (0, 101, False),
        (10, 150, True),
        (10, 151, False),
        (20, 200, True),
        (100, 250, True),
        (100, 251, False),
    ],
)
def test_L8_the_bound_on_latency_widens_with_waiting_up_to_the_widest(
    age_s: float, sum_ms: float, are_together: bool
) -> None:
    bound = LatencyBound(most_ms=100, widens_ms_per_s=5, widest_ms=250)
    tickets = [waiting(1, age_s, rtt_ms=sum_ms - 40), waiting(2, rtt_ms=40)]
    found = match(with_cells(PAIR, latency=bound), tickets)
    assert bool(found) == are_together


def test_who_is_far_away_is_passed_over_and_the_next_plays() -> None:
    of = with_cells(PAIR, latency=LatencyBound(most_ms=100))
    tickets = [waiting(1, 9, rtt_ms=30), waiting(2, 8, rtt_ms=400), waiting(3, rtt_ms=30)]
    (found,) = match(of, tickets)
    assert found.ticket_ids == ("tic_0001", "tic_0003")
    assert found.decision is not None
    passed = [c for c in found.decision.candidates if c.against]
    assert [(c.ticket_id, c.wait_s, c.rtt_ms, c.against) for c in passed] == [
        ("tic_0002", 8.0, 400, "too_far_apart")
    ]


def test_L14_a_decision_names_twenty_candidates_and_counts_the_others() -> None:
    of = with_cells(PAIR, latency=LatencyBound(most_ms=100))
    far = [waiting(n, 10, rtt_ms=400) for n in range(100, 150)]
    tickets = [waiting(1, 20, rtt_ms=30), *far, waiting(999, rtt_ms=30)]
    (found,) = match(of, tickets)
    decision = found.decision
    assert decision is not None
    assert len(decision.candidates) == MOST_CANDIDATES
    assert decision.n_candidates == decision.n_waiting == 52
    assert [c.ticket_id for c in decision.candidates if not c.against] == list(found.ticket_ids)
    assert msgspec.json.decode(msgspec.json.encode(decision))["reason"] == "full"


# The deadline


def late_pair(**changes: Any) -> list[Match]:
    """Return what becomes of one person who has waited until the deadline, for another."""
    return match(with_cells(PAIR, **changes), [waiting(1, 120)])


def test_before_the_deadline_nothing_else_happens() -> None:
    of = with_cells(PAIR, at_deadline=AtDeadline.ROBOT, substitute="expert")
    assert match(of, [waiting(1, 119.9)]) == []


def test_L4_at_the_deadline_the_policy_of_the_study_plays_for_who_is_missing() -> None:
    (found,) = late_pair(at_deadline=AtDeadline.ROBOT, substitute="expert")
    assert found.team == ROBOT
    assert found.is_substituted
    assert found.cell == "c0"
    assert found.decision is not None
    assert found.decision.reason == "deadline_robot"


def test_a_substitute_that_does_not_answer_plays_for_nobody() -> None:
    of = with_cells(PAIR, at_deadline=AtDeadline.ROBOT, substitute="react")
    assert match(of, [waiting(1, 120)], answers=False) == []


def test_L4_at_the_deadline_somebody_begins_alone() -> None:
    (found,) = late_pair(at_deadline=AtDeadline.SOLO)
    assert found.team == SOLO
    assert (found.cell, found.is_substituted) == ("", False)


@pytest.mark.parametrize(("here", "begins"), [(1, False), (2, True)])
def test_at_the_deadline_a_group_that_is_large_enough_begins_without_the_others(
    here: int, begins: bool
) -> None:
    of = study(
        factors=(),
        cells=cells(THREE, least=2),
        limits=Limits(wait_s=120),
        at_deadline=AtDeadline.SMALLER,
    )
    found = match(of, [waiting(n, 120 if n == 0 else 5) for n in range(here)])
    assert bool(found) == begins
    if begins:
        assert found[0].team == Team.parse("2human")
        assert not found[0].is_substituted


@pytest.mark.parametrize("outcome", [AtDeadline.END, AtDeadline.SURVEY])
def test_L4_at_the_deadline_there_may_be_no_group(outcome: AtDeadline) -> None:
    assert late_pair(at_deadline=outcome) == []


# Properties

TEAMS = st.sampled_from([PAIR, ROBOT, SOLO, THREE])


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Study, list[Ticket], dict[str, int]]:
    teams = draw(st.lists(TEAMS, min_size=1, max_size=4))
    made = cells(*teams, target=draw(st.integers(1, 4)), least=1)
    outcome = draw(st.sampled_from(list(AtDeadline)))
    if outcome is AtDeadline.SMALLER and all(cell.people == 1 for cell in made):
        outcome = AtDeadline.END
    of = study(
        factors=(),
        cells=made,
        limits=Limits(wait_s=120),
        at_deadline=outcome,
        substitute="expert",
        latency=draw(st.sampled_from([None, LatencyBound(most_ms=100)])),
    )
    people = draw(st.integers(0, 14))
    tickets = [
        waiting(
            number,
            draw(st.sampled_from([0.0, 30.0, 119.0, 120.0, 200.0])),
            rtt_ms=draw(st.sampled_from([None, 20.0, 70.0, 300.0])),
            met=frozenset(f"par_{n:04}" for n in draw(st.sets(st.integers(0, people), max_size=2))),
        )
        for number in range(people)
    ]
    return of, tickets, {cell.name: draw(st.integers(0, cell.target)) for cell in of.cells}


@given(rounds())
def test_nobody_is_in_two_groups_and_no_rule_is_broken(
    drawn: tuple[Study, list[Ticket], dict[str, int]],
) -> None:
    of, tickets, completed = drawn
    found = match(of, tickets, completed)
    by_id = {ticket.ticket_id: ticket for ticket in tickets}
    used = Counter(ticket_id for one in found for ticket_id in one.ticket_ids)
    assert set(used.values()) <= {1}
    for one in found:
        group = [by_id[ticket_id] for ticket_id in one.ticket_ids]
        assert sorted(a.seat_id for a in one.assignments) == sorted(one.team.people)
        for ticket in group:
            for other in group:
                assert other.participant_id not in ticket.met or ticket is other
                if of.latency is not None and ticket is not other:
                    both = (ticket.rtt_ms or 0) + (other.rtt_ms or 0)
                    assert None in (ticket.rtt_ms, other.rtt_ms) or both <= 100


@given(rounds())
def test_robots_replace_people_only_as_the_study_says_and_it_is_marked(
    drawn: tuple[Study, list[Ticket], dict[str, int]],
) -> None:
    of, tickets, completed = drawn
    teams = {cell.name: cell.team for cell in of.cells}
    by_id = {ticket.ticket_id: ticket for ticket in tickets}
    for one in match(of, tickets, completed):
        is_whole = one.cell != "" and one.team == teams[one.cell]
        is_late = any(by_id[t].joined_at + 120 <= NOW for t in one.ticket_ids)
        assert is_whole or is_late, "before the deadline only whole groups begin"
        assert one.is_substituted == (of.at_deadline is AtDeadline.ROBOT and not is_whole)


@given(rounds())
def test_no_condition_gets_more_groups_than_it_takes(
    drawn: tuple[Study, list[Ticket], dict[str, int]],
) -> None:
    of, tickets, completed = drawn
    counts = Counter(one.cell for one in match(of, tickets, completed))
    for cell in of.cells:
        assert counts[cell.name] <= cell.target - completed[cell.name]


@given(rounds(), st.randoms(use_true_random=False))
def test_the_order_of_the_argument_does_not_matter(
    drawn: tuple[Study, list[Ticket], dict[str, int]], rng: Random
) -> None:
    of, tickets, completed = drawn
    shuffled = list(tickets)
    rng.shuffle(shuffled)
    assert match(of, shuffled, completed) == match(of, tickets, completed)


@given(st.integers(1, 10), st.integers(1, 4), st.integers(0, 99))
def test_K2_conditions_differ_by_no_more_than_a_block_has(
    people: int, count: int, seed: int
) -> None:
    of = with_cells(*[PAIR] * count)
    tickets = [waiting(n) for n in range(people * 2)]
    counts = Counter(one.cell for one in match(of, tickets, seed=f"secret {seed}"))
    all_counts = [counts[cell.name] for cell in of.cells]
    assert max(all_counts) - min(all_counts) <= 2, "a block has each condition once or twice"


# Names


def test_L7_a_study_names_its_matchmaker() -> None:
    assert isinstance(matchmaker_of(study(), lambda _: True), Balanced)
    with pytest.raises(StudyError, match="matchmaker: expected one of balanced, got 'nosuch'"):
        matchmaker_of(study(matchmaker="nosuch"), lambda _: True)


@pytest.mark.parametrize("at_deadline", [AtDeadline.END, AtDeadline.SURVEY, AtDeadline.SOLO])
def test_S3_no_robot_replaces_a_person_through_waiting_unless_the_study_says_so(
    at_deadline: AtDeadline,
) -> None:
    """A substitute that is named for departures is none for those who never come."""
    of = with_cells(PAIR, at_deadline=at_deadline, substitute="expert")
    matches = match(of, [waiting(1, 1000.0)])
    expected = [("solo", "", False)] if at_deadline is AtDeadline.SOLO else []
    assert [(str(m.team), m.cell, m.is_substituted) for m in matches] == expected


@pytest.mark.parametrize("far", [19, 20, 60])
def test_L1_people_who_suit_each_other_play_however_many_wait_before_them(far: int) -> None:
    """Tickets that wait before theirs suit nobody, and one another neither."""
    of = with_cells(cells=cells(PAIR, target=far + 10), latency=LatencyBound(most_ms=200))
    tickets = [waiting(number, 90, rtt_ms=300) for number in range(far)]
    tickets += [waiting(far + number, 50, rtt_ms=20) for number in range(20)]
    matches = match(of, tickets)
    seated = {a.participant_id for found in matches for a in found.assignments}
    assert seated == {ticket.participant_id for ticket in tickets[far:]}


def test_looks_beyond_the_first_groups_are_used_up() -> None:
    groups = [Gathering(Offer(str(n), PAIR, 2)) for n in range(FIRST_GATHERINGS + 5)]
    looks = Looks(left=7)
    counts = [len(list(looks.among(groups))) for _ in range(3)]
    assert counts == [FIRST_GATHERINGS + 5, FIRST_GATHERINGS + 2, FIRST_GATHERINGS]
