"""Fields that the modules of ``llamar`` are told with each call.

What seldom changes stands first, so that a server finds much of each prompt in its cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from episodes.worldgraph import WorldGraph, describe
from server.robots.policies.llamar.board import TrackRecord
from server.robots.policies.shared.quotations import partner_lines
from server.robots.policies.shared.team_prose import holders_of, subject, the
from server.robots.policy import Heard, PastCall, PolicyView, SeenAct

MOST_ACTS = 8
MOST_LINES = 6
NOTHING = "none"
NEVER = "nothing yet"
EMPTY_MEMORY = "empty, nothing has been done yet"
_OBJECTS = "\nObjects:\n"


def task(instruction: str) -> str:
    return f"Task: {instruction}"


def furniture(graph: WorldGraph) -> str:
    """Describe rooms, furniture and faucets, which stay the same for the whole episode."""
    return describe(graph, None).partition(_OBJECTS)[0]


def objects(graph: WorldGraph, seat: str | None, *, states: bool) -> str:
    """Describe the known objects to a seat; None: to one who decides for several."""
    return f"Objects:\n{_listed(graph, seat, states)}"


def objects_near(
    graph: WorldGraph, seat: str | None, rooms: Iterable[str], new: Iterable[str], *, states: bool
) -> str:
    """Describe the objects in hands, in ``rooms`` (ids), and the ``new`` ones (handles)."""
    among, shown = frozenset(rooms), frozenset(new)
    part = graph.copy()
    part.objects = {
        handle: known
        for handle, known in graph.objects.items()
        if handle in shown
        or known.place.kind == "agent"
        or graph.rooms.get(known.place.key) in among
    }
    return f"Objects seen now or just found:\n{_listed(part, seat, states)}"


def _listed(graph: WorldGraph, seat: str | None, states: bool) -> str:
    holders = holders_of(graph.seats)
    return describe(graph, seat, states=states, holders=holders).partition(_OBJECTS)[2]


def subtasks(heading: str, listed: Sequence[str]) -> str:
    return f"{heading}: {json.dumps(list(listed), ensure_ascii=False)}"


def whereabouts(label: str, graph: WorldGraph, seat: str, room: str) -> str:
    """Describe where a body is and what is in its hand."""
    held = graph.held(seat)
    holding = "nothing" if held is None else graph.names.graph[held]
    return f"{subject(label)} is in {room or 'no room'} and holds {holding}."


def last(label: str, record: TrackRecord) -> str:
    """Describe what a body tried last, and what came of it."""
    if record.tried is None:
        return f"{subject(label)} has done {NEVER}."
    return f"{subject(label)} tried {record.tried}. Result: {record.result}"


def trace(label: str, history: Sequence[PastCall]) -> str:
    """List all that a body has done; empty where that is nothing."""
    if not history:
        return ""
    done = "\n".join(f"{past.text}: {past.response}" for past in history)
    return f"{subject(label)} so far:\n{done}"


def failures(label: str, record: TrackRecord) -> str:
    listed = ", ".join(map(str, record.failures)) or NOTHING
    return f"Failed since the last success of {the(label)}: {listed}"


def working_on(label: str, record: TrackRecord) -> str:
    return f"{subject(label)} was working on: {record.subtask or NOTHING}"


def correction(label: str, record: TrackRecord) -> str:
    """Describe why an action failed and what is suggested; empty where nothing is known."""
    if record.correction is None:
        return ""
    cause, call = record.correction
    return f"Why that failed: {cause or 'unknown'}. Suggested for {the(label)}: {call or NOTHING}"


def partner(label: str, graph: WorldGraph, seat: str, acts: Sequence[SeenAct]) -> str:
    """Describe a body that is not decided for."""
    room = graph.names.graph.get(graph.agents.get(seat, ""), "")
    done = ", ".join(act.text for act in acts[-MOST_ACTS:]) or NEVER
    return f"{whereabouts(label, graph, seat, room)} Seen of {the(label)}, latest last: {done}"


def said(view: PolicyView, lines: Sequence[Heard]) -> str:
    """Quote what partners said lately."""
    return partner_lines(view, lines[-MOST_LINES:])


def memory(text: str) -> str:
    return f"Memory: {text or EMPTY_MEMORY}"


def message(fields: Iterable[str]) -> str:
    """Join the fields, without the empty ones."""
    return "\n".join(field for field in fields if field)


def corrected(problem: str) -> str:
    """Return the message after an answer that could not be used."""
    return f"That cannot be used: {problem}\nAnswer again in the format."
