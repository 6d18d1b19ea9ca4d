"""Partner's part in a line: what it has, has moved, and what only it can do."""

from __future__ import annotations

from server.robots.policies.helper.name_binding import room_of
from server.robots.policies.helper.program_parser import Declared, Line
from server.robots.policies.helper.requests import request
from server.robots.policies.helper.steps import STATES, tools_of
from server.robots.policy import PolicyView


def partner_has(view: PolicyView, key: str) -> bool:
    known = view.graph.objects.get(key)
    return known is not None and known.place.kind == "agent" and known.place.key != view.seat


def moved_by_partner(view: PolicyView) -> frozenset[str]:
    """Return what the partner has been seen taking or putting down."""
    found = (view.graph.find(act.call.thing)
             for act in view.partner_acts if act.call.name in ("Pick", "Place"))  # fmt: skip
    return frozenset(key for key in found if key is not None)


def is_for_partner(view: PolicyView, line: Line) -> bool:
    """Tell whether a line needs a skill that the own body has not."""
    tool = STATES[line.verb].name if line.verb in STATES else ""
    tool = "Pour" if line.verb == "pour_into" else tool
    return bool(tool) and tool not in tools_of(view)


def request_for(view: PolicyView, line: Line, declared: dict[str, Declared], key: str) -> str:
    """Return the sentence that asks the partner for a line.

    ``key`` is empty where nobody knows the thing.
    """
    labels, graph = view.graph.names.labels, view.graph
    what = labels.get(key) or declared[line.thing].word.replace("_", " ")
    into = declared[line.other].word.replace("_", " ") if line.other else ""
    return request(line.verb, what, labels.get(room_of(graph, key), ""), into)
