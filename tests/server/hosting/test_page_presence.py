"""Presence of pages, on a clock of the test."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from server.hosting.page_presence import PagePresence


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pages(clock: Clock) -> PagePresence:
    pages = PagePresence(clock)
    pages.begin("ses_1")
    return pages


def is_abandoned(pages: PagePresence, return_s: float = 30.0) -> bool:
    return pages.is_abandoned("ses_1", 30.0, return_s)


def test_a_session_that_no_page_follows_is_abandoned(clock: Clock, pages: PagePresence) -> None:
    clock.now += 29.9
    assert not is_abandoned(pages)
    clock.now += 0.1
    assert is_abandoned(pages)


def test_a_request_begins_the_time_again(clock: Clock, pages: PagePresence) -> None:
    clock.now += 29.0
    pages.ask("ses_1")
    clock.now += 29.0
    assert not is_abandoned(pages)
    clock.now += 1.0
    assert is_abandoned(pages)


def test_an_open_socket_is_a_page_however_long_it_is_silent(
    clock: Clock, pages: PagePresence
) -> None:
    with ExitStack() as partner:
        partner.enter_context(pages.socket("ses_1"))
        with pages.socket("ses_1"):
            clock.now += 1000.0
        clock.now += 1000.0
        assert not is_abandoned(pages)
    assert not is_abandoned(pages)
    clock.now += 30.0
    assert is_abandoned(pages)


def test_a_lost_socket_has_the_whole_window_to_come_back(clock: Clock, pages: PagePresence) -> None:
    clock.now += 30.0
    # Nobody came: the window is for those who were there.
    assert is_abandoned(pages, return_s=120.0)
    with pages.socket("ses_1"):
        pass
    clock.now += 119.0
    assert not is_abandoned(pages, return_s=120.0)
    clock.now += 1.0
    assert is_abandoned(pages, return_s=120.0)


def test_a_closed_session_is_nobodys_business(clock: Clock, pages: PagePresence) -> None:
    with pages.socket("ses_1"):
        pages.forget("ses_1")
    pages.ask("ses_1")
    clock.now += 1000.0
    assert not is_abandoned(pages)
