"""Early decisions: the next one is asked for while a skill still runs.

A copy of the policy is shown what the seat will know if the running call succeeds. Its answer is
taken only if that came to be; else it is stale, the copy is dropped with all that it has taken note
of, and the policy itself, which knows nothing of it, is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from episodes.worldgraph import WorldGraph
from server.robots.playing.knowledge import Knowledge
from server.robots.playing.revalidation import SAID, was_spoken_to
from server.robots.playing.thinkers import Thought
from server.robots.policy import PastCall, Policy, PolicyView
from server.skills import SUCCESS, Call, SkillRun, learn

FOUND = "something was found"


@dataclass
class Prefetch:
    """An early decision under way, for after the running call."""

    policy: Policy
    """The copy that makes it."""
    view: PolicyView
    """The view it was shown; ``doing`` is the call that is taken to succeed."""
    thought: Thought

    def stale(self, knows: Knowledge, response: str) -> str:
        """Tell why what was assumed did not come to be; empty: it did.

        ``response`` is what the call came to.
        """
        if response != SUCCESS:
            return f"{self.view.doing} failed"
        if self.policy.in_vain and len(knows.graph.objects) > len(self.view.graph.objects):
            return FOUND
        return SAID if was_spoken_to(self.view, knows) else ""


def foreseen(view: PolicyView, run: SkillRun, began: int) -> PolicyView:
    """Return a view as it will be if a call succeeds now: a walk has ended in another room."""
    graph = view.graph.copy()
    there = _room_after(run.call, graph)
    learn(graph, view.seat, run.call)
    past = PastCall(run.call, SUCCESS, began, view.tick)
    room = view.room
    if there:
        graph.agents[view.seat], room = there, graph.names.graph[there]
    history = (*view.history, past)
    return replace(view, graph=graph, history=history, doing=run.call, room=room)


def _room_after(call: Call, graph: WorldGraph) -> str:
    """Return the id of the room that a call ends in.

    It is empty where that is not known, or where it is the room that the call begins in.
    """
    ends_at = {"Navigate": call.thing, "Explore": call.thing, "Rearrange": call.place}
    key = graph.find(ends_at[call.name]) if call.name in ends_at else None
    if key is None:
        return ""
    known = graph.objects.get(key)
    if known is not None:
        key = graph.agents.get(known.place.key, known.place.key)
    rooms = {room.room_id: room.room_id for room in graph.scene.rooms} | graph.rooms
    return rooms.get(key, "")
