"""Tidying up: what seems out of place, and rooms that are looked through before there is a plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from episodes.worldgraph import Known, Place
from server.robots.policies.helper.misplaced_things import out_of_place, rooms_to_see, seldom_here
from server.robots.policy import Do, PastCall, PolicyView
from server.skills import SUCCESS
from tests.server.robots.calls import as_call
from tests.server.robots.policies.prepared_helper import helper, later, purposes

TIER_4 = "Bring the things that are out of place in the bedroom to where they belong."


def test_a_cup_is_seldom_kept_on_a_bed(seen: PolicyView) -> None:
    assert out_of_place(seen.graph) == ["cup_x"]
    assert seldom_here(seen.graph) == "Seldom kept where they are: cup_0"
    # What somebody carries is nobody else's to put away.
    seen.graph.objects["cup_x"] = Known(Place("agent", "human_0"))
    assert seldom_here(seen.graph) == ""


@pytest.mark.parametrize(
    ("said", "rooms"),
    [
        (TIER_4, ["bedroom_0"]),
        ("Tidy the kitchen. Everything out of place should go to its usual place.", ["kitchen_0"]),
        ("The house is a mess.", []),
        # What is named need not be seen first.
        ("Tidy the bedroom: the cups belong in the kitchen.", []),
        ("Please bring the soccer ball from the kitchen to where it belongs.", []),
    ],
)
def test_rooms_are_looked_through_where_nothing_is_named(
    seen: PolicyView, said: str, rooms: list[str]
) -> None:
    assert rooms_to_see(seen.graph, said) == rooms


def after(now: PolicyView, call: str) -> PolicyView:
    past = PastCall(as_call(call), SUCCESS, now.tick, now.tick + 90)
    return later(replace(now, history=(*now.history, past)), 100)


async def test_the_model_is_told_what_seems_out_of_place_once_the_room_was_seen(
    seen: PolicyView,
) -> None:
    cup = seen.graph.objects.pop("cup_x")
    policy, model = helper("cup.bring_onto(table)\n")
    tidy = replace(seen, instruction=TIER_4)
    assert await policy.decide(tidy) == Do(as_call("Explore[bedroom_1]"))
    assert not model.requests
    tidy.graph.objects["cup_x"] = cup
    now = after(tidy, "Explore[bedroom_1]")
    assert await policy.decide(now) == Do(as_call("Rearrange[cup_0, on, table_3, none, none]"))
    assert purposes(model) == ["planner"]
    assert "\nSeldom kept where they are: cup_0\n" in model.messages()[-1].content


@pytest.mark.parametrize(("said", "changed"), [("Bring the cup.", {}), (TIER_4, {"tidies": False})])
async def test_otherwise_nobody_is_told(
    seen: PolicyView, said: str, changed: dict[str, bool]
) -> None:
    policy, model = helper("do_nothing()\n", **changed)
    await policy.decide(replace(seen, instruction=said))
    assert purposes(model) == ["planner"]
    assert "Seldom kept" not in model.messages()[-1].content


async def test_so_many_rooms_are_looked_through_before_as_is_wanted(seen: PolicyView) -> None:
    policy, model = helper("cup.look_around()\nbed.look_around()\n", explores=1)
    assert await policy.decide(seen) == Do(as_call("Explore[kitchen_1]"))
    assert not model.requests
    assert isinstance(await policy.decide(after(seen, "Explore[kitchen_1]")), Do)
    assert policy.runner.searches.explored == {"kitchen_0"}


async def test_a_template_can_be_said(seen: PolicyView) -> None:
    """The template is HELPER's with the examples of another domain."""
    policy, model = helper("do_nothing()\n", variant="prompts", domain="steps")
    await policy.decide(replace(seen, instruction=TIER_4))
    call = policy.take_calls()[0]
    assert call.parameters["domain"] == "steps"
    examples = str(call.parameters["examples"]).split()
    assert examples
    assert all(name.startswith("steps") for name in examples)
    assert "Goal and steps: " in model.messages()[-1].content
