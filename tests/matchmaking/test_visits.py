"""Ways of visits: one table, in which everything leads on, and nothing leads back from the end."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.study.endings import Ending
from matchmaking.visit_times import Stay, times_of
from matchmaking.visits import (
    LIVE,
    TRANSITIONS,
    Event,
    Place,
    Standing,
    VisitError,
    diagram,
    route_of,
)
from tests.matchmaking.study.made_studies import all_pages

ROUTE = route_of(all_pages())
DOCS = Path(__file__).parents[2] / "docs" / "participants.md"
events = st.lists(st.sampled_from(sorted(Event)), max_size=40)


def walk(steps: list[Event]) -> list[Standing]:
    """Return where a visit stands after each event that applies; others are refused."""
    at = Standing.at_start(ROUTE)
    found = [at]
    for event in steps:
        try:
            at = at.after(event, ROUTE)
        except VisitError:
            continue
        found.append(at)
    return found


def test_route_has_a_place_for_each_page() -> None:
    assert ROUTE == (
        Place.DEVICE, Place.CONSENT, Place.ELIGIBILITY, Place.TUTORIAL, Place.QUIZ,
        Place.LOBBY, Place.PLAY, Place.SURVEY, Place.DEBRIEF,
    )  # fmt: skip


def test_whoever_does_every_page_completes_the_study() -> None:
    way = walk(
        [Event.DONE] * 5
        + [Event.MATCHED, Event.EPISODE_OVER, Event.DONE, Event.EPISODE_OVER, Event.DONE]
        + [Event.PLAYED, Event.DONE, Event.DONE]
    )
    assert [at.place for at in way[5:]] == [
        Place.LOBBY, Place.PLAY, Place.EPISODE_SURVEY, Place.PLAY, Place.EPISODE_SURVEY,
        Place.PLAY, Place.SURVEY, Place.DEBRIEF, Place.ENDED,
    ]  # fmt: skip
    assert way[-1].ending is Ending.COMPLETED


def test_whose_partner_left_is_asked_the_same_at_the_end_and_keeps_that_ending() -> None:
    way = walk([Event.DONE] * 5 + [Event.MATCHED, Event.PARTNER_LEFT, Event.DONE, Event.DONE])
    assert [at.place for at in way[-3:]] == [Place.SURVEY, Place.DEBRIEF, Place.ENDED]
    assert {at.ending for at in way[-3:]} == {Ending.PARTNER_LEFT}


@given(events)
def test_every_visit_has_one_ending_which_stays(steps: list[Event]) -> None:
    way = walk(steps)
    for before, after in pairwise(way):
        assert not before.has_ended, "nothing leads on from the end"
        assert before.ending in (None, after.ending), "an ending that is decided stays"
    for at in way:
        assert at.has_ended == (at.place is Place.ENDED)
        if at.has_ended:
            assert at.ending is not None


@given(events)
def test_pages_are_never_seen_again_but_those_around_play(steps: list[Event]) -> None:
    for before, after in pairwise(walk(steps)):
        around_play = {before.place, after.place} <= {Place.PLAY, Place.EPISODE_SURVEY}
        assert after.page > before.page or around_play


TO_THE_LOBBY = [Event.DONE] * 5
TO_THE_TASK = [*TO_THE_LOBBY, Event.MATCHED]
WAYS_OF_ENDINGS: dict[Ending, list[list[Event]]] = {
    Ending.COMPLETED: [
        [*TO_THE_TASK, Event.PLAYED, Event.DONE, event]
        for event in (Event.DONE, Event.LATE, Event.BROKE, Event.WITHDREW)
    ],
    Ending.NO_PARTNER: [
        [*TO_THE_LOBBY, Event.NO_PARTNER],
        [*TO_THE_LOBBY, Event.SENT_ON, Event.DONE, Event.DONE],
    ],
    # What was decided early stays, whatever comes later.
    Ending.PARTNER_LEFT: [
        [*TO_THE_TASK, Event.PARTNER_LEFT, *then]
        for then in ([Event.DONE, Event.DONE], [Event.FAILED], [Event.LATE], [Event.WITHDREW])
    ],
    Ending.TECHNICAL_FAILURE: [[Event.BROKE], [*TO_THE_TASK, Event.BROKE]],
    Ending.OVER_RECRUITED: [[*TO_THE_LOBBY, Event.OVER_RECRUITED]],
    Ending.SCREENED_OUT: [[Event.DONE] * n + [Event.FAILED] for n in (0, 2, 3, 4)],
    Ending.ATTENTION_FAILED: [[*TO_THE_TASK, Event.PLAYED, Event.FAILED]],
    Ending.TIMED_OUT: [[Event.LATE], [*TO_THE_TASK, Event.LATE]],
    Ending.NO_CONSENT: [[Event.DONE, Event.REFUSED]],
    Ending.WITHDREW: [[Event.WITHDREW], [*TO_THE_TASK, Event.WITHDREW]],
}
"""Ways by which visits come to each ending."""


@pytest.mark.parametrize("ending", list(Ending))
def test_R2_what_happens_decides_which_of_the_endings_it_is(ending: Ending) -> None:
    for steps in WAYS_OF_ENDINGS[ending]:
        way = walk(steps)
        assert len(way) == len(steps) + 1, "each step applies"
        assert way[-1].has_ended
        assert way[-1].ending is ending


def test_every_page_can_be_left_for_good() -> None:
    for place in LIVE:
        for event in (Event.WITHDREW, Event.BROKE, Event.LATE):
            assert (place, event) in TRANSITIONS


def test_an_event_that_does_not_apply_is_refused() -> None:
    with pytest.raises(VisitError, match="a visit at device knows no matched"):
        Standing.at_start(ROUTE).after(Event.MATCHED, ROUTE)


def test_the_drawing_in_the_docs_is_that_of_the_table() -> None:
    assert f"```mermaid\n{diagram()}\n```" in DOCS.read_text()


def test_waiting_is_the_time_in_the_lobby_and_the_end_stops_the_clock() -> None:
    steps = [Stay(Place.LOBBY, 100), Stay(Place.PLAY, 160), Stay(Place.ENDED, 400)]
    assert times_of(40, steps, 9999) == (360, 60)
    assert times_of(40, steps[:1], 130) == (90, 30)


def test_R1_a_clock_that_was_set_back_costs_the_stay_in_which_that_was_and_no_other() -> None:
    steps = [
        Stay(Place.SURVEY, 1060),
        # An hour back, after some minutes of the survey.
        Stay(Place.LOBBY, 1060 - 3600),
        Stay(Place.PLAY, 1090 - 3600),
        Stay(Place.ENDED, 1990 - 3600),
    ]
    assert times_of(1000, steps, 9999) == (60 + 30 + 900, 30)
