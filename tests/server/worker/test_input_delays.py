"""Delays of people's inputs: learnt from how evenly walks come in, played by hidden policies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from server.sessions.intents import Look
from server.sessions.spec import TICK_RATE
from server.wire.messages import DriveInput
from server.worker.hidden_policies import HiddenPolicies
from server.worker.input_delays import (
    LEAST_SEEN,
    LONGEST_GAP,
    MOST_TICKS,
    SHORTEST,
    InputDelays,
    Walks,
)
from server.worker.seen_people import SeenPeople
from tests.server.sessions.first_house_sessions import ROBOT
from tests.server.worker.test_hidden_policies import table

TOLD = TICK_RATE // 10
"""Ticks after which a page says again that its body walks on."""
EVEN = [TOLD] * 9
HELD_UP = [TOLD] * 4 + [TOLD + 2, TOLD - 2] + [TOLD] * 3


def driven(at: float, forward: int = 1000, yaw: int = 0) -> DriveInput:
    return DriveInput(round(at * 1000 / TICK_RATE), forward, 0, yaw, 0)


def walk(
    walks: Walks, seat: str, at: int, gaps: Sequence[int], sent: Sequence[float] = EVEN
) -> None:
    """Walk: say so at times of a page's clock, which come in after gaps (ticks), and stop."""
    by = 77.0 * at
    walks.note(seat, driven(by), at)
    for gap, of_page in zip(gaps, sent, strict=False):
        at, by = at + gap, by + of_page
        walks.note(seat, driven(by), at)
    walks.note(seat, driven(by, 0), at + 1)


def seen(delays: InputDelays) -> list[tuple[int, ...]]:
    return [stretch for person in delays._people for stretch in person]


def test_an_even_walk_has_no_delays_and_what_is_held_up_has() -> None:
    delays = InputDelays()
    walks = Walks(delays)
    walk(walks, "a", 10, EVEN)
    walk(walks, "b", 500, HELD_UP)
    assert seen(delays) == [(0,) * 27, (0,) * 15 + (2, 1) + (0,) * 10]


def test_what_stays_held_up_is_late_until_it_is_not() -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, [3, 3, 5, 3, 3, 1, 3, 3, 3])
    assert seen(delays) == [(0,) * 9 + (2,) * 6 + (2, 1, 0) + (0,) * 9]


@pytest.mark.parametrize("of_page", [[1, 1, 1, 3, 1, 3, 1, 1, 3], [3.5] * 9, [4] * 9, [1] * 9])
def test_a_page_that_tells_when_it_likes_is_not_late(of_page: list[float]) -> None:
    """A page tells sooner while its body turns, and in steps of its frames."""
    delays, at = InputDelays(), 0.0
    gaps: list[int] = []
    for gap in of_page:
        gaps.append(int(at + gap) - int(at))
        at += gap
    walk(Walks(delays), "a", 10, gaps, of_page)
    (stretch,) = seen(delays)
    assert sum(stretch) <= len(stretch) / 8
    assert abs(len(stretch) - at) <= 1


def test_short_walks_and_what_lies_between_two_are_left_out() -> None:
    delays = InputDelays()
    walks = Walks(delays)
    walk(walks, "a", 10, [TOLD] * (SHORTEST - 2))
    far = [TOLD] * 3 + [LONGEST_GAP + 1] + [TOLD] * 3
    walk(walks, "a", 900, far, far)
    assert seen(delays) == []


def test_a_walk_that_came_in_at_one_tick_is_left_out() -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, [0] * (SHORTEST + 1))
    assert seen(delays) == []


@pytest.mark.parametrize("of_page", [[0] * 9, [-3] * 9, [3 * TOLD] * 9, [TOLD / 3] * 9])
def test_a_page_whose_clock_is_wrong_makes_nobody_late(of_page: list[float]) -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, EVEN, of_page)
    assert seen(delays) == []


def test_no_delay_is_longer_than_a_policy_can_steer_with() -> None:
    delays = InputDelays()
    walk(Walks(delays), "a", 10, [TOLD] * 3 + [TOLD + 7, 0, 0, 2, TOLD, TOLD])
    assert max(max(stretch) for stretch in seen(delays)) == MOST_TICKS


def test_delays_of_people_are_played_in_their_order_once_some_were_seen() -> None:
    delays = InputDelays()
    before = list(islice(delays.delays(Random(1)), 200))
    assert set(before) == {0, 1}
    for number in range(LEAST_SEEN):
        walk(Walks(delays), "a", 1000 * number, HELD_UP)
    played = list(islice(delays.delays(Random(1)), 54))
    assert played == ([0] * 15 + [2, 1] + [0] * 10) * 2


def test_a_policy_is_as_late_as_one_person_and_not_as_all_on_average() -> None:
    delays = InputDelays()
    for number in range(2 * LEAST_SEEN):
        walks = Walks(delays)
        for at in range(0, 4000, 1000):
            walk(walks, "a", at, HELD_UP if number % 4 == 0 else EVEN)
    means = [sum(islice(delays.delays(Random(n)), 270)) / 270 for n in range(200)]
    assert set(means) == {0.0, 30 / 270}
    assert 20 < sum(mean > 0 for mean in means) < 80


def test_what_a_hidden_policy_wants_comes_in_late_and_in_its_order() -> None:
    people = SeenPeople()
    for number in range(LEAST_SEEN):
        walk(Walks(people.inputs), "a", 1000 * number, HELD_UP)
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
