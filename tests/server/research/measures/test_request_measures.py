"""Requests in the chat: what they name, and how long it takes until another seat follows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from episodes.evaluation import Surroundings
from episodes.evaluation.final_places import RoomArea
from episodes.names import floor_key
from episodes.trace import Attempt
from server.research.measures.doings import Spoken
from server.research.measures.measure import Value
from server.research.measures.named_things import NamedThings
from server.research.measures.requests import COMPLIANCE, REQUESTS
from tests.server.research.measures.hand_made import HUMAN, ROBOT, alone, doings, values

ABOUT = Surroundings(
    {
        "red": "red book",
        "blue": "blue book",
        "cup_1": "cup 1",
        "lamp_1": "lamp",
        "shelf": "book shelf",
        "stand": "floor lamp",
        "kitchen": "kitchen",
        floor_key("kitchen"): "floor of the kitchen",
    },
    (RoomArea("kitchen", (), 0.0, 2.5),),
    {"shelf": "kitchen", "stand": "kitchen"},
    {},
)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("Bring the RED book, please!", ["red"]),
        ("red book or blue book? the red book", ["red", "blue"]),
        # Two are called so, and so is a shelf.
        ("bring the book", []),
        ("the cup", ["cup_1"]),
        ("cup 1", ["cup_1"]),
        # A floor lamp stands there, too.
        ("switch the lamp on", ["lamp_1"]),
        ("switch the floor lamp on", []),
        ("the cup on the floor of the kitchen", ["cup_1"]),
        ("teacups in the kitchen", []),
        ("", []),
    ],
)
def test_a_line_names_things_by_labels_and_by_nouns_that_only_one_has(
    line: str, named: list[str]
) -> None:
    assert list(NamedThings(ABOUT).in_line(line)) == named


def test_compliance_is_when_another_seat_acts_on_the_thing() -> None:
    found = doings()
    attempts = (
        Attempt(70, ROBOT, "pick", "red", accepted=False),
        Attempt(80, ROBOT, "pick", "red"),
        Attempt(90, HUMAN, "pick", "blue"),
        Attempt(120, ROBOT, "pick", "blue"),
    )
    spoken = [
        Spoken(20, HUMAN, 3, ("red",)),
        # What the speaker does, and what names two things or none, is no request.
        Spoken(30, HUMAN, 3, ("blue",)),
        Spoken(40, HUMAN, 3, ("red", "blue")),
        Spoken(50, HUMAN, 3),
        Spoken(60, ROBOT, 3, ("blue",)),
    ]
    found = found._replace(trace=replace(found.trace, attempts=attempts), spoken=spoken)
    assert values(REQUESTS, found) == {ROBOT: 1.0, HUMAN: 1.0}
    assert values(COMPLIANCE, found) == {ROBOT: 1.0, HUMAN: 2.0}
    # Of two the shorter is in the middle; of three of which two are never followed, one of these.
    unanswered = [Spoken(210, HUMAN, 1, ("cup",)), Spoken(240, HUMAN, 1, ("cup",))]
    more = found._replace(spoken=[*spoken, unanswered[0]])
    assert Value(HUMAN, 2.0) in COMPLIANCE.compute(more)
    most = found._replace(spoken=[*spoken, *unanswered])
    assert Value(HUMAN, 2.0, True) in COMPLIANCE.compute(most)


def test_nobody_alone_asks_for_anything_and_no_house_means_no_names() -> None:
    assert values(COMPLIANCE, alone()) == values(REQUESTS, alone()) == {HUMAN: None}
    assert values(REQUESTS, doings()._replace(rooms=None)) == {ROBOT: None, HUMAN: None}
    assert values(REQUESTS, doings()) == {ROBOT: 0.0, HUMAN: 0.0}
    assert values(COMPLIANCE, doings()) == {ROBOT: None, HUMAN: None}
