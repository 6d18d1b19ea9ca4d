"""Policies that a study tells nobody of: when they come, and that their first step counts."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from scipy.stats import ks_2samp

from server.sessions.spec import TICK_RATE, SeatSpec
from server.wire.messages import ReadyInput
from server.worker.arrival_times import LEAST_SEEN, ArrivalTimes
from server.worker.hidden_policies import HiddenPolicies
from server.worker.seen_people import SeenPeople
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of
from tests.server.worker.live_table import Chatter, Table


def table(*, hidden: bool = True, **spec: Any) -> Table:
    """Return a session of a person and a policy that nobody is told of, or everybody is."""
    seats = tuple(
        SeatSpec(s.seat, True, "chatter", stands_for_person=hidden)
        if s.seat.seat_id == ROBOT
        else s
        for s in core_of().spec.seats
    )
    return Table({"chatter": Chatter}, seats=seats, tells_doing=not hidden, **spec)


def ready_after_s(seed: int) -> float:
    made = table(seed=seed)
    human = made.come(HUMAN)
    made.send(human, ReadyInput())
    for tick in itertools.count(1):
        made.run(1 / TICK_RATE, [human])
        if made.presence(ROBOT) != "loading":
            return tick / TICK_RATE
    raise AssertionError


def test_it_is_ready_after_as_long_as_a_page_takes() -> None:
    times = [ready_after_s(seed) for seed in range(12)]
    assert all(0.3 < time < 15 for time in times)
    assert len(set(times)) > 6, "no two pages take the same time"


def test_it_comes_as_people_of_this_worker_do() -> None:
    times = ArrivalTimes()
    for ticks in range(300, 300 + LEAST_SEEN):
        times.note(ticks, is_first=True)
    rng = Random(1)
    drawn = [times.draw(rng, is_first=True) for _ in range(100)]
    assert all(300 * 0.9 <= ticks <= (300 + LEAST_SEEN) * 1.1 for ticks in drawn)
    assert all(times.draw(rng, is_first=False) < 300 for _ in range(20)), "going on is another"


def test_the_time_of_people_is_what_is_learnt() -> None:
    seats = core_of().spec.seats
    assert not any(s.policy for s in seats)
    made, times = Table(), ArrivalTimes()
    made.session._occupants._hidden = HiddenPolicies(made.session.core, SeenPeople(times))
    human, robot = made.come(HUMAN), made.come(ROBOT)
    made.run(2)
    made.send(human, ReadyInput())
    made.run(3)
    made.send(robot, ReadyInput())
    made.run(0.1)
    assert made.phase == "running"
    assert [round(ticks / TICK_RATE) for ticks in times._seen[True]] == [2, 5]
    assert not times._seen[False]


def busy_pair(rng: Random) -> tuple[int, int]:
    """Return when two people are ready: on a machine that is busy, both take four times as long."""
    slow = rng.choice((1, 1, 1, 4))
    return round(slow * rng.uniform(10, 60)), round(slow * rng.uniform(10, 60))


def test_it_comes_after_somebody_as_people_come_after_each_other() -> None:
    rng, times = Random(1), ArrivalTimes()
    between: dict[str, list[int]] = {"people": [], "policy": [], "alone": []}
    for number in range(2000):
        one, other = busy_pair(rng)
        between["people"].append(one - other)
        times.note(one, is_first=True)
        times.note(other, is_first=True)
        times.note_pair(one, other, is_first=True)
        if number >= 200:
            here, _ = busy_pair(rng)
            coming, tick = times.somebody(Random(number), is_first=True), 0
            while not coming.is_here(tick, here if tick >= here else None):
                tick += 1
            between["policy"].append(tick - here)
            between["alone"].append(times.draw(Random(number), is_first=True) - here)
    later = {name: sum(t > 60 for t in found) / len(found) for name, found in between.items()}
    assert abs(later["policy"] - later["people"]) < 0.03 < later["alone"] - later["people"]
    after = {name: [t for t in found if t > 0] for name, found in between.items()}
    distance = {name: ks_2samp(found, after["people"]) for name, found in after.items()}
    assert distance["policy"].statistic < 0.8 * distance["alone"].statistic


def test_until_pairs_were_seen_it_comes_by_itself() -> None:
    times = ArrivalTimes()
    for number in range(LEAST_SEEN):
        times.note(100 + number, is_first=True)
    for seed in range(20):
        coming = times.somebody(Random(seed), is_first=True)
        assert not coming.is_here(80, 1)
        assert coming.is_here(120, None)


def test_two_who_get_ready_are_noted_as_a_pair_once() -> None:
    made, times = Table(), ArrivalTimes()
    made.session._occupants._hidden = HiddenPolicies(made.session.core, SeenPeople(times))
    human, robot = made.come(HUMAN), made.come(ROBOT)
    made.run(2)
    made.send(human, ReadyInput())
    made.run(3)
    made.send(robot, ReadyInput())
    made.run(0.1)
    made.run(1)
    pairs = [[round(ticks / TICK_RATE) for ticks in pair] for pair in times._pairs[True]]
    assert pairs == [[2, 5], [5, 2]]
    assert not times._pairs[False]


@pytest.mark.parametrize("hidden", [True, False])
def test_its_first_step_counts_where_nobody_is_told(hidden: bool) -> None:
    made = table(hidden=hidden, seed=1, clock_wait_s=60)
    human = made.come(HUMAN)
    made.send(human, ReadyInput())
    made.run(16, [human])
    core = made.session.core
    assert core.phase == "running"
    assert core.clock_waits, "the person has not moved"
    assert (core.seats[ROBOT].drive.forward > 0) is hidden
    assert (core.seats[ROBOT].begun is True) is hidden
