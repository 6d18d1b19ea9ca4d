"""Losses of recordings: each is counted once, whoever tells of it."""

from __future__ import annotations

from server.hosting.losses import BROKEN, Losses, broken_notice
from server.sessions.play_count import PlayCount
from server.sessions.spec import TICK_RATE

TWO_S, THIRTY_S = PlayCount(2 * TICK_RATE, 1), PlayCount(30 * TICK_RATE, 4)


def test_what_a_session_loses_at_its_end_is_counted_besides_what_it_lost_before() -> None:
    losses = Losses()
    losses.count("ses_a", TWO_S)
    losses.count_at_the_end("ses_a", THIRTY_S)
    assert (losses.seconds, losses.events, losses.sessions) == (32.0, 5, 1)


def test_a_loss_that_the_worker_and_the_log_tell_of_is_counted_once() -> None:
    losses = Losses()
    losses.count("ses_a", TWO_S)
    losses.count_at_the_end("ses_a", TWO_S)
    # The log, which is read again, lacks more than the worker could say.
    for _ in range(2):
        losses.count_at_the_end("ses_a", THIRTY_S)
    losses.count_at_the_end("ses_b", TWO_S)
    assert (losses.seconds, losses.events, losses.sessions) == (34.0, 6, 2)


def test_who_played_in_a_session_that_broke_is_told_what_is_saved_and_no_more() -> None:
    assert broken_notice(900, 0).text.endswith("What you did is saved.")
    # The death of a process always costs up to a second.
    assert broken_notice(900, TICK_RATE).text.endswith("What you did is saved.")
    assert broken_notice(900, 5 * TICK_RATE).text.endswith("but for the last 5 seconds.")
    for lost in (0, 5 * TICK_RATE):
        assert broken_notice(0, lost).text.endswith("could not be saved.")
    assert "saved" not in BROKEN.text
