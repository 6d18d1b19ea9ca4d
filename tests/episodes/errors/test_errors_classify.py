"""The classifier on the test vectors of section 3.6 of the EAI notes, and its readings."""

from __future__ import annotations

import pytest

from episodes.errors import Action, Domain, Entity, History, Literal, classify, expand
from episodes.errors.classify import Finding
from episodes.world import Change, HolderChanged, PartMoved, StateChanged, SupportChanged
from tests.call_count import calls_of

DOMAIN = Domain(
    {
        "cup": Entity(movable=True, surfaces=frozenset({"on"}), states=frozenset({"is_filled"})),
        "plate": Entity(movable=True, surfaces=frozenset({"on"})),
        "fridge": Entity(openable=True, surfaces=frozenset({"within"})),
        "table": Entity(surfaces=frozenset({"on"})),
        "lamp": Entity(movable=True, states=frozenset({"is_powered_on"})),
        "kitchen": Entity(is_room=True),
    },
    frozenset({"human"}),
    {"me": "human", "you": "human", "robot": "robot"},
)
START: list[Change] = [
    SupportChanged("cup", "fridge|shelf"),
    SupportChanged("plate", "table|top"),
    PartMoved("fridge", 0, 0.0),
    StateChanged("lamp", "is_powered_on", False),
    StateChanged("cup", "is_filled", False),
]
OPEN: list[Change] = [PartMoved("fridge", 0, 1.5)]
SHUT: list[Change] = [PartMoved("fridge", 0, 0.0)]


def hold(thing: str, seat: str = "me") -> list[Change]:
    return [SupportChanged(thing, None), HolderChanged(thing, seat)]


def put(thing: str, where: str) -> list[Change]:
    return [HolderChanged(thing, None), SupportChanged(thing, where)]


def story(*steps: list[Change] | tuple[list[Change], str, str]) -> History:
    history = History(START, {"fridge|shelf": 0})
    for tick, step in enumerate(steps, 1):
        if isinstance(step, tuple):
            changes, seat, action = step
            history.add(tick, changes, seat, action)
        else:
            history.add(tick, step, "me")
    return history


def told(history: History, name: str, *args: str, seat: str = "me", **options: object) -> Finding:
    return classify(Action(name, args), seat, DOMAIN, history, **options)  # type: ignore[arg-type]


VECTORS = [
    (story(), "Fly", ("cup",), "HALLUCINATION/action"),
    (story(), "Pick", ("unicorn",), "HALLUCINATION/object"),
    (story(), "Pick", ("cup", "table"), "ARG_NUMBER"),
    (story(), "Open", ("table",), "AFFORDANCE/not_openable"),
    (story(OPEN), "Open", ("fridge",), "ADDITIONAL_STEP"),
    (story(), "Pick", ("cup",), "MISSING_STEP"),
    (story(OPEN, SHUT), "Pick", ("cup",), "WRONG_ORDER"),
    (story(OPEN), "Pick", ("cup",), "OK"),
    (story(OPEN, hold("cup")), "Pick", ("plate",), "WRONG_ORDER"),
    (story(OPEN), "Place", ("cup", "on", "table"), "MISSING_STEP"),
    (story(OPEN), "Place", ("cup", "on", "fridge"), "AFFORDANCE/no_surface"),
    (story(hold("plate")), "Place", ("plate", "within", "fridge"), "MISSING_STEP"),
    (story(OPEN, hold("plate"), SHUT), "Place", ("plate", "within", "fridge"), "WRONG_ORDER"),
    (story(), "Place", ("plate", "on", "table"), "ADDITIONAL_STEP"),
]


@pytest.mark.parametrize(("history", "name", "args", "expected"), VECTORS)
def test_vectors(history: History, name: str, args: tuple[str, ...], expected: str) -> None:
    found = told(history, name, *args)
    label = found.error_class + (f"/{found.subclass}" if found.subclass else "")
    assert label == expected
    assert len(found.text) <= 400
    assert bool(found.text) is (expected != "OK")


