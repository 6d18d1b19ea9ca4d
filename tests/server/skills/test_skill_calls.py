"""Calls as planners write them, who has which skill, and PARTNR's wording of refusals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.rules import Refusal, Verb
from server.skills import SKILLS, CallError, failure, parse, refused, skills_of, state_phrase
from server.skills.feedback import About


def test_a_call_is_read() -> None:
    call = parse(" Place[cup_0, on, table_2, next_to, bowl_1] ", "robot")
    assert call.skill is SKILLS["Place"]
    assert call.arguments == ("cup_0", "on", "table_2", "next_to", "bowl_1")
    assert state_phrase(*call, "kitchen_1") == "Placing cup_0 on table_2 next_to bowl_1"
    assert parse("Place[cup_0,on,table_2,None,none]", "human").arguments[3:] == ("none", "none")
    assert state_phrase(*parse("Navigate[cup_0]", "robot"), "kitchen_1") == "Walking in kitchen_1"
    assert parse("Wait", "robot") == parse("Wait[]", "robot")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Pick cup_0", "SyntaxError in Action directive."),
        ("Juggle[cup_0]", 'Tool "Juggle" not found'),
        ("Fill[cup_0]", 'Tool "Fill" not found'),
        ("Pick[]", "no field may be empty"),
        ("Place[cup_0, on, table_2]", "5 fields"),
        ("Place[cup_0, on, , none, none]", "no field may be empty"),
        ("Place[cup_0, on, none, none, none]", "only the last two may be none"),
        ("Place[cup_0, under, table_2, none, none]", "relation is on or within"),
        ("Place[cup_0, on, table_2, near, bowl_1]", "constraint is next_to or none"),
        ("Place[cup_0, on, table_2, next_to, none]", "come together"),
        ("Rearrange[cup_0, on, table_2, none, bowl_1]", "come together"),
    ],
)
def test_P3_wrong_calls_are_told(text: str, told: str) -> None:
    with pytest.raises(CallError) as raised:
        parse(text, "robot")
    assert told in str(raised.value)


def test_only_people_change_states() -> None:
    robot = [s.name for s in skills_of("robot")]
    assert robot == ["Navigate", "Explore", "Pick", "Place", "Rearrange", "Open", "Close", "Wait"]
    more = [s.name for s in skills_of("human")][len(robot) :]
    assert more == ["Clean", "Fill", "Pour", "PowerOn", "PowerOff"]


@given(st.text(), st.sampled_from(("robot", "human")))
def test_any_text_is_a_call_or_told(text: str, kind: str) -> None:
    try:
        call = parse(text, "human" if kind == "human" else "robot")
    except CallError:
        return
    assert len(call.arguments) == len(call.skill.arguments)


TEXTS: list[tuple[Verb, str, str]] = [
    ("pick", "hand_free", "Failed to pick cup_0! The arm is currently grasping book_1."),
    ("pick", "within_reach", "Failed to pick! Not close enough to the object."),
    ("place", "holding", "Failed to place! The agent is not holding any object."),
    ("place", "spot_in_sight", "Failed to place! Not close enough to cup_0 or occluded."),
    ("place", "room_for_it", "No valid placements found for entity cup_0."),
    ("open", "openable", "cup_0 is not articulated - and cannot be Opened"),
    ("close", "in_sight", "Failed to Close! cup_0 is occluded or too far from agent to Close."),
    ("clean", "water", "cup_0 requires faucet to clean, but agent is not near faucet."),
    ("fill", "water", "The object is not close enough to a water source"),
    ("pour", "pours_from_hand", "Unable to pour: The held object is not filled"),
    ("power_on", "can_be_powered", "The targeted object does not afford the state: is_powered_on"),
    ("pick", "in_sight", "our own words"),
]


@pytest.mark.parametrize(("verb", "rule", "text"), TEXTS)
def test_refusals_in_partnrs_words(verb: Verb, rule: str, text: str) -> None:
    assert refused(verb, Refusal(rule, "our own words"), About("cup_0", "book_1")) == failure(text)
