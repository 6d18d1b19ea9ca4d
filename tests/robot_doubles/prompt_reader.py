"""Prompt reader of doubles that play a planner: what was called, what came of it, what is known."""

from __future__ import annotations

import re
from typing import NamedTuple

from server.robots.models import Message, ModelRequest
from server.robots.policies.react.prompts import GONE
from server.skills import SUCCESS

LISTED = re.compile(
    r"^(\w+): (?:(\w+) in \w+|(held by .*?)|unknown in .*?)(?:\. States: (.*))?$", re.M
)
"""Line of the list of objects: name, furniture, who holds it, states."""
_FOUND = re.compile(
    r"^(?:Result: )?(\w+) is (?:in/on (\w+) .*?|(held by the .*?)|somewhere unknown)\."
    r"(?: It has the following states: (.*)\.)?$",
    re.M,
)
_LINES = re.compile(r"^Agent_(\d)_Action: (.*)$", re.M)
_SEEN = re.compile(r"^Agent_(\d)_Observation: (.*)$", re.M)
_COMPACT = re.compile(r"^Agent_Action: (.*)\nAction Result: (.*)$", re.M)
IN_PROGRESS = "is still in progress"


class Past(NamedTuple):
    """Call that is over; ``number`` is the agent's, or that of the only one."""

    number: int
    call: str
    result: str

    @property
    def succeeded(self) -> bool:
        return self.result == SUCCESS


class Seen(NamedTuple):
    """Facts that a prompt gives of an object."""

    furniture: str = ""
    holder: str = ""
    states: str = ""


def past_of(request: ModelRequest, number: int) -> list[Past]:
    """Return all calls that are over; ``number`` is whom a prompt for one agent is for."""
    prompt = request.prompt
    if isinstance(prompt, str):
        return [Past(number, *found) for found in _COMPACT.findall(prompt)]
    if agents_in("".join(m.content for m in prompt[:2])):
        return _past_of_all(prompt)
    found = []
    for said, told in zip(prompt[2::2], prompt[3::2], strict=False):
        call = _call_in(said)
        result = told.content.removeprefix("Result: ").partition("\n")[0]
        found.append(Past(number, call, result))
    return found


def _past_of_all(prompt: tuple[Message, ...]) -> list[Past]:
    found, given = [], dict[int, str]()
    for message in prompt[2:]:
        if message.role == "assistant":
            for number, call in _LINES.findall(message.content):
                # Who is still busy keeps to what was given before.
                given.setdefault(int(number), call.strip())
            continue
        for number, result in _SEEN.findall(message.content):
            if IN_PROGRESS not in result and GONE not in result:
                found.append(Past(int(number), given.pop(int(number), ""), result))
    return found


def agents_in(prompt: str) -> list[int]:
    """Return the numbers of the agents that one planner decides for; none: it decides for one."""
    numbers = re.findall(r"^Agent_(\d)_Action: Tool\[arguments\]$", prompt, re.M)
    return list(map(int, dict.fromkeys(numbers)))


def busy_of(request: ModelRequest) -> dict[int, str]:
    """Return what agents are still doing, by number."""
    prompt = request.prompt
    last = prompt if isinstance(prompt, str) else prompt[-1].content
    found = re.findall(rf"^Agent_(\d)_Observation: Action (.*) {IN_PROGRESS}", last, re.M)
    return {int(number): call for number, call in found}


def listed_in(prompt: str) -> dict[str, Seen]:
    """Return every object of the last list."""
    listed = prompt.rpartition("Objects:\n")[2]
    return {m[1]: Seen(m[2] or "", m[3] or "", m[4] or "") for m in LISTED.finditer(listed)}


def asked_for(request: ModelRequest) -> dict[str, Seen]:
    """Return every object that a tool has told of, as it is after one's own calls since."""
    prompt = request.prompt
    assert not isinstance(prompt, str)
    where: dict[str, Seen] = {}
    for said, told in zip(prompt[2::2], prompt[3::2], strict=False):
        for m in _FOUND.finditer(told.content):
            where[m[1]] = Seen(m[2] or "", m[3] or "", m[4] or "")
        if SUCCESS in told.content:
            _follow(where, _call_in(said))
    return where


def _call_in(said: Message) -> str:
    """Return the last line of an answer."""
    return said.content.replace("Assigned!", "").strip().splitlines()[-1]


def _follow(where: dict[str, Seen], call: str) -> None:
    name, _, inner = call.rstrip("]").partition("[")
    thing, *rest = inner.split(", ")
    if name == "Pick" and thing in where:
        where[thing] = where[thing]._replace(furniture="", holder="held by the agent")
    elif name == "Place" and thing in where:
        where[thing] = where[thing]._replace(furniture=rest[1], holder="")
    elif name == "Clean" and thing in where:
        where[thing] = where[thing]._replace(states="clean: True")
