"""Names of seats and addressed lines, by the file that the browser's are held to as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.seat_names import addressed, look_of, names_of
from episodes.seats import Seat

GOLDEN: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "seat_names.json").read_text()
)
THREE = [Seat.of(seat_id) for seat_id in ("robot_0", "robot_1", "human_0")]


@pytest.mark.parametrize("case", GOLDEN["names"], ids=lambda case: "+".join(case["seats"]))
def test_seats_are_named_by_their_bodies(case: dict[str, Any]) -> None:
    assert names_of([Seat.of(seat_id) for seat_id in case["seats"]]) == case["names"]


@pytest.mark.parametrize("case", GOLDEN["lines"], ids=lambda case: repr(case["text"]))
def test_a_line_says_whom_it_is_for(case: dict[str, Any]) -> None:
    names = names_of([Seat.of(seat_id) for seat_id in case["seats"]])
    to, rest = addressed(case["text"], names)
    assert (list(to), rest) == (case["to"], case["rest"])


@given(
    st.lists(st.sampled_from(THREE), unique=True),
    st.from_regex(r"[a-z][a-z ]*[a-z]", fullmatch=True),
)
def test_addresses_of_any_seats_are_read_back(to: list[Seat], line: str) -> None:
    names = names_of(THREE)
    text = " ".join([*(f"@{names[seat.seat_id]}" for seat in to), line])
    assert addressed(text, names) == (tuple(seat.seat_id for seat in to), line)


def test_looks_count_from_one() -> None:
    assert [look_of(seat) for seat in THREE] == ["robot-1", "robot-2", "human-1"]


@pytest.mark.parametrize("seat_id", ["robot", "robot_", "robot_-1", "robot_01", "dog_0", "", "²_0"])
def test_a_seat_id_that_is_none_is_refused(seat_id: str) -> None:
    with pytest.raises(ValueError, match="expected a seat such as robot_0 or human_1, got "):
        Seat.of(seat_id)


def test_a_seat_knows_its_kind_and_number() -> None:
    seat = Seat.of("robot_4")
    assert (seat.kind, seat.ordinal) == ("robot", 4)
