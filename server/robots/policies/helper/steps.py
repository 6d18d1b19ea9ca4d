"""Steps of a program's line: the skill calls that do it, and what is checked before each.

The checks are HELPER-X's (its "Inspector"), for the skills that there are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.names import floor_key
from episodes.worldgraph import Place, WorldGraph
from server.robots.policies.helper.name_binding import (
    away,
    class_in,
    is_floor,
    nearest_first,
    room_of,
)
from server.robots.policies.helper.program_parser import Line
from server.robots.policy import PolicyView
from server.skills.call import Call
from server.skills.registry import SKILLS, Skill

PLACING_VERBS: dict[str, Literal["on", "within"]] = {
    "put_on": "on",
    "bring_onto": "on",
    "bring_next_to": "on",
    "put_in": "within",
    "bring_into": "within",
}
STATES: dict[str, Skill] = {
    "wash": SKILLS["Clean"],
    "fill": SKILLS["Fill"],
    "switch_on": SKILLS["PowerOn"],
    "switch_off": SKILLS["PowerOff"],
}
"""Skill that brings about the state of each verb."""
PUT_DOWN_PLACES = 6


class Step(NamedTuple):
    """Call of a skill; ``thing`` and the rest are keys of the graph.

    ``inserted``: it came from a check, and is not checked again.
    """

    tool: str
    thing: str = ""
    relation: str = ""
    place: str = ""
    beside: str = ""
    inserted: bool = False

    def call(self, graph: WorldGraph) -> Call:
        names = graph.names.graph
        if not self.place:
            return Call.of(self.tool, names[self.thing])
        beside = names[self.beside] if self.beside else ""
        return Call.putting(self.tool, names[self.thing], self.relation, names[self.place], beside)

    @property
    def about(self) -> str:
        """Key of what the step goes to: the furniture, or the thing itself."""
        return self.place or self.thing


def tools_of(view: PolicyView) -> frozenset[str]:
    return frozenset(skill.name for skill in view.tools)


def steps_for(view: PolicyView, line: Line, keys: dict[str, str], tried: int = 0) -> list[Step]:
    """Return the calls for one line, each name of which stands for a key.

    Empty: there is nothing to do, or nothing that this body could. ``tried`` is as for `put_down`.
    """
    graph, tools = view.graph, tools_of(view)
    x = keys.get(line.thing, "")
    verb = line.verb
    if verb in PLACING_VERBS:
        return _placing_steps(view, line, keys, tools)
    if verb in STATES:
        return _state_steps(view, STATES[verb].name, x)
    match verb:
        case "pick_up":
            return [Step("Navigate", x), Step("Pick", x)]
        case "put_down":
            return put_down(view, tools, tried)
        case "go_to" | "come_closer":
            return [Step("Navigate", x)]
        case "look_around":
            room = room_of(graph, x)
            return [Step("Explore", room)] if room else []
        case "open":
            return [Step("Navigate", x), Step("Open", x)]
        case "close":
            return [Step("Navigate", x), Step("Close", x)]
        case "pour_into":
            into = keys[line.other]
            return [*_pick_steps(view, x), Step("Navigate", into), Step("Pour", into)]
        case "step_back":
            here = graph.room_at(view.position)
            return [Step("Navigate", floor_key(here))] if here else []
        case "other_viewpoint":
            return [*_aside_steps(view, x), Step("Navigate", x)]
    return []


def _pick_steps(view: PolicyView, thing: str) -> list[Step]:
    if view.graph.held(view.seat) == thing:
        return []
    return [Step("Navigate", thing), Step("Pick", thing)]


def _placing_steps(
    view: PolicyView, line: Line, keys: dict[str, str], tools: frozenset[str]
) -> list[Step]:
    graph, x = view.graph, keys[line.thing]
    beside = keys.get(line.beside, "")
    place = keys.get(line.other, "")
    if line.verb == "bring_next_to":
        place, beside = where_of(graph, place), place
    if not place:
        return []
    how = Step("Place", x, PLACING_VERBS[line.verb], place, beside)
    if "Rearrange" in tools:
        return [how._replace(tool="Rearrange")]
    return [*_pick_steps(view, x), Step("Navigate", place), how]


def where_of(graph: WorldGraph, key: str) -> str:
    """Return where to put something that is to stand next to ``key``: furniture or a floor."""
    known = graph.objects.get(key)
    if known is not None:
        return known.place.key if known.place.kind == "furniture" else ""
    return floor_key(graph.rooms[key]) if key in graph.rooms else ""


def _state_steps(view: PolicyView, tool: str, thing: str) -> list[Step]:
    row = OBJECT_CLASSES.get(class_in(view.graph, thing))
    wet = tool == "Fill" or (tool == "Clean" and row is not None and row.cleaned_under_faucet)
    taps = nearest_first(view, view.graph.faucets)
    if wet and thing in view.graph.objects and taps:
        return [*_pick_steps(view, thing), Step("Navigate", taps[0]), Step(tool, thing)]
    return [Step("Navigate", thing), Step(tool, thing)]


def put_down(view: PolicyView, tools: frozenset[str], tried: int = 0) -> list[Step]:
    """Return the calls that put what is held onto nearby furniture; empty: the hand is empty.

    ``tried`` is the number of nearest pieces to pass over.
    """
    graph, held = view.graph, view.graph.held(view.seat)
    if held is None:
        return []
    places = [f for f in nearest_first(view, graph.rooms) if not is_floor(graph, f)]
    place = places[tried % min(len(places), PUT_DOWN_PLACES)]
    how = Step("Place", held, "on", place, inserted=True)
    if "Rearrange" in tools:
        return [how._replace(tool="Rearrange")]
    return [Step("Navigate", place, inserted=True), how]


def _aside_steps(view: PolicyView, key: str) -> list[Step]:
    """Return a step to furniture beside something, to come back from another side."""
    graph = view.graph
    room = room_of(graph, key)
    others = [f for f in graph.furniture_of(room) if f != key and not is_floor(graph, f)]
    others.sort(key=lambda f: away(view, f))
    return [Step("Navigate", others[-1])] if others else []


# Whether it holds


def holds(
    view: PolicyView, line: Line, keys: Mapping[str, str], beside: set[frozenset[str]]
) -> bool:
    """Tell whether what a line is for has come about, as far as is known.

    Lines that are only about doing (``go_to``) never hold. ``beside`` are pairs that were put next
    to each other.
    """
    graph, x = view.graph, keys.get(line.thing, "")
    if not x:
        return False
    known = graph.objects.get(x)
    if line.verb in STATES:
        states = known.states if known is not None else graph.furniture_states.get(x, ())
        return STATES[line.verb].changes in states
    if line.verb == "pick_up":
        return graph.held(view.seat) == x
    if line.verb not in PLACING_VERBS or known is None:
        return False
    other = keys.get(line.other, "")
    if line.verb == "bring_next_to":
        return frozenset((x, other)) in beside
    if known.place != Place("furniture", other):
        return False
    return not line.beside or frozenset((x, keys.get(line.beside, ""))) in beside


# Checks


class Verdict(NamedTuple):
    """Result of a check: do the step, do ``before`` first, or leave it out.

    ``drop`` says whether the step or the whole line is left out.
    """

    before: tuple[Step, ...] = ()
    drop: Literal["", "step", "line"] = ""


GO = Verdict()


def check(view: PolicyView, step: Step, opened: list[str], tried: int = 0) -> Verdict:
    """Check a step before it is called.

    ``opened`` is what was opened lately, the latest last; ``tried`` is the number of places at
    which what is in the way could not be put down.
    """
    if step.inserted:
        return GO
    graph = view.graph
    held, tools = graph.held(view.seat), tools_of(view)
    if step.tool not in tools:
        return Verdict(drop="line")
    if step.tool in ("Pick", "Rearrange") and step.thing not in graph.objects:
        return Verdict(drop="line")
    if step.tool == "Pick" and held == step.thing:
        return Verdict(drop="step")
    if step.tool in ("Pick", "Rearrange") and held is not None and held != step.thing:
        back = [Step("Navigate", step.thing, inserted=True)] if step.tool == "Pick" else []
        return Verdict(before=(*put_down(view, tools, tried), *back))
    if step.tool == "Navigate" and held == step.thing:
        return Verdict(drop="step")
    if step.tool == "Place":
        return _placing(graph, step, held, opened)
    if step.tool in ("Open", "Close") and step.thing not in graph.articulated:
        return Verdict(drop="step")
    return GO


def _placing(graph: WorldGraph, step: Step, held: str | None, opened: list[str]) -> Verdict:
    if held != step.thing or step.place not in graph.rooms:
        return Verdict(drop="line")
    is_shut = step.place in graph.articulated and step.place not in opened[-2:]
    if step.relation == "within" and is_shut:
        return Verdict(before=(Step("Open", step.place, inserted=True),))
    return GO
