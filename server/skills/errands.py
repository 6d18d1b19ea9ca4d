"""Whole errands: take this, put it there, wash that.

They open what is closed, and try again from elsewhere; Rearrange, the expert and scripts are made
of them. A place to put something is chosen first, then from where to put it there: so the same task
ends with the same poses on every simulator, wherever there is room to stand.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from typing import Literal

from episodes.dataset.vocabulary import DEFAULT_L2_THRESHOLD_M
from episodes.poses import Vec3
from episodes.rules import Refusal, TargetVerb, parts_to
from server.sessions.intents import Act, Intent, Place
from server.sessions.placement import Spot, candidates, floor_candidates
from server.sessions.surfaces import Surface
from server.skills.body import Body, NoWayError, Script, SkillError
from server.skills.drawers import drawer_of, out_above
from server.skills.navigate import can_put, go_to_tap, middle_of, near_m, room_of
from server.skills.standing_places import middle, to_touch

Relation = Literal["on", "within", "floor"]
BEST_HEIGHT_M = 0.9


def touch(body: Body, verb: TargetVerb, target: str, part: int | None = None) -> Script:
    """Go to something and act on it. Raises SkillError."""
    refusal = yield from body.go_and_ask(
        middle(body.core, target),
        to_touch(body.core, body.seat, target, near_m(body)),
        lambda number: Act(number, verb, target, part, by_skill=True),
    )
    if refusal is not None:
        raise _cannot(body, verb, target, refusal)


def _cannot(body: Body, verb: TargetVerb, target: str, refusal: Refusal) -> SkillError:
    reason = f"{body.seat} cannot {verb} {target}: {refusal.reason}"
    return SkillError(reason, refusal, verb, target)


def take(body: Body, target: str) -> Script:
    """Pick an object up; a closed container is opened first. Raises SkillError."""
    if body.held != target:
        yield from _touch_inside(body, "pick", target)


def _touch_inside(body: Body, verb: TargetVerb, target: str) -> Script:
    """Act on something that may lie in a closed container. Raises SkillError."""
    core = body.core
    shut = core.shut_in(target) if target in core.world.objects else None
    if shut is not None:
        surface = core.view.receptacle_of(target)
        part = None if surface is None else surface.receptacle.part
        yield from touch(body, "open", shut, part)
    try:
        yield from touch(body, verb, target)
    except SkillError:
        if (yield from _uncover(body, target)):
            yield from touch(body, verb, target)
            return
        # A shelf can lie behind two doors, and the other one hides the thing.
        furniture = core.view.inside(target) if target in core.world.objects else None
        parts = [] if furniture is None else parts_to(core.view, furniture, True)
        if furniture is None or not parts:
            raise
        for part in parts:
            yield from touch(body, "open", furniture, part)
        yield from touch(body, verb, target)


def _uncover(body: Body, target: str) -> Generator[list[Intent], None, bool]:
    """Close the drawers that are out above the one in which something lies.

    Returns whether there were any. Raises SkillError.
    """
    drawer = drawer_of(body.core, target)
    above = [] if drawer is None else out_above(body.core, drawer)
    for part in above:
        assert drawer is not None
        yield from touch(body, "close", drawer.furniture.handle, part)
    return bool(above)


def change(body: Body, verb: TargetVerb, target: str) -> Script:
    """Clean, fill or switch; what needs water is carried to a tap. Raises SkillError."""
    template = body.core.view.template(target)
    wet = verb == "fill" or (verb == "clean" and template.cleaned_under_faucet)
    if not wet:
        yield from _touch_inside(body, verb, target)
        return
    if template.kind == "object":
        yield from take(body, target)
    yield from go_to_tap(body)
    refusal = yield from body.ask(Act(body.next_id(), verb, target, by_skill=True))
    if refusal is not None:
        raise _cannot(body, verb, target, refusal)


# Putting down


def put(
    body: Body,
    target: str,
    relation: Relation,
    next_to: str | None = None,
    near_m: float = DEFAULT_L2_THRESHOLD_M,
) -> Script:
    """Put down what the hand holds on or within furniture, or on the floor. Raises SkillError.

    On the floor ``target`` is a room; where it is none, anywhere will do. ``near_m`` is how near
    ``next_to`` is (m).
    """
    held = _held(body)
    if relation == "floor":
        yield from _put_at(body, held, floor_spots(body, held, target, next_to, near_m))
        return
    surfaces = surfaces_for(body, target, relation, next_to)
    yield from _put_on_one_of(body, held, surfaces, next_to, f"{relation} {target}", near_m)


def put_anywhere(body: Body) -> Script:
    """Put down what the hand holds on the nearest surface. Raises SkillError."""
    core, here = body.core, body.position
    surfaces = [s for s in core.surfaces.by_name.values() if s.receptacle.kind == "on"]
    surfaces.sort(key=lambda s: core.view.distance_from(here, s.furniture.handle))
    yield from _put_on_one_of(body, _held(body), surfaces, None, "on anything")


def surfaces_for(
    body: Body, furniture: str, relation: Relation, next_to: str | None
) -> list[Surface]:
    """Return the receptacles of furniture that fit a relation, the handiest first."""
    core = body.core
    surfaces = [s for s in core.surfaces.of[furniture] if s.receptacle.kind == relation]
    if next_to is not None:
        support = core.view.receptacle_of(next_to)
        surfaces = [s for s in surfaces if s == support] or surfaces
    surfaces.sort(key=lambda s: abs(s.receptacle.center[1] - BEST_HEIGHT_M))
    return surfaces


def floor_spots(
    body: Body,
    held: str,
    room_key: str,
    next_to: str | None,
    near_m: float = DEFAULT_L2_THRESHOLD_M,
) -> Iterator[Spot]:
    """Draw free places on the floor of a room (or next to something, or around the body)."""
    core = body.core
    floor = body.position[1]
    around = body.position
    room = room_of(body, room_key)
    if next_to is not None:
        around = middle(core, next_to)
    elif room is not None:
        around = middle_of(body, room) or around
    around = (around[0], floor, around[2])
    rng = body.rng_for(held, room_key, next_to or "")
    return floor_candidates(core.view, held, around, rng, next_to=next_to, near_m=near_m)


def _held(body: Body) -> str:
    if body.held is None:
        nothing = Refusal("holding", "You have nothing to put down")
        raise SkillError(f"{body.seat} has nothing to put down", nothing, "place")
    return body.held


def _put_on_one_of(
    body: Body,
    held: str,
    surfaces: list[Surface],
    next_to: str | None,
    what: str,
    near_m: float = DEFAULT_L2_THRESHOLD_M,
) -> Script:
    core = body.core
    reason = SkillError("there is no such surface")
    for surface in surfaces:
        try:
            if not surface.is_open(core.world.joints):
                yield from touch(body, "open", surface.furniture.handle, surface.receptacle.part)
            rng = body.rng_for(held, surface.unique_name, next_to or "")
            spots = candidates(core.view, held, [surface], rng, next_to=next_to, near_m=near_m)
            yield from _put_at(body, held, spots)
        except SkillError as failure:
            reason = failure
            continue
        return
    text = f"{body.seat} cannot put {held} {what}: {reason}"
    raise SkillError(text, reason.refusal, reason.verb, reason.target) from reason


def _put_at(body: Body, held: str, spots: Iterator[Spot]) -> Script:
    failure = SkillError(f"no free place for {held}", verb="place", target=held)
    for spot in spots:

        def fits(point: Vec3, yaw: float, spot: Spot = spot) -> bool:
            return can_put(body, held, spot, point, yaw)

        try:
            refusal = yield from body.go_and_ask(spot.point, fits, partial(place_at, spot))
        except NoWayError as error:
            failure = error
            continue
        if refusal is None:
            return
        failure = SkillError(refusal.reason, refusal, "place", held)
    raise failure


def place_at(spot: Spot, intent_id: int) -> Place:
    """Make the intent to put something down at a spot."""
    return Place(intent_id, spot.point, spot.yaw, by_skill=True)
