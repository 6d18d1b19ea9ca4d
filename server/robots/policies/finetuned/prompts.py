"""Prompt format of a finetuned planner: rebuilt for every call, answered with a bare call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MARK = "<|reserved_special_token_0|>"
"""End of the prompt; training looks only at what comes after it (PARTNR A.9)."""
HEADER = "You decide the next action of an agent that does a household task with a partner."
NOTHING_YET = "No actions yet"


class Line(NamedTuple):
    """A previous action; ``result`` is empty for the partner's, whose results are not known."""

    call: str
    result: str = ""
    own: bool = True


def prompt(task: str, world: str, before: Sequence[Line], mark: str = MARK) -> str:
    history = "\n".join(_formatted(line) for line in before) or NOTHING_YET
    return (
        f"{HEADER}\n\nTask: {task}\n\nCurrent Environment:\n{world}\n\n"
        f"Previous actions:\n{history}\n\nNext Agent_Action:{mark}"
    )


def _formatted(line: Line) -> str:
    if line.own:
        return f"Agent_Action: {line.call}\nAction Result: {line.result}"
    return f"Other_Agent_Action: {line.call}"
