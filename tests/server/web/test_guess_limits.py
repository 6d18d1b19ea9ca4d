"""Limits of wrong passwords, on a clock of their own."""

from __future__ import annotations

from server.web.guess_limits import (
    ALL_GUESSES,
    FEW_GUESSES,
    GROUP_GUESSES,
    KNOWN_WRONG,
    WINDOW_S,
    GuessLimits,
)
from server.web.quotas import MOST_KEYS
from tests.clock_double import ClockDouble


def test_a_group_waits_until_its_oldest_guess_is_forgotten() -> None:
    clock = ClockDouble()
    limits = GuessLimits(clock)
    for n in range(GROUP_GUESSES):
        clock.now = 10.0 + n
        assert limits.wait_s("a") == 0
        limits.guessed_wrong("a", b"%d" % n)
    clock.now = 100.0
    assert limits.wait_s("a") == WINDOW_S - 90
    assert limits.wait_s("b") == 0
    clock.now = 10.0 + WINDOW_S
    assert limits.wait_s("a") == 0
    limits.guessed_wrong("a", b"another")
    assert limits.wait_s("a") == 1


def test_while_many_guess_a_new_group_has_fewer() -> None:
    clock = ClockDouble()
    limits = GuessLimits(clock)
    for n in range(ALL_GUESSES):
        assert limits.wait_s(f"group {n}") == 0
        limits.guessed_wrong(f"group {n}", b"guess")
    for n in range(FEW_GUESSES):
        assert limits.wait_s("another") == 0
        limits.guessed_wrong("another", b"%d" % n)
    assert limits.wait_s("another") == WINDOW_S
    assert limits.wait_s("one more") == 0, "nobody waits for what others guessed"
    clock.now = WINDOW_S
    assert limits.wait_s("another") == 0


def test_strangers_do_not_lock_out_who_knows_it() -> None:
    limits = GuessLimits(ClockDouble())
    limits.guessed_right("laboratory")
    for n in range(ALL_GUESSES):
        limits.guessed_wrong(f"group {n}", b"guess")
    for n in range(GROUP_GUESSES):
        assert limits.wait_s("laboratory") == 0, n
        limits.guessed_wrong("laboratory", b"%d" % n)
    assert limits.wait_s("laboratory") == WINDOW_S


def test_what_is_kept_is_bounded() -> None:
    limits = GuessLimits(ClockDouble())
    for n in range(10_000):
        limits.guessed_right(f"group {n}")
    assert len(limits._trusted) <= 256
    for n in range(MOST_KEYS + 10):
        limits.guessed_wrong(f"group {n}", b"guess")
    assert len(limits._known_wrong) == MOST_KEYS


def test_the_same_wrong_guess_counts_once() -> None:
    limits = GuessLimits(ClockDouble())
    for n in range(KNOWN_WRONG):
        for _ in range(10 * ALL_GUESSES):
            limits.guessed_wrong("scraper", b"old %d" % n)
            limits.guessed_wrong("scraper", b"old 0")
    assert limits.wait_s("scraper") == 0
    # A list of words that is gone through again and again is guessing all the same.
    for n in range(GROUP_GUESSES):
        limits.guessed_wrong("stranger", b"%d" % (n % (KNOWN_WRONG + 1)))
    assert limits.wait_s("stranger") == WINDOW_S


def test_what_was_guessed_is_not_kept() -> None:
    limits = GuessLimits(ClockDouble())
    limits.guessed_wrong("a", b"nearly the password")
    assert b"nearly" not in repr(vars(limits)).encode()
    other = GuessLimits(ClockDouble())
    other.guessed_wrong("a", b"nearly the password")
    assert limits._known_wrong != other._known_wrong
