"""The reader of decisions: a call that a policy gave as text becomes a `Call`, once."""

from __future__ import annotations

from collections.abc import Collection

from episodes.bodies import SeatKind
from server.robots.policy import Decision, Do
from server.skills import Call, Skill, Unparsed, read
from server.skills.call import no_such_tool


def with_call_read(decision: Decision, kind: SeatKind, tools: Collection[Skill]) -> Decision:
    """Return a decision with its call read, where the policy gave it as text.

    A call that this seat has no tool for is none.
    """
    if not isinstance(decision, Do):
        return decision
    call, text = decision.call, decision.text
    if isinstance(call, str):
        call = read(text, kind)
    if isinstance(call, Call) and call.skill not in tools:
        call = Unparsed(text, no_such_tool(call.name))
    return Do(call)
