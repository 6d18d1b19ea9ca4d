"""Changing things where they are, under both rule profiles: doors, water, power; and waiting."""

from __future__ import annotations

import pytest

from server.skills import SUCCESS, failure
from server.skills.registry import WAIT_TICKS
from tests.server.sessions.first_house_sessions import HUMAN
from tests.server.skills.doing import PROFILES, Doing, holding, task_with

pytestmark = pytest.mark.parametrize("profile", PROFILES)


def test_open_and_close(profile: str) -> None:
    do = Doing(profile)
    cabinet = do.far(do.furniture("within", opening=True))
    name = do.name(cabinet)
    far = f"Failed to Open! {name} is occluded or too far from agent to Open."
    assert do(f"Open[{name}]") == failure(far)
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Open[{name}]") == SUCCESS
    assert do.ticks <= 10
    part = next(p for (f, p), v in do.core.world.joints.items() if f == cabinet and v)
    assert do.core.view.opened(cabinet, part) == 1.0
    assert do(f"Close[{name}]") == SUCCESS
    assert do.core.view.opened(cabinet, part) == 0.0
    bare = next(f for f in do.furniture() if not do.core.view.template(f).parts)
    assert do(f"Open[{do.name(bare)}]") == failure(
        f"{do.name(bare)} is not articulated - and cannot be Opened"
    )


def test_open_with_something_in_the_hand(profile: str) -> None:
    do, _ = holding(profile)
    cabinet = do.name(do.furniture("within", opening=True)[0])
    assert do(f"Navigate[{cabinet}]") == SUCCESS
    assert do(f"Open[{cabinet}]") == SUCCESS


def test_wait_succeeds_after_its_time(profile: str) -> None:
    do = Doing(profile)
    assert do("Wait") == SUCCESS
    assert do.ticks == WAIT_TICKS
    assert do.phrases == {"Waiting"}


def test_wash_and_fill(profile: str) -> None:
    do = Doing(profile, task_with("is_clean"))
    thing = next(
        h
        for h in do.free()
        if do.core.world.states.get((h, "is_clean")) is False
        and do.core.view.template(h).cleaned_under_faucet
    )
    name = do.name(thing)
    tap = do.core.view.taps[0]
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"Pick[{name}]") == SUCCESS
    if do.core.view.faucet_distance(HUMAN) > do.body.rules.faucet_m:
        assert do(f"Clean[{name}]") == failure(
            f"{name} requires faucet to clean, but agent is not near faucet."
        )
    assert do(f"Navigate[{do.name(tap)}]") == SUCCESS
    assert do(f"Clean[{name}]") == SUCCESS
    assert do.core.world.states[thing, "is_clean"] is True
    if profile == "partnr":
        assert do(f"Clean[{name}]") == SUCCESS
    else:
        assert "already clean" in do(f"Clean[{name}]")


def test_states_fail_with_reasons(profile: str) -> None:
    do = Doing(profile)
    dull = next(h for h in do.free() if not do.core.view.template(h).affords)
    for tool, state in (
        ("Clean", "is_clean"),
        ("Fill", "is_filled"),
        ("Pour", "is_filled"),
        ("PowerOn", "is_powered_on"),
        ("PowerOff", "is_powered_on"),
    ):
        assert do(f"{tool}[{do.name(dull)}]") == failure(
            f"The targeted object does not afford the state: {state}"
        )


def test_switching_needs_to_be_near(profile: str) -> None:
    do = Doing(profile)
    lamp = next(
        (h for (h, s) in do.core.world.states if s == "is_powered_on"),
        None,
    )
    assert lamp is not None
    name = do.name(lamp)
    on = "PowerOff" if do.core.world.states[lamp, "is_powered_on"] else "PowerOn"
    reach = do.body.rules.state_reach_m
    if do.core.view.distance(HUMAN, lamp) <= reach:
        away = do.far(do.furniture())
        assert do(f"Navigate[{do.name(away)}]") == SUCCESS
    words = "power off" if on == "PowerOff" else "power on"
    distance = do.core.view.distance(HUMAN, lamp)
    assert do(f"{on}[{name}]") == failure(
        f"Agent too far from object to {words}: Distance {distance:.2f}"
    )
    assert do(f"Navigate[{name}]") == SUCCESS
    assert do(f"{on}[{name}]") == SUCCESS
