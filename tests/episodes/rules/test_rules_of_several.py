"""Reasons of the rules where other than two bodies are in a session."""

from __future__ import annotations

import pytest

from episodes.bodies import SeatKind
from episodes.rules import COHABIT, judge
from tests.episodes.rules.test_rules import ME, PARTNER, World

THREE: dict[str, SeatKind] = {ME: "human", PARTNER: "robot", "robot_1": "robot"}
ROBOTS: dict[str, SeatKind] = {PARTNER: "robot", "robot_1": "robot", "robot_2": "robot"}


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (THREE, "ask somebody with a human body"),
        (ROBOTS, "that takes a human body"),
        ({PARTNER: ROBOTS[PARTNER]}, "that takes a human body"),
    ],
)
def test_a_robot_is_told_who_can(kinds: dict[str, SeatKind], words: str) -> None:
    refusal = judge(COHABIT, "clean", World(kinds=kinds), PARTNER, "cup")
    assert refusal == ("changes_states", f"Your robot cannot wash things: {words}")


def test_of_several_it_is_said_who_holds_a_thing() -> None:
    for holder, name in (("robot_1", "Robot 2"), (ME, "The person")):
        world = World(kinds=THREE, holding={holder: "cup"})
        refusal = judge(COHABIT, "pick", world, PARTNER, "cup")
        assert refusal == ("not_with_partner", f"{name} is holding the cup")
