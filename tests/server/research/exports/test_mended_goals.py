"""Goals that an explanation named, and whether the next attempt at the task mended them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from episodes.evaluation import Verdict
from matchmaking.study.treatment import Explanation
from server.research.exports.played_episodes import PlayedEpisode
from server.research.exports.tables.episodes import _until_next_s
from server.research.exports.tables.explanations import named_and_mended
from server.research.exports.tables.propositions import proposition_rows
from server.research.exports.tables.retries import attempt_before, retry_cells
from server.store.models import EpisodeRow
from tests.episodes.metrics.test_metrics_values import episode

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


def verdict(*counts: tuple[bool, bool]) -> Verdict:
    """Return a verdict whose goals are satisfied and valid as said."""
    made = episode(solved=False).verdict
    goal = made.propositions[0]
    return msgspec.structs.replace(
        made,
        propositions=tuple(
            msgspec.structs.replace(goal, index=index, satisfied=satisfied, valid=valid)
            for index, (satisfied, valid) in enumerate(counts)
        ),
    )


def attempt(number: int, task_id: str, *counts: tuple[bool, bool]) -> PlayedEpisode:
    begun = NOON + timedelta(minutes=10 * number)
    row = EpisodeRow(
        order_index=number,
        dataset="first",
        task_id=task_id,
        episode_id=f"epi_{number}",
        opened_at=begun,
        ended_at=begun + timedelta(minutes=8),
        verdict=msgspec.to_builtins(verdict(*counts)),
    )
    return PlayedEpisode(row, None)


FIRST = attempt(0, "1", (True, True), (False, True), (True, False), (False, True))
OTHER = attempt(1, "2", (True, True), (True, True), (True, True), (True, True))
SECOND = attempt(2, "1", (True, True), (True, True), (True, True), (False, True))
SESSION = [SECOND, FIRST, OTHER]


def told(of: PlayedEpisode, kind: Explanation | None, column: str) -> list[Any]:
    return [row[column] for row in proposition_rows(of, kind, SESSION)]


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("ours", [False, True, True, True]),
        # PARTNR's text tells of constraints only where no step is missing.
        ("partnr", [False, True, False, True]),
        # What names no goals has not left out any.
        ("verdict", [None] * 4),
        ("none", [None] * 4),
        (None, [None] * 4),
    ],
)
def test_named_are_the_goals_that_the_explanation_told_of(
    kind: Explanation | None, named: list[bool | None]
) -> None:
    assert told(FIRST, kind, "is_named") == named


def test_partnr_names_what_does_not_count_where_nothing_is_missing() -> None:
    kept = attempt(0, "1", (True, True), (True, False))
    assert told(kept, "partnr", "is_named") == [False, True]


def test_mended_is_what_counts_in_the_next_attempt_at_the_same_task() -> None:
    assert told(FIRST, "ours", "is_mended") == [None, True, True, False]
    assert told(SECOND, "ours", "is_mended") == [None] * 4


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        ("ours", (3, 2)),
        ("partnr", (2, 1)),
        # Not zero of zero: these kinds name no goals.
        ("verdict", (None, None)),
        ("none", (None, None)),
    ],
)
def test_what_was_shown_says_how_many_goals_it_named_and_were_mended(
    kind: Explanation, counts: tuple[int | None, int | None]
) -> None:
    assert named_and_mended(FIRST, SECOND, kind) == counts
    assert named_and_mended(SECOND, None, "ours") == (1, None)


NOTHING = {"retry_success": None, "retry_mended": None, "retry_named_mended": None}


@pytest.mark.parametrize(
    ("kind", "named"), [("ours", 2 / 3), ("partnr", 1 / 2), ("verdict", None), ("none", None)]
)
def test_a_try_that_follows_another_tells_what_it_mended(
    kind: Explanation, named: float | None
) -> None:
    # Three goals did not count, and two of them do: in each kind the same, whatever it named.
    assert retry_cells(SECOND, attempt_before(SECOND, SESSION), kind) == {
        "explained_before": kind,
        "retry_success": SECOND.shown and SECOND.shown.success,
        "retry_mended": pytest.approx(2 / 3),
        "retry_named_mended": named and pytest.approx(named),
    }


def test_a_first_try_is_none_that_follows_another() -> None:
    assert attempt_before(FIRST, SESSION) is attempt_before(OTHER, SESSION) is None
    assert retry_cells(FIRST, None, None) == {"explained_before": None, **NOTHING}


@pytest.mark.parametrize("change", [{"status": "unavailable"}, {"success": True}])
def test_what_follows_a_try_that_nobody_saw_fail_says_nothing(change: dict[str, Any]) -> None:
    shown = msgspec.structs.replace(FIRST.shown, **change)  # type: ignore[type-var]
    row = EpisodeRow(
        order_index=0, dataset="first", task_id="1", verdict=msgspec.to_builtins(shown)
    )
    before = PlayedEpisode(row, None)
    assert retry_cells(SECOND, before, "ours") == {"explained_before": "ours", **NOTHING}


def test_the_time_until_the_next_attempt_ends_where_that_opens() -> None:
    rows = [played.row for played in SESSION]
    assert _until_next_s(FIRST.row, rows) == 120.0
    assert _until_next_s(SECOND.row, rows) is None
