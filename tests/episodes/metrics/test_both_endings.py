"""Both endings of an episode, worked out by hand."""

from __future__ import annotations

import msgspec
import pytest

from episodes.dataset import Proposition
from episodes.evaluation import unavailable
from episodes.metrics import endings, restricted
from episodes.metrics.endings import goal_things
from episodes.trace import Happening, Percent, SeatRecord, Trace
from episodes.world import HolderChanged

PROPOSITIONS = [
    Proposition("is_clean", {"object_handles": ["cup"]}),
    Proposition("is_on_top", {"object_handles": ["plate"], "receptacle_handles": ["table"]}),
]
SOLVED = msgspec.structs.replace(unavailable("", "documented"), success=True, percent_complete=1.0)
SEATS = (SeatRecord("robot_0", "robot"), SeatRecord("human_0", "human"))


def held(tick: int, thing: str, seat: str | None) -> Happening:
    return Happening(tick, HolderChanged(thing, seat), seat)


def episode(*happenings: Happening, percents: tuple[Percent, ...], ticks: int = 900) -> Trace:
    return Trace(
        episode_id="epi_1", ticks=ticks, seats=SEATS, happenings=happenings, percents=percents,
        verdict=SOLVED,
    )  # fmt: skip


def test_steps_run_to_the_last_placement() -> None:
    """The cup is clean at 200, which is all that was missing, and is put down at 300."""
    trace = episode(
        held(150, "cup", "human_0"), held(300, "cup", None),
        percents=(Percent(100, 0.5), Percent(200, 1.0)),
    )  # fmt: skip
    found = endings(trace, PROPOSITIONS)
    assert (found.steps_to_success, found.success_in_hand) == (300, 0.0)
    assert found.idle_s == pytest.approx(20.0)


def test_a_success_in_the_hand_is_counted_apart() -> None:
    trace = episode(held(150, "cup", "human_0"), percents=(Percent(200, 1.0),))
    found = endings(trace, PROPOSITIONS)
    assert (found.steps_to_success, found.success_in_hand, found.idle_s) == (900, 1.0, 0.0)


def test_what_no_goal_names_may_be_held() -> None:
    trace = episode(held(150, "vase", "human_0"), percents=(Percent(200, 1.0),))
    assert endings(trace, PROPOSITIONS)[:2] == (200, 0.0)


def test_success_that_was_undone_and_came_back_still_came_first_where_it_came() -> None:
    """An ending on success would have ended it there."""
    trace = episode(percents=(Percent(200, 1.0), Percent(300, 0.5), Percent(500, 1.0)))
    assert endings(trace, PROPOSITIONS).steps_to_success == 200


def test_a_failure_has_no_steps_to_success() -> None:
    failed = msgspec.structs.replace(
        episode(percents=(Percent(200, 1.0),)),
        verdict=msgspec.structs.replace(SOLVED, success=False, percent_complete=0.5),
    )
    assert endings(failed, PROPOSITIONS)[:3] == (None, None, None)


@pytest.mark.parametrize(("steps", "expected"), [(None, 20_000.0), (10, 10.0), (30_000, 20_000.0)])
def test_an_unsolved_attempt_counts_as_the_limit(steps: int | None, expected: float) -> None:
    assert restricted(steps, 20_000) == expected


def test_things_of_goals() -> None:
    clustered = Proposition("is_clustered", {"*args": [["a"], ["b", "c"]], "number": [1, 1]})
    assert goal_things([*PROPOSITIONS, clustered]) >= {"cup", "plate", "table", "a", "b", "c"}
