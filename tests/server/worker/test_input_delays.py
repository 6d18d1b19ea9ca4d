"""Delays of people's inputs: learnt from how evenly walks come in, played by hidden policies."""

from __future__ import annotations

from itertools import islice
from random import Random

from server.sessions.intents import Look
from server.sessions.spec import TICK_RATE
from server.wire.messages import DriveInput
from server.worker.hidden_policies import HiddenPolicies
from server.worker.input_delays import (
    LEAST_SEEN,
    LONGEST_GAP,
    MOST_TICKS,
    REPEAT_TICKS,
    SHORTEST,
    InputDelays,
    Walks,
)
from server.worker.seen_people import SeenPeople
from tests.server.sessions.first_house_sessions import ROBOT
from tests.server.worker.test_hidden_policies import table


def driven(forward: int = 1000, yaw: int = 0, at: int = 0) -> DriveInput:
    return DriveInput(at, forward, 0, yaw, 0)


def walk(walks: Walks, seat: str, at: int, gaps: list[int]) -> None:
    """Walk, say so after some gaps (ticks), and stop."""
    walks.note(seat, driven(at=at), at)
    for gap in gaps:
        at += gap
        walks.note(seat, driven(at=at), at)
    walks.note(seat, driven(0), at + 1)


def seen(delays: InputDelays) -> list[tuple[int, ...]]:
    return [stretch for person in delays._people for stretch in person]


def test_an_even_walk_has_no_delays_and_a_late_repeat_has() -> None:
    delays = InputDelays()
    walks = Walks(delays)
    walk(walks, "a", 10, [REPEAT_TICKS] * 8)
    late = [REPEAT_TICKS] * 4 + [REPEAT_TICKS + 2, REPEAT_TICKS - 2] + [REPEAT_TICKS] * 4
    walk(walks, "b", 500, late)
    assert seen(delays) == [(0,) * 24, (0,) * 15 + (2, 1) + (0,) * 13]


def test_a_page_that_repeats_more_slowly_is_not_later_and_later() -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, [REPEAT_TICKS + 1] * 12)
    assert seen(delays) == [(0,) * 48]


def test_who_turns_while_walking_is_not_late() -> None:
    delays = InputDelays()
    walks = Walks(delays)
    at = 0
    for number in range(80):
        turns = number % 8 < 4
        at += 1 if turns else REPEAT_TICKS
        walks.note("a", driven(yaw=number if turns else number - number % 8 + 3, at=at), at)
    walks.note("a", driven(0), at + 1)
    assert [set(stretch) for stretch in seen(delays)] == [{0}]


def test_short_walks_and_what_lies_between_two_are_left_out() -> None:
    delays = InputDelays()
    walks = Walks(delays)
    walk(walks, "a", 10, [REPEAT_TICKS] * (SHORTEST - 1))
    walk(walks, "a", 900, [REPEAT_TICKS] * 3 + [LONGEST_GAP + 1] + [REPEAT_TICKS] * 3)
    assert seen(delays) == []


def test_a_walk_that_came_in_at_one_tick_is_left_out() -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, [0] * (SHORTEST + 1))
    assert seen(delays) == []


def test_no_delay_is_longer_than_a_policy_can_steer_with() -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, [REPEAT_TICKS] * 6 + [LONGEST_GAP] + [REPEAT_TICKS] * 6)
    assert max(max(stretch) for stretch in seen(delays)) == MOST_TICKS


def test_delays_of_people_are_played_in_their_order_once_some_were_seen() -> None:
    delays = InputDelays()
    before = list(islice(delays.delays(Random(1)), 200))
    assert set(before) == {0, 1}
    for number in range(LEAST_SEEN):
        walk(Walks(delays), "a", 1000 * number, [3, 3, 3, 5, 1, 3, 3])
    played = list(islice(delays.delays(Random(1)), 42))
    assert played == ([0] * 12 + [2, 1] + [0] * 7) * 2


def test_a_policy_is_as_late_as_one_person_and_not_as_all_on_average() -> None:
    delays, even, late = InputDelays(), [3] * 7, [3, 3, 3, 5, 1, 3, 3]
    for number in range(2 * LEAST_SEEN):
        walks = Walks(delays)
        for at in range(0, 4000, 1000):
            walk(walks, "a", at, late if number % 4 == 0 else even)
    means = [sum(islice(delays.delays(Random(n)), 210)) / 210 for n in range(200)]
    assert set(means) == {0.0, 30 / 210}
    assert 20 < sum(mean > 0 for mean in means) < 80


def test_what_a_hidden_policy_wants_comes_in_late_and_in_its_order() -> None:
    people = SeenPeople()
    for number in range(LEAST_SEEN):
        walk(Walks(people.inputs), "a", 1000 * number, [3, 3, 3, 5, 1, 3, 3])
    for hidden in (True, False):
        made = table(hidden=hidden)
        core = made.session.core
        line = HiddenPolicies(core, people)
        came: list[list[float]] = []
        for number in range(40):
            wanted = [Look(number / 10, 0.0)]
            came.append([i.yaw for i in line.come_in(ROBOT, wanted) if isinstance(i, Look)])
            made.run(1 / TICK_RATE)
        in_order = [yaw for yaws in came for yaw in yaws]
        assert in_order == sorted(in_order)
        assert len(in_order) >= 38
        assert any(len(yaws) != 1 for yaws in came) == hidden
