"""Overtaken decisions: whether what a policy decided still holds when its answer is there."""

from __future__ import annotations

from episodes.worldgraph import Place, WorldGraph
from server.robots.playing.knowledge import Knowledge
from server.robots.policy import Decision, Do, Finished, PolicyView
from server.skills import Call

OVERTAKEN = "the world had changed"
SAID = "something was said"
TOLD = {
    OVERTAKEN: "{thing} was moved by somebody else before this was begun. Nothing was done",
    SAID: "Something was said meanwhile. Nothing was done",
}
"""Words in which a policy is told of a decision that was not carried out."""


def was_spoken_to(asked: PolicyView, knows: Knowledge) -> bool:
    """Tell whether somebody else has said something since a view was made."""
    return any(line.seat != asked.seat for line in knows.chat[len(asked.chat) :])


def has_news(asked: PolicyView, knows: Knowledge) -> bool:
    """Tell whether others have done or said something, or finished, since a view was made."""
    is_same = len(knows.acts) == len(asked.partner_acts)
    return not is_same or knows.finished != asked.finished or was_spoken_to(asked, knows)


def moved_since(decision: Decision, seat: str, then: WorldGraph, now: WorldGraph) -> str:
    """Return the first thing that a call is about and that somebody else has moved since.

    Its name in the graph; empty: there is none.
    """
    if not isinstance(decision, Do) or not isinstance(decision.call, Call):
        return ""
    for name in decision.call.arguments:
        key = then.find(name)
        before = then.objects.get(key) if key is not None else None
        after = now.objects.get(key) if key is not None else None
        if before is None or after is None or before.place == after.place:
            continue
        if after.place != Place("agent", seat):
            return name
    return ""


def overtaken_by(moved: str, decision: Decision, asked: PolicyView, knows: Knowledge) -> str:
    """Tell why a decision no longer holds; empty: it does.

    ``moved`` is what `moved_since` found.
    """
    if moved:
        return OVERTAKEN
    is_deaf = isinstance(decision, Finished) and was_spoken_to(asked, knows)
    return SAID if is_deaf else ""
