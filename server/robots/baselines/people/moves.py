"""Calls that a person makes for what it means to do, from its view alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from server.robots.baselines.people.errands import Errand
from server.robots.baselines.people.requests import Line
from server.robots.policy import Decision, Do, PastCall, PolicyView
from server.skills.call import Call

TRIES_OF_A_TAP = 2


def change(view: PolicyView, errand: Errand, tries: int) -> tuple[Call, int]:
    """Return the next call of washing, filling or switching a thing, and whether it is a try.

    What needs water is taken, and carried to a faucet: after tries in vain to another one.
    """
    graph, names = view.graph, view.graph.names.graph
    name = names[errand.thing]
    last = view.history[-1] if view.history else None
    came = last.text if last is not None and last.succeeded else ""
    held = graph.held(view.seat)
    if errand.is_wet and errand.thing in graph.objects:
        if held == errand.thing:
            number = tries // TRIES_OF_A_TAP - 1
            tap = nearest(view, graph.faucets, number) if graph.faucets else ""
            if not tap or came == f"Navigate[{names[tap]}]":
                return Call.of(errand.skill, name), 0
            return Call.of("Navigate", names[tap]), 1
        opening = _opening(view, errand.thing, last)
        if opening is not None:
            return opening, 0
        if came == f"Navigate[{name}]":
            return Call.of("Pick", name), 0
        return Call.of("Navigate", name), 1
    if held == errand.thing or came == f"Navigate[{name}]":
        return Call.of(errand.skill, name), int(held == errand.thing)
    return Call.of("Navigate", name), 1


def _opening(view: PolicyView, thing: str, last: PastCall | None) -> Call | None:
    """Open what a thing lies in, once taking it was refused; then go back to it."""
    furniture = view.graph.objects[thing].place.key
    if furniture not in view.graph.articulated or last is None:
        return None
    name = view.graph.names.graph[furniture]
    if last.text.startswith("Pick[") and not last.succeeded:
        return Call.of("Navigate", name)
    if last.text == f"Navigate[{name}]" and last.succeeded:
        return Call.of("Open", name)
    return None


def nearest(view: PolicyView, among: Sequence[str], number: int = 0) -> str:
    """Return the nearest piece of furniture, or one of those after it."""
    at = {f.handle: f.pose.position for f in view.graph.scene.furniture}
    ordered = sorted(among, key=lambda f: (math.dist(at[f], view.position), f))
    return ordered[max(number, 0) % len(ordered)]


def put_down(view: PolicyView, held: str, times: int) -> Call:
    """Put down what is in the hand: on furniture of this room, then on the floor."""
    graph, names = view.graph, view.graph.names.graph
    room = graph.room_at(view.position) or graph.scene.rooms[0].room_id
    floor, *furniture = graph.furniture_of(room)
    place = furniture[times] if times < min(2, len(furniture)) else floor
    return Call.putting("Rearrange", names[held], "on", names[place])


def go_elsewhere(view: PolicyView) -> Call:
    """Walk out of the way: to the room that is farthest."""
    rooms = sorted(view.graph.scene.rooms, key=lambda r: r.room_id)
    far = max(rooms, key=lambda r: math.dist(r.middle, view.position))
    return Call.of("Navigate", view.graph.names.graph[far.room_id])


def asked_call(view: PolicyView, line: Line, times: int) -> Decision | None:
    """Return the call for a request that is no errand of its own.

    ``times`` is how often it was asked for one before; None: it is over, or means nothing here.
    """
    call = _asked_call(view, line, times)
    return None if call is None else Do(call)


def _asked_call(view: PolicyView, line: Line, times: int) -> Call | None:
    graph, names = view.graph, view.graph.names.graph
    is_known = line.thing in graph.objects or line.thing in graph.rooms
    if line.skill in ("Clean", "Fill", "PowerOn", "PowerOff"):
        errand = Errand((line.thing,), "", skill=line.skill, is_wet=line.skill in ("Clean", "Fill"))
        state = errand.state
        known = graph.objects.get(line.thing)
        states = known.states if known else graph.furniture_states.get(line.thing, ())
        is_over = not is_known or state in states or (known and known.place.kind == "unknown")
        return None if is_over else change(view, errand, times // 4)[0]
    if line.skill in ("Open", "Close"):
        if line.thing not in graph.articulated or times >= 2:
            return None
        return Call.of("Navigate" if times == 0 else line.skill, names[line.thing])
    if times > 0:
        return None
    if line.skill == "Away":
        return go_elsewhere(view)
    if line.skill == "Rearrange" and line.thing in graph.objects and line.place in names:
        if line.place in graph.rooms:
            return Call.putting("Rearrange", names[line.thing], line.relation, names[line.place])
        furniture = graph.furniture_of(line.place)
        return Call.putting("Rearrange", names[line.thing], "on", names[furniture[-1]])
    place = line.place or line.thing
    if line.skill == "Explore" and place in names:
        room = graph.rooms.get(place, place)
        is_room = any(r.room_id == room for r in graph.scene.rooms)
        return Call.of("Explore", names[room]) if is_room else None
    if line.skill == "Navigate" and place in names:
        return Call.of("Navigate", names[place])
    return None
