"""Preconditions of actions, each a pure function by its name.

A reason is one short line for a player who has never seen the rules: what is wrong, then what to do
about it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from episodes.rules.profiles import RuleProfile
from episodes.rules.rule_view import NOWHERE, Placement, RuleView, Verb
from episodes.rules.verbs import VERB_TABLE
from episodes.seat_names import names_of, spoken
from episodes.seats import PAIR

OPEN_ENOUGH = 0.5
"""Share of its travel from which a part lets things in and out."""
ENDS = 0.01
"""Share of its travel within which a part counts as being at an end, open or closed."""
HEIGHT_SLACK_M = 0.005


class Ask(NamedTuple):
    """A question whether ``seat`` may do ``verb`` to ``target``."""

    profile: RuleProfile
    view: RuleView
    seat: str
    verb: Verb
    target: str
    part: int | None = None
    placement: Placement = NOWHERE

    def the(self, entity: str | None = None) -> str:
        return f"the {self.view.label(self.target if entity is None else entity)}"

    def The(self, entity: str | None = None) -> str:  # noqa: N802
        return f"The {self.view.label(self.target if entity is None else entity)}"


Precondition = Callable[[Ask], str | None]
"""A check that returns the reason why not, or None."""

PRECONDITIONS: dict[str, Precondition] = {}


def _rule(function: Precondition) -> Precondition:
    PRECONDITIONS[function.__name__] = function
    return function


# What the target is


@_rule
def known(ask: Ask) -> str | None:
    return None if ask.view.exists(ask.target) else "That is not here"


@_rule
def movable(ask: Ask) -> str | None:
    if ask.view.template(ask.target).kind == "object":
        return None
    return f"{ask.The()} cannot be carried"


@_rule
def openable(ask: Ask) -> str | None:
    parts = ask.view.template(ask.target).parts
    if not parts:
        return f"{ask.The()} does not open"
    if ask.part is not None and all(p.index != ask.part for p in parts):
        return f"That part of {ask.the()} does not open"
    return None


@_rule
def can_be_clean(ask: Ask) -> str | None:
    if ask.view.state(ask.target, "is_clean") is not None:
        return None
    return f"{ask.The()} does not need washing"


@_rule
def can_be_filled(ask: Ask) -> str | None:
    if ask.view.state(ask.target, "is_filled") is not None:
        return None
    return f"{ask.The()} cannot be filled"


@_rule
def can_be_powered(ask: Ask) -> str | None:
    if ask.view.state(ask.target, "is_powered_on") is not None:
        return None
    return f"{ask.The()} cannot be switched on or off"


@_rule
def changes_states(ask: Ask) -> str | None:
    kind = ask.view.seat_kind(ask.seat)
    if kind in ask.profile.state_changers:
        return None
    who = "Your robot" if kind == "robot" else "You"
    return f"{who} cannot {VERB_TABLE[ask.verb].cannot}: {_who_can(ask)}"


def _who_can(ask: Ask) -> str:
    seats = ask.view.seats()
    if len(seats) == len(PAIR):
        return "ask your partner"
    body = f"a {' or '.join(ask.profile.state_changers)} body"
    able = any(seat.kind in ask.profile.state_changers for seat in seats)
    return f"ask somebody with {body}" if able else f"that takes {body}"


# Its state


@_rule
def not_clean(ask: Ask) -> str | None:
    return f"{ask.The()} is already clean" if ask.view.state(ask.target, "is_clean") else None


@_rule
def not_filled(ask: Ask) -> str | None:
    return f"{ask.The()} is already full" if ask.view.state(ask.target, "is_filled") else None


@_rule
def not_on(ask: Ask) -> str | None:
    return f"{ask.The()} is already on" if ask.view.state(ask.target, "is_powered_on") else None


@_rule
def not_off(ask: Ask) -> str | None:
    return None if ask.view.state(ask.target, "is_powered_on") else f"{ask.The()} is already off"


def parts_to(view: RuleView, entity: str, opening: bool) -> list[int]:
    """Return the parts that opening (or closing) would change, in order."""
    found = []
    for part in view.template(entity).parts:
        share = view.opened(entity, part.index)
        if (share < 1 - ENDS) if opening else (share > ENDS):
            found.append(part.index)
    return found


def _asked_part(ask: Ask, opening: bool) -> int | None:
    changeable = parts_to(ask.view, ask.target, opening)
    if ask.part is None:
        return changeable[0] if changeable else None
    return ask.part if ask.part in changeable else None


@_rule
def not_open(ask: Ask) -> str | None:
    return f"{ask.The()} is already open" if _asked_part(ask, True) is None else None


@_rule
def not_closed(ask: Ask) -> str | None:
    return f"{ask.The()} is already closed" if _asked_part(ask, False) is None else None


def _way(ask: Ask, opening: bool) -> str | None:
    part = _asked_part(ask, opening)
    obstacle = None if part is None else ask.view.obstacle(ask.target, part, opening)
    return None if obstacle is None else f"{ask.The(obstacle)} is in the way: move it first"


@_rule
def way_clear_to_open(ask: Ask) -> str | None:
    return _way(ask, True)


@_rule
def way_clear_to_close(ask: Ask) -> str | None:
    return _way(ask, False)


# Hands


@_rule
def not_in_hand(ask: Ask) -> str | None:
    if ask.view.holder(ask.target) == ask.seat:
        return f"You are already holding {ask.the()}"
    return None


@_rule
def not_with_partner(ask: Ask) -> str | None:
    holder = ask.view.holder(ask.target)
    if holder in (None, ask.seat):
        return None
    seats = ask.view.seats()
    who = "your partner" if len(seats) <= len(PAIR) else spoken(names_of(seats)[holder])
    return f"{who[0].upper()}{who[1:]} is holding {ask.the()}"


@_rule
def hand_free(ask: Ask) -> str | None:
    held = ask.view.held(ask.seat)
    return None if held is None else f"Your hand is full: put {ask.the(held)} down first"


@_rule
def hands_empty(ask: Ask) -> str | None:
    held = ask.view.held(ask.seat)
    if held is None:
        return None
    return f"You need a free hand for that: put {ask.the(held)} down first"


@_rule
def pours_from_hand(ask: Ask) -> str | None:
    held = ask.view.held(ask.seat)
    if held is None:
        return "You have nothing to pour from: pick up something with water in it"
    if held == ask.target:
        return f"You cannot pour {ask.the()} into itself"
    if not ask.view.state(held, "is_filled"):
        return f"{ask.The(held)} is empty: fill it first"
    return None


# Where it is


@_rule
def not_shut_in(ask: Ask) -> str | None:
    furniture = ask.view.shut_in(ask.target)
    return None if furniture is None else f"{ask.The(furniture)} is closed: open it first"


@_rule
def within_reach(ask: Ask) -> str | None:
    if ask.view.distance(ask.seat, ask.target) <= ask.profile.reach_m:
        return None
    return "Too far away: walk closer"


@_rule
def within_state_reach(ask: Ask) -> str | None:
    if ask.view.distance(ask.seat, ask.target) <= ask.profile.state_reach_m:
        return None
    return "Too far away: walk closer"


@_rule
def in_sight(ask: Ask) -> str | None:
    if ask.view.can_see(ask.seat, ask.target):
        return None
    furniture = ask.view.inside(ask.target)
    if furniture is None:
        return f"Something is between you and {ask.the()}: walk around it"
    if _doors_to_open(ask.view, furniture):
        return f"You cannot see {ask.the()} from here: open {ask.the(furniture)} further"
    return f"You cannot see {ask.the()} from here: walk round to where {ask.the(furniture)} is open"


def _doors_to_open(view: RuleView, furniture: str) -> list[int]:
    """Return the doors that are not open: a drawer that is pulled out shows nothing more."""
    drawers = {surface.part for surface in view.template(furniture).receptacles if surface.moves}
    return [part for part in parts_to(view, furniture, True) if part not in drawers]


@_rule
def nothing_on_it(ask: Ask) -> str | None:
    top = ask.view.resting_on(ask.target)
    return None if top is None else f"{ask.The(top)} is on {ask.the()}: take it off first"


@_rule
def water(ask: Ask) -> str | None:
    template = ask.view.template(ask.target)
    if ask.verb == "clean" and not template.cleaned_under_faucet:
        return None
    if ask.view.faucet_distance(ask.seat) <= ask.profile.faucet_m:
        return None
    return "You need water for that: go to a tap"


# Placing


@_rule
def holding(ask: Ask) -> str | None:
    return "You are not holding anything" if ask.view.held(ask.seat) is None else None


@_rule
def landed(ask: Ask) -> str | None:
    return "There is nothing to put it on" if ask.placement.pose is None else None


@_rule
def spot_in_reach(ask: Ask) -> str | None:
    pose = ask.placement.pose
    if pose is None or ask.view.reach_to(ask.seat, pose.position) <= ask.profile.reach_m:
        return None
    return "Too far away: walk closer"


@_rule
def spot_in_sight(ask: Ask) -> str | None:
    if ask.view.sees_spot(ask.seat, ask.placement):
        return None
    return "You cannot see that spot: walk around"


@_rule
def level(ask: Ask) -> str | None:
    return "It is too steep there" if ask.placement.up < ask.profile.upright else None


@_rule
def on_surface(ask: Ask) -> str | None:
    if ask.placement.surface != "none":
        return None
    entity = ask.placement.entity
    what = "there" if entity is None else f"on that part of {ask.the(entity)}"
    return f"Nothing can stand {what}: aim at a flat surface"


@_rule
def on_receptacle(ask: Ask) -> str | None:
    if ask.placement.surface == "object":
        assert ask.placement.entity is not None
        return f"Nothing can stand on {ask.the(ask.placement.entity)}"
    return on_surface(ask)


@_rule
def container_open(ask: Ask) -> str | None:
    if ask.view.support_open(ask.placement):
        return None
    assert ask.placement.entity is not None
    return f"{ask.The(ask.placement.entity)} is closed: open it first"


@_rule
def floor_walkable(ask: Ask) -> str | None:
    if ask.placement.walkable:
        return None
    return "Too close to a wall or furniture: put it where you could walk"


@_rule
def steady(ask: Ask) -> str | None:
    return None if ask.placement.steady else "It would fall off: aim further in"


@_rule
def fits_height(ask: Ask) -> str | None:
    held, clearance = ask.view.held(ask.seat), ask.placement.clearance
    if held is None or clearance is None:
        return None
    if ask.view.template(held).box.high[1] <= clearance + HEIGHT_SLACK_M:
        return None
    where = "" if ask.placement.entity is None else f" for {ask.the(ask.placement.entity)}"
    return f"{ask.The(held)} is too tall{where}"


@_rule
def room_for_it(ask: Ask) -> str | None:
    overlaps = ask.placement.overlaps
    if not overlaps:
        return None
    things = [e for e in overlaps if ask.view.exists(e)]
    what = ask.the(things[0]) if things else "the wall"
    return f"It does not fit there: {what} is in the way"
