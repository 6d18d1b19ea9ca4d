"""Deciding early: the next decision is asked for while a skill still runs.

A copy of the policy is shown what the seat will know if the running call succeeds. Its answer is
taken only if that came to be; else it is stale, the copy is dropped with all that it has taken note
of, and the policy itself, which knows nothing of it, is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from episodes.worldgraph import Place, WorldGraph
from server.robots.knowing import Knowledge
from server.robots.policy import Decision, Do, PastCall, Policy, PolicyView
from server.robots.thinking import Thought
from server.skills import SUCCESS, SkillRun, learn

OVERTAKEN = "the world had changed"
SAID = "something was said"


@dataclass
class Ahead:
    """A decision that is being made for after the running call."""

    policy: Policy
    """The copy that makes it."""
    view: PolicyView
    """What it was shown; ``doing`` is the call that is taken to succeed."""
    thought: Thought

    def stale(self, knows: Knowledge, response: str) -> str:
        """Why what was assumed did not come to be; empty: it did. ``response`` is what the call
        came to."""
        if response != SUCCESS:
            return f"{self.view.doing} failed"
        return SAID if was_spoken_to(self.view, knows) else ""


def foreseen(view: PolicyView, run: SkillRun, began: int) -> PolicyView:
    """A view as it will be if a call succeeds now."""
    graph = view.graph.copy()
    learn(graph, view.seat, run.call)
    past = PastCall(str(run.call), SUCCESS, began, view.tick)
    return replace(view, graph=graph, history=(*view.history, past), doing=past.text)


def was_spoken_to(asked: PolicyView, knows: Knowledge) -> bool:
    """Whether somebody else has said something since a view was made."""
    return any(line.seat != asked.seat for line in knows.chat[len(asked.chat) :])


def moved_since(decision: Decision, seat: str, then: WorldGraph, now: WorldGraph) -> str:
    """The name of the first thing that a call is about and that somebody else has moved since;
    empty: there is none."""
    if not isinstance(decision, Do):
        return ""
    inner = decision.text.partition("[")[2].rstrip("] ")
    for name in inner.split(","):
        key = then.find(name.strip())
        before = then.objects.get(key) if key is not None else None
        after = now.objects.get(key) if key is not None else None
        if before is None or after is None or before.place == after.place:
            continue
        if after.place != Place("agent", seat):
            return name.strip()
    return ""
