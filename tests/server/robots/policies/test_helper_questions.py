"""Questions of ``helper`` while it looks for things: to its partner and the Locator, also early."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from episodes.worldgraph import Known, Place
from server.robots.policies.helper.policy import Helper
from server.robots.policies.helper.settings import RunSettings
from server.robots.policy import Decision, Do, PastCall, Pause, PolicyView, SayLine
from server.skills import SUCCESS, Call
from tests.server.robots.calls import as_call
from tests.server.robots.policies.prepared_helper import helper, later, purposes

# Finding things


def call_of(decision: Decision) -> Call:
    assert isinstance(decision, Do)
    assert isinstance(decision.call, Call)
    return decision.call


def done(now: PolicyView, call: Decision, response: str = SUCCESS) -> PolicyView:
    """Return the view after a call."""
    past = PastCall(call_of(call), response, now.tick, now.tick + 9)
    return later(replace(now, history=(*now.history, past)), 10)


async def test_the_partner_is_asked_and_its_answer_is_heeded(unseen: PolicyView) -> None:
    policy, model = helper(
        "cup.bring_onto(table)\n", 'ask_where("cup")', 'look_at("bed_4")\nno_idea()\n'
    )
    assert await policy.decide(unseen) == SayLine("Where can I find the cup?")
    said = later(unseen, 60, "In the bedroom, on the bed I think")
    assert await policy.decide(said) == Do(as_call("Navigate[bed_4]"))
    assert purposes(model) == ["planner", "question", "answer"]
    assert policy.take_calls()[-1].parsed == "look_at(bed_4), no_idea()"
    asked = model.messages()[-1].content
    assert 'Answer: "In the bedroom, on the bed I think"' in asked


WAITS = RunSettings(goes_on=False)


async def test_without_going_on_nothing_is_done_before_the_answer(unseen: PolicyView) -> None:
    policy, _ = helper("cup.pick_up()\nbowl.pick_up()\n", 'ask_where("cup")', running=WAITS)
    assert await policy.decide(unseen) == SayLine("Where can I find the cup?")
    assert await policy.decide(later(unseen, 30)) == Pause(330)


async def test_before_the_answer_other_lines_are_run_then_the_search_goes_on(
    unseen: PolicyView,
) -> None:
    policy, model = helper(
        "cup.bring_onto(table)\nbowl.bring_onto(bed)\n",
        'ask_where("cup")',
        "kitchen_1, bed_4, bed_4",
        'look_at("bed_4")\n',
    )
    assert await policy.decide(unseen) == SayLine("Where can I find the cup?")
    now = later(unseen, 30)
    bowl = await policy.decide(now)
    assert bowl == Do(as_call("Rearrange[bowl_1, on, bed_4, none, none]"))
    now = done(now, bowl)
    search = await policy.decide(now)
    assert search == Do(as_call("Explore[kitchen_1]"))
    assert not policy.lets_go(now)
    # Once it is told, nothing else is looked through.
    now = later(now, 30, "On the bed")
    assert policy.lets_go(now)
    assert await policy.decide(done(now, search, "Stopped")) == Do(as_call("Navigate[bed_4]"))
    assert purposes(model) == ["planner", "question", "locator", "answer"]


# Early


FETCH_BOTH = "bowl.bring_onto(bed)\ncup.bring_onto(table)\n"


def running(now: PolicyView, call: Do) -> PolicyView:
    """Return the view while a call is under way, as it is foreseen."""
    return replace(done(now, call), doing=call_of(call))


async def set_out(policy: Helper, now: PolicyView) -> tuple[Do, Helper]:
    """Return its first call, and the copy that thinks of what comes after it."""
    call = await policy.decide(now)
    assert isinstance(call, Do)
    copy = policy.ahead(call_of(call))
    assert copy is not None
    return call, copy


async def test_what_will_be_asked_is_asked_while_a_call_runs(unseen: PolicyView) -> None:
    policy, model = helper(FETCH_BOTH, 'ask_where("cup")')
    call, copy = await set_out(policy, unseen)
    # Nothing is decided early, for all kinds of things may come to light.
    assert await copy.decide(running(unseen, call)) == Pause(1)
    assert purposes(model) == ["planner", "question"]
    assert policy.runner.progress.report() == copy.runner.progress.report()
    assert await copy.decide(done(unseen, call)) == SayLine("Where can I find the cup?")
    assert purposes(model) == ["planner", "question"]
    assert [c.purpose for c in copy.take_calls()] == ["question"]
    assert [c.purpose for c in policy.take_calls()] == ["planner"]


async def test_the_locator_is_asked_early_too_and_not_in_vain(unseen: PolicyView) -> None:
    policy, model = helper(FETCH_BOTH, "bed_4, bed_4, bed_4", questions=0)
    call, copy = await set_out(policy, unseen)
    await copy.decide(running(unseen, call))
    again = copy.ahead(call_of(call))
    assert again is not None
    await again.decide(running(unseen, call))
    assert await again.decide(done(unseen, call)) == Do(as_call("Navigate[bed_4]"))
    assert purposes(model) == ["planner", "locator"]


async def test_who_drops_the_copy_knows_nothing_of_it(unseen: PolicyView) -> None:
    policy, model = helper(FETCH_BOTH, *['ask_where("cup")'] * 2)
    call, copy = await set_out(policy, unseen)
    await copy.decide(running(unseen, call))
    assert await policy.decide(done(unseen, call)) == SayLine("Where can I find the cup?")
    assert purposes(model) == ["planner", "question", "question"]


async def test_what_came_to_light_meanwhile_is_not_asked_about(unseen: PolicyView) -> None:
    policy, _ = helper(FETCH_BOTH, 'ask_where("cup")')
    call, copy = await set_out(policy, unseen)
    await copy.decide(running(unseen, call))
    unseen.graph.objects["cup_x"] = Known(Place("furniture", "counter_x"))
    found = await copy.decide(done(unseen, call))
    assert found == Do(as_call("Rearrange[cup_0, on, table_3, none, none]"))


@pytest.mark.parametrize("call", ["Explore[bedroom_1]", "Navigate[bed_4]", "Open[bed_4]"])
async def test_nothing_is_asked_early_while_something_may_be_found(
    unseen: PolicyView, call: str
) -> None:
    policy, _ = helper(FETCH_BOTH)
    await policy.decide(unseen)
    assert policy.ahead(as_call(call)) is None


async def test_nor_where_nothing_is_missing(seen: PolicyView) -> None:
    policy, _ = helper(FETCH_BOTH)
    call = await policy.decide(seen)
    assert isinstance(call, Do)
    assert policy.ahead(call_of(call)) is None


# Waiting for an answer


async def test_who_does_not_answer_is_not_asked_again(unseen: PolicyView) -> None:
    policy, model = helper(
        "cup.bring_onto(table)\nplate.bring_onto(table)\n", 'ask_where("cup")',
        "kitchen_1, bed_4, bed_4", "bed_4, bed_4, bed_4",
    )  # fmt: skip
    assert await policy.decide(unseen) == SayLine("Where can I find the cup?")
    # The Locator's places, the likeliest first.
    assert await policy.decide(later(unseen, 360)) == Do(as_call("Explore[kitchen_1]"))
    assert purposes(model) == ["planner", "question", "locator"]
    assert policy.take_calls()[-1].parsed == "kitchen_1, bed_4"


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({"questions": 0}, ["planner", "locator"]),
        ({"questions": 0, "locator": False}, ["planner"]),
    ],
)
async def test_questions_and_locator_can_be_switched_off(
    unseen: PolicyView, changed: dict[str, Any], asked: list[str]
) -> None:
    policy, model = helper("cup.pick_up()\n", "bed_4, bed_4, bed_4", **changed)
    assert isinstance(await policy.decide(unseen), Do)
    assert purposes(model) == asked


async def test_the_partner_can_say_that_it_does_it_itself(unseen: PolicyView) -> None:
    policy, _ = helper(
        "cup.bring_onto(table)\nbowl.bring_onto(bed)\n", 'ask_who("cup")', "leave_it()\n"
    )
    asked = await policy.decide(unseen)
    assert asked == SayLine("Do you take care of the cup, or shall I?")
    done = await policy.decide(later(unseen, 30, "I do"))
    assert done == Do(as_call("Rearrange[bowl_1, on, bed_4, none, none]"))
