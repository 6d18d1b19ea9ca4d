"""Judgement of actions: whether a seat may do something now, and what it can do with a target."""

from __future__ import annotations

from typing import NamedTuple

from episodes.rules.preconditions import ENDS, PRECONDITIONS, Ask, parts_to
from episodes.rules.profiles import RuleProfile
from episodes.rules.rule_view import NOWHERE, Placement, Refusal, RuleView, Verb


class Available(NamedTuple):
    """An action that makes sense for a target; ``reason`` says why it is not possible now."""

    verb: Verb
    possible: bool
    reason: str = ""


def judge(
    profile: RuleProfile,
    verb: Verb,
    view: RuleView,
    seat: str,
    target: str,
    part: int | None = None,
    placement: Placement = NOWHERE,
) -> Refusal | None:
    """Return the refusal by the first precondition that fails, or None if the seat may act.

    ``target`` of a placement is the held object (or anything, when nothing is held).
    """
    ask = Ask(profile, view, seat, verb, target, part, placement)
    for name in profile.verbs[verb]:
        reason = PRECONDITIONS[name](ask)
        if reason is not None:
            return Refusal(name, reason)
    return None


def available(
    profile: RuleProfile, view: RuleView, seat: str, target: str, part: int | None = None
) -> list[Available]:
    """Return what a seat can do with a target: the verbs that would change something about it."""
    if not view.exists(target):
        return []
    found = []
    for verb in _sensible(view, seat, target, part):
        refusal = judge(profile, verb, view, seat, target, part)
        if refusal is None:
            found.append(Available(verb, True))
        else:
            found.append(Available(verb, False, refusal.reason))
    return found


def _sensible(view: RuleView, seat: str, target: str, part: int | None) -> list[Verb]:
    template = view.template(target)
    verbs: list[Verb] = []
    if template.kind == "object" and view.holder(target) != seat:
        verbs.append("pick")
    if part is None:
        if parts_to(view, target, True):
            verbs.append("open")
        if parts_to(view, target, False):
            verbs.append("close")
    elif any(p.index == part for p in template.parts):
        # One part offers one of the two, whichever takes it further.
        verbs.append("close" if view.opened(target, part) > ENDS else "open")
    if view.state(target, "is_clean") is False:
        verbs.append("clean")
    if view.state(target, "is_filled") is False:
        held = view.held(seat)
        pours = held is not None and held != target and view.state(held, "is_filled")
        verbs += ["fill", "pour"] if pours else ["fill"]
    power = view.state(target, "is_powered_on")
    if power is not None:
        verbs.append("power_off" if power else "power_on")
    return verbs


def changed_part(view: RuleView, entity: str, part: int | None, opening: bool) -> int | None:
    """Return the first part that an open or close without a part would change."""
    if part is not None:
        return part
    changeable = parts_to(view, entity, opening)
    return changeable[0] if changeable else None
