"""Limits of wrong passwords, on a clock of their own."""

from __future__ import annotations

from server.web.guess_limits import ALL_GUESSES, FEW_GUESSES, GROUP_GUESSES, WINDOW_S, GuessLimits
from tests.clock_double import ClockDouble


def test_a_group_waits_until_its_oldest_guess_is_forgotten() -> None:
    clock = ClockDouble()
    limits = GuessLimits(clock)
    for n in range(GROUP_GUESSES):
        clock.now = 10.0 + n
        assert limits.wait_s("a") == 0
        limits.guessed_wrong("a")
    clock.now = 100.0
    assert limits.wait_s("a") == WINDOW_S - 90
    assert limits.wait_s("b") == 0
    clock.now = 10.0 + WINDOW_S
    assert limits.wait_s("a") == 0
    limits.guessed_wrong("a")
    assert limits.wait_s("a") == 1


def test_while_many_guess_a_new_group_has_fewer() -> None:
    clock = ClockDouble()
    limits = GuessLimits(clock)
    for n in range(ALL_GUESSES):
        assert limits.wait_s(f"group {n}") == 0
        limits.guessed_wrong(f"group {n}")
    for _ in range(FEW_GUESSES):
        assert limits.wait_s("another") == 0
        limits.guessed_wrong("another")
    assert limits.wait_s("another") == WINDOW_S
    assert limits.wait_s("one more") == 0, "nobody waits for what others guessed"
    clock.now = WINDOW_S
    assert limits.wait_s("another") == 0


def test_strangers_do_not_lock_out_who_knows_it() -> None:
    limits = GuessLimits(ClockDouble())
    limits.guessed_right("laboratory")
    for n in range(ALL_GUESSES):
        limits.guessed_wrong(f"group {n}")
    for n in range(GROUP_GUESSES):
        assert limits.wait_s("laboratory") == 0, n
        limits.guessed_wrong("laboratory")
    assert limits.wait_s("laboratory") == WINDOW_S


def test_what_is_kept_is_bounded() -> None:
    limits = GuessLimits(ClockDouble())
    for n in range(10_000):
        limits.guessed_right(f"group {n}")
    assert len(limits._trusted) <= 256