def test_look_back_readings_differ() -> None:
    """Each violated literal held once, but never both at one time."""
    history = story(hold("plate"), put("plate", "table|top"), OPEN, SHUT)
    place = ("plate", "within", "fridge")
    found = told(history, "Place", *place)
    assert found.error_class == "MISSING_STEP"
    assert found.lookback is not None
    assert (found.lookback.violated_joint, found.lookback.per_literal) == (False, True)
    assert told(history, "Place", *place, mode="per_literal").error_class == "WRONG_ORDER"


def test_full_joint_needs_the_whole_precondition_at_once() -> None:
    history = story(OPEN, SHUT, hold("plate"))
    found = told(history, "Place", "plate", "within", "fridge")
    assert found.error_class == "WRONG_ORDER"
    assert found.lookback is not None
    assert not found.lookback.full_joint


def test_who_broke_it() -> None:
    history = story(OPEN, (SHUT, "you", "Close(fridge)"))
    found = told(history, "Pick", "cup")
    (violated,) = found.violated
    assert (violated.literal, violated.broken_by, violated.last_true_t) == (
        "accessible(cup)",
        "you",
        2,
    )
    assert found.text == (
        "Pick(cup) failed: accessible(cup) was true until tick 2, when you did Close(fridge). "
        "Do Pick(cup) before that, or restore it: Open(fridge)."
    )


def test_the_partner_did_it() -> None:
    on: list[Change] = [StateChanged("lamp", "is_powered_on", True)]
    history = story((on, "you", "PowerOn(lamp)"))
    found = told(history, "PowerOn", "lamp")
    assert (found.error_class, found.cause) == ("ADDITIONAL_STEP", "partner_did_it")
    assert told(history, "PowerOn", "lamp", seat="you").cause is None


def test_a_body_that_cannot() -> None:
    found = told(story(), "PowerOn", "lamp", seat="robot")
    assert (found.error_class, found.subclass) == ("AFFORDANCE", "agent_capability")


def test_never_seen_is_not_made_up() -> None:
    assert told(story(), "Pick", "lamp", seen={"cup"}).error_class == "UNOBSERVED_OBJECT"
    assert told(story(), "Pick", "lamp", seen={"lamp"}).error_class == "OK"
    assert told(story(), "Pick", "dragon", seen=set()).error_class == "HALLUCINATION"


def test_stale_observation() -> None:
    """An observation is stale that was true when the model was asked."""
    history = story(OPEN, (hold("cup", "you"), "you", "Pick(cup)"))
    assert told(history, "Pick", "cup", observed_tick=1).stale_observation
    assert not told(history, "Pick", "cup", observed_tick=2).stale_observation
    assert not told(history, "Pick", "cup").stale_observation


def test_composite_skills_are_expanded() -> None:
    steps = expand(Action("Rearrange", ("cup", "on", "table", "None", "None")))
    assert [s.name for s in steps] == ["Navigate", "Pick", "Navigate", "Place"]
    assert expand(Action("Pick", ("cup",))) == (Action("Pick", ("cup",)),)


def test_near_is_proven_by_acting() -> None:
    near = Literal("near", ("me", "cup"))
    history = story()
    assert near.holds(history.now) is None
    history.add(3, [], "me", "Pick(cup)", ("me", "cup"))
    assert near.holds(history.now) is True


def test_cost_of_a_long_history() -> None:
    def cost(changes: int) -> int:
        history = story()
        for tick in range(changes):
            history.add(tick + 10, OPEN if tick % 2 else SHUT, "me")
        history.add(600, SHUT, "me")
        return calls_of(lambda: told(history, "Pick", "cup"))

    # No more than in proportion to the history: 93 calls a change at the time of writing.
    assert cost(500) < 12 * cost(50)
    assert cost(500) < 100_000
