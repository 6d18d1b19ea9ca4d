"""Parts of a growing conversation: the objects listed with each turn, and what to leave out."""

from __future__ import annotations

import re
from typing import Literal

from episodes.worldgraph import WorldGraph, describe
from server.robots.models import Message
from server.robots.policies.react import prompts
from server.robots.policies.shared.team_prose import holders_of

_LISTED = re.compile(r"^(?:Objects:|Objects that are new or have changed:)\n.*\Z", re.M | re.S)
LEFT_OUT = "Objects: (left out)"


def last_line(answer: str) -> str:
    """Return the last line that is not blank; PARTNR reads calls from it."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    return lines[-1] if lines else ""


class ObjectLines:
    """Objects that a model has been told of, as lines with their states at that time."""

    def __init__(
        self,
        states: bool,
        which: Literal["all", "changes"],
        lines: frozenset[str] = frozenset(),
    ) -> None:
        self._states = states
        self._which = which
        self._lines = lines

    def after_turn(self, graph: WorldGraph, seat: str | None) -> tuple[ObjectLines, str]:
        """Return the lines after this turn, and the text of the turn."""
        holders = None if seat is None else holders_of(graph.seats)
        told = describe(graph, seat, states=self._states, holders=holders)
        lines = told.partition(f"\n{prompts.OBJECTS}\n")[2]
        now = frozenset(lines.splitlines()) if graph.objects else frozenset()
        after = ObjectLines(self._states, self._which, now)
        if self._which == "all" or not graph.objects:
            return after, f"{prompts.OBJECTS}\n{lines}"
        new = [line for line in lines.splitlines() if line not in self._lines]
        return after, "\n".join([prompts.CHANGED, *new]) if new else prompts.NO_CHANGE


def shortened(messages: tuple[Message, ...], most: int | None) -> tuple[Message, ...]:
    """Return the conversation within ``most`` characters, where that is possible.

    First the older object lists go, then the oldest turns after the first. They go all at once and
    not bit by bit, because each change makes a server read the conversation anew.
    """
    if most is None or _length(messages) <= most:
        return messages
    *older, last = messages
    slim = [older[0], older[1], *(_without_objects(m) for m in older[2:]), last]
    if _length(slim) <= most:
        return tuple(slim)
    # Down to half of the room that the turns have, so that it lasts.
    head, turns = slim[:2], slim[2:]
    room = (most - _length(head)) // 2
    while len(turns) > 1 and _length(turns) > room:
        del turns[:2]
    return (*head, *turns)


def _without_objects(message: Message) -> Message:
    if message.role != "user":
        return message
    return Message("user", _LISTED.sub(LEFT_OUT, message.content))


def _length(messages: list[Message] | tuple[Message, ...]) -> int:
    return sum(len(m.content) for m in messages)
