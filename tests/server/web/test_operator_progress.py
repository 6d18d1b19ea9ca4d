"""Plots of a study's progress and waits: numbers checked by hand, and the page that draws them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.operator_accounts import Role
from server.store.study_course import Course, Wait
from server.web.operators.progress_plots import (
    HEIGHT,
    MARKS,
    SLOTS,
    WIDTH,
    progress_plot,
    waits_plot,
)
from tests.server.web.conftest import MakeSite
from tests.server.web.operator_accounts import add_account, signed_in
from tests.server.web.participants.visitors import PAIR, pair, short_study

T0 = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def _at(*minutes: float) -> list[datetime]:
    return [T0 + timedelta(minutes=m) for m in minutes]


def test_people_over_time_are_steps_that_end_at_their_number() -> None:
    plot = progress_plot(Course(_at(0, 30, 30, 60), _at(45, 90), _at(50)), _at(120)[0])
    assert plot is not None
    came, completed, left = plot.curves
    assert (came.name, came.people) == ("came", 4)
    # Two hours are 600 wide, and five people would be 200 high.
    assert came.path == "M0 200H0V160.0H150V80.0H300V40.0H600"
    assert completed.path == "M0 200H225V160.0H450V120.0H600"
    assert left.path == "M0 200H250V160.0H600"
    assert [(mark.label, mark.at) for mark in plot.up] == [("0", 200), ("5", 0)]
    assert [mark.label for mark in plot.across] == ["09:00", "09:30", "10:00", "10:30", "11:00"]


@pytest.mark.parametrize(("completed", "left"), [(2, 2), (1, 3), (3, 1), (0, 0), (4, 0)])
def test_names_of_curves_stand_apart_in_their_order(completed: int, left: int) -> None:
    times = _at(0, 1, 2, 3)
    plot = progress_plot(Course(times, times[:completed], times[:left]), _at(9)[0])
    assert plot is not None
    assert [curve.name for curve in plot.curves] == ["came", "completed", "ended otherwise"]
    heights = sorted(curve.label_y for curve in plot.curves)
    assert all(b - a >= 14 for a, b in pairwise(heights))


def test_waits_are_summed_up_by_the_time_of_joining() -> None:
    waits = [Wait(at, s, True) for at, s in zip(_at(0, 1, 2), (10, 20, 90), strict=True)]
    waits += [Wait(_at(3)[0], 500, False), Wait(_at(239)[0], 40, True)]
    plot = waits_plot(waits, _at(240)[0])
    assert plot is not None
    assert len(plot.slots) == SLOTS
    first, last = plot.slots[0], plot.slots[-1]
    assert (first.matched, first.unmatched, first.median_s, first.most_s) == (3, 1, 20, 90)
    assert (last.matched, last.unmatched, last.median_s) == (1, 0, 40)
    assert sum(slot.matched for slot in plot.slots) == 4
    assert [mark.label for mark in plot.up] == ["0 s", "50 s", "100 s"]
    assert first.median_y == HEIGHT * 0.8


def test_waits_of_minutes_are_marked_in_minutes() -> None:
    plot = waits_plot([Wait(T0, 178, True)], _at(60)[0])
    assert plot is not None
    assert [mark.label for mark in plot.up] == ["0 s", "2.5 min", "5 min"]


def test_nothing_is_plotted_of_nobody() -> None:
    assert progress_plot(Course([], [], []), T0) is None
    assert waits_plot([], T0) is None


minutes = st.lists(st.floats(-100, 500_000), min_size=1, max_size=30)


@given(minutes, st.lists(st.booleans(), min_size=30, max_size=30), st.floats(-500, 600_000))
def test_every_plot_stays_within_its_area(
    joined: list[float], matched: list[bool], until: float
) -> None:
    """A clock may have been put back meanwhile, so that an end lies before its beginning."""
    times = sorted(_at(*joined))
    people = progress_plot(Course(times, times[1:], times[:1]), _at(until)[0])
    waits = waits_plot(
        [Wait(at, 3.0 * n, yes) for n, (at, yes) in enumerate(zip(times, matched, strict=False))],
        _at(until)[0],
    )
    assert people is not None
    assert waits is not None
    for plot in (people, waits):
        assert len(plot.across) <= MARKS
        assert all(0 <= mark.at <= WIDTH for mark in plot.across)
        assert all(0 <= mark.at <= HEIGHT for mark in plot.up)
    for curve in people.curves:
        xs = [float(x) for x in re.findall(r"H([\d.]+)", curve.path)]
        assert xs == sorted(xs)
        assert max(xs) == WIDTH
        ends_at = float((re.findall(r"V([\d.]+)", curve.path) or [str(HEIGHT)])[-1])
        assert 0 <= ends_at < HEIGHT if curve.people else ends_at == HEIGHT
    assert sum(slot.matched + slot.unmatched for slot in waits.slots) == len(times)


async def test_progress_of_a_study_is_drawn_from_what_is_stored(make_site: MakeSite) -> None:
    async with make_site(short_study(cells=(PAIR,))).running() as site:
        await add_account(site, "ben", Role.WATCH)
        browser = await signed_in(site, "ben")
        page = (await browser.get("/operator/studies/short")).text
        assert "Nobody has come yet." in page
        assert "Nobody has waited in its lobby yet." in page
        await pair(site)
        assert 'href="/operator/studies/short"' in (await browser.get("/operator/studies")).text
        page = (await browser.get("/operator/studies/short")).text
        assert "People over time: 2 came, 0 completed, 0 ended otherwise" in page
        assert re.search(r"<tr><td>[^<]+</td><td>2</td>", page), "two found a group"
        assert (await browser.get("/operator/studies/other")).status_code == 404
