"""State that ``llamar`` carries from one decision to the next."""

from __future__ import annotations

import pytest

from server.robots.policies.llamar.board import Board, TrackRecord
from tests.server.robots.calls import as_call


def test_the_verifier_can_only_complete_what_is_open() -> None:
    board = Board(("wash cup_1", "find bowl"), ("find cup",))
    after, rejected = board.verified(["Wash cup_1!", "find cup", "fly"])
    assert after == Board(("find bowl",), ("find cup", "wash cup_1"))
    assert rejected == ["fly"]
    assert board.verified([])[0] == board


@pytest.mark.parametrize("reopens", [True, False])
def test_what_was_completed_is_opened_again_only_where_that_may_be(reopens: bool) -> None:
    board = Board(("find bowl",), ("find cup",), "a note")
    after = board.planned(["Find cup", "find cup.", "", "fill it"], reopens=reopens)
    if reopens:
        assert after == Board(("Find cup", "fill it"), (), "a note")
    else:
        assert after == Board(("fill it",), ("find cup",), "a note")


def test_failures_are_counted_until_the_next_success() -> None:
    lengths = []
    record, picks = TrackRecord(), as_call("Pick[cup_0]")
    for succeeded in (False, False, True):
        record = record.trying(picks, "").after("so", succeeded=succeeded)
        lengths.append((len(record.failures), record.failed_in_a_row(picks)))
    assert lengths == [(1, 1), (2, 2), (0, 0)]
