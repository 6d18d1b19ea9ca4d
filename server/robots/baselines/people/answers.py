"""Answers of a person to questions, from what it has seen and means to do."""

from __future__ import annotations

from collections.abc import Sequence

from server.robots.baselines.people.errands import Errand
from server.robots.baselines.people.requests import Line
from server.robots.policy import PolicyView

DONE_WORDS = {"Clean": "washed", "Fill": "filled", "PowerOn": "switched on",
              "PowerOff": "switched off"}  # fmt: skip
NO_IDEA = "I do not know."


def answer(
    view: PolicyView, line: Line, errands: Sequence[Errand], left: Sequence[int], now: int | None
) -> str:
    """Answer a question in a sentence or two.

    ``left`` are the numbers of the errands that are not done, ``now`` the one under way.
    """
    match line.kind:
        case "where":
            return where(view, line.thing) if line.thing else NO_IDEA
        case "doing":
            if now is None or now not in left:
                return "Nothing just now."
            return f"I see to the {errands[now].word}."
        case "done":
            return "Not yet." if left else "Yes, I am done."
        case "left":
            told = [wanted(view, errands[n]) for n in left[:2]]
            return " ".join(told) or "Nothing, all is well."
        case "who":
            mine = [n for n in left if line.thing in errands[n].things]
            if not mine:
                return NO_IDEA
            return "I do that." if now in mine else "You, please."
        case _:
            return NO_IDEA


def where(view: PolicyView, thing: str) -> str:
    """Say where a thing is, as far as it is known."""
    labels, graph = view.graph.names.labels, view.graph
    if thing in graph.rooms:
        room = labels.get(graph.rooms[thing], "house")
        return f"The {labels[thing]} is in the {room}."
    known = graph.objects.get(thing)
    if known is None or known.place.kind == "unknown":
        return "I have not seen it."
    if known.place.kind == "agent":
        whose = "my" if known.place.key == view.seat else "somebody else's"
        return f"The {labels[thing]} is in {whose} hand."
    key = known.place.key
    room = labels.get(graph.rooms.get(key, ""), "house")
    if key.startswith("floor|"):
        return f"The {labels[thing]} is on the {labels[key]}."
    return f"The {labels[thing]} is at the {labels[key]} in the {room}."


def wanted(view: PolicyView, errand: Errand) -> str:
    """Say what is still to be done about a thing."""
    labels = view.graph.names.labels
    if errand.skill:
        return f"The {errand.word} has to be {DONE_WORDS.get(errand.skill, 'seen to')}."
    target = errand.targets[0]
    if not target.key:
        return f"The {errand.word} belongs somewhere else."
    how = "in" if target.relation == "within" else "on"
    return f"The {errand.word} belongs {how} the {labels[target.key]}."
