"""Attempts to resume a session, in virtual time."""

from __future__ import annotations

from server.hosting.resumption import FIRST_PAUSE_S, LONGEST_PAUSE_S, PATIENCE_S, Resumption


def test_pauses_grow_and_the_last_attempt_is_at_the_end_of_the_patience() -> None:
    now, attempts = 100.0, Resumption(100.0)
    pauses = []
    while (pause_s := attempts.pause_s(now)) is not None:
        pauses.append(pause_s)
        now += pause_s
    assert now == 100.0 + PATIENCE_S
    assert pauses[0] == FIRST_PAUSE_S
    assert pauses[:-1] == sorted(pauses[:-1])
    assert max(pauses) == LONGEST_PAUSE_S


def test_attempts_that_take_long_end_all_the_same() -> None:
    assert Resumption(0.0).pause_s(PATIENCE_S + 30) is None
