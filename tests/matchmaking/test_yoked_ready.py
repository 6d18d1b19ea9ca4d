"""Ready checks of groups that wait for nobody: they begin no sooner than those who wait for others.

Whoever begins at once after saying that they are ready would know that a program plays with them.
"""

from __future__ import annotations

from random import Random
from statistics import mean

from msgspec.structs import replace

from matchmaking.due_instants import next_due
from matchmaking.limits import Limits
from matchmaking.study import Study
from tests.matchmaking.made_places import places_of
from tests.matchmaking.matchmakers.test_balanced import PAIR, ROBOT, cells, with_cells
from tests.matchmaking.waiting_people import Waiting

STEP_S = 0.25


def yoked(target: int) -> Study:
    pair, robot = cells(PAIR, ROBOT, target=target)
    limits = Limits(wait_s=3600, ready_s=15)
    return with_cells(cells=(pair, replace(robot, waits_like=pair.name)), limits=limits)


def test_before_anybody_is_known_it_begins_at_a_drawn_time_within_half_of_what_is_given() -> None:
    drawn = [places_of(yoked(4), seed=str(seed)).of("par_1") for seed in range(60)]
    times = {p.ready_after_s for p in drawn if p is not None and p.cell.name == "c1"}
    assert len(times) > 10
    assert 5 < max(times) <= 7.5
    assert {p.ready_after_s for p in drawn if p is not None and p.cell.name == "c0"} == {0.0}


def test_who_is_ready_at_once_begins_when_others_would_have_been_and_at_no_later_round() -> None:
    lobby = next(w for n in range(99) if (w := Waiting(yoked(4), str(n))) and _draws_robot(w))
    place = lobby.places.of("par_1")
    assert place is not None
    ann = lobby.come(1)
    lobby.round(place.wait_s)
    assert lobby.queue.confirm(ann, lobby.now)
    begins_at = lobby.now + place.ready_after_s
    assert lobby.queue.next_deadline() == begins_at
    assert lobby.round(place.ready_after_s - 0.1) == []
    lobby.now = begins_at
    (match,) = lobby.round()
    assert match.cell == "c1"


def test_who_waits_for_nobody_is_due_at_an_instant_and_not_at_the_next_round() -> None:
    lobby = next(w for n in range(99) if (w := Waiting(yoked(4), str(n))) and _draws_robot(w))
    place = lobby.places.of("par_1")
    assert place is not None
    assert next_due(lobby.queue, lobby.now) is None
    lobby.come(1)
    due = lobby.now + place.wait_s
    assert next_due(lobby.queue, lobby.now) == due
    assert next_due(lobby.queue, due) is None, "what is due already asks for no other round"


def _draws_robot(lobby: Waiting) -> bool:
    place = lobby.places.of("par_1")
    return place is not None and place.cell.name == "c1" and place.ready_after_s > 1


def test_people_beside_a_program_begin_after_their_answer_as_people_beside_people_do() -> None:
    lobby, rng = Waiting(yoked(250)), Random(3)
    answers: dict[str, float] = {}
    after: dict[str, list[float]] = {"c0": [], "c1": []}
    asked: dict[str, list[float]] = {"c0": [], "c1": []}
    comes_at, number, is_asked = 0.0, 0, dict[str, float]()
    while sum(map(len, after.values())) < 600:
        if lobby.now >= comes_at:
            number += 1
            lobby.come(number)
            comes_at = lobby.now + rng.expovariate(1 / 8)
        for ticket in list(lobby.queue):
            name = ticket.ticket_id
            if lobby.queue.ready_until(name) is not None and name not in answers:
                is_asked[name] = lobby.now
                answers[name] = lobby.now + rng.uniform(0.5, 8.0)
            if name in answers and lobby.now >= answers[name]:
                lobby.queue.confirm(name, lobby.now)
        for match in lobby.round(STEP_S):
            assert match.decision is not None
            for name in match.ticket_ids:
                after[match.cell].append(lobby.now - answers[name])
                asked[match.cell].append(lobby.now - is_asked[name])
    late = {name: mean(s > 1.05 for s in times) for name, times in after.items()}
    assert min(len(times) for times in after.values()) > 100
    assert abs(late["c0"] - late["c1"]) < 0.12, late
    assert abs(mean(asked["c0"]) - mean(asked["c1"])) < 0.6
