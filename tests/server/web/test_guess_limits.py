"""Limits of wrong passwords, on a clock of their own."""

from __future__ import annotations

from server.web.guess_limits import ALL_GUESSES, GROUP_GUESSES, WINDOW_S, GuessLimits
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


def test_many_groups_have_a_limit_together() -> None:
    clock = ClockDouble()
    limits = GuessLimits(clock)
    guesses = 0
    for n in range(10 * ALL_GUESSES):
        if limits.wait_s(f"group {n}") == 0:
            limits.guessed_wrong(f"group {n}")
            guesses += 1
    assert guesses == ALL_GUESSES
    clock.now = 1.0
    assert limits.wait_s("another") == WINDOW_S - 1
    clock.now = WINDOW_S
    assert limits.wait_s("another") == 0


def test_strangers_do_not_lock_out_who_knows_it() -> None:
    limits = GuessLimits(ClockDouble())
    limits.guessed_right("laboratory")
    for n in range(ALL_GUESSES):
        limits.guessed_wrong(f"group {n}")
    assert limits.wait_s("stranger") > 0
    assert limits.wait_s("laboratory") == 0
    for _ in range(GROUP_GUESSES):
        limits.guessed_wrong("laboratory")
    assert limits.wait_s("laboratory") == WINDOW_S


def test_what_is_kept_is_bounded() -> None:
    limits = GuessLimits(ClockDouble())
    for n in range(10_000):
        limits.guessed_right(f"group {n}")
    assert len(limits._trusted) <= 256
