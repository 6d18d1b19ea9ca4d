"""Lines of a task that a researcher writes: one thing, goal or setting each."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from episodes.scene import Affordance

Relation = Literal["on", "in"]
STATES: dict[str, tuple[Affordance, bool]] = {
    "clean": ("is_clean", True),
    "dirty": ("is_clean", False),
    "filled": ("is_filled", True),
    "empty": ("is_filled", False),
    "on": ("is_powered_on", True),
    "off": ("is_powered_on", False),
}
"""Words for states, by which a thing begins or which a goal wants."""

_START = re.compile(r"(?P<thing>.+?) (?P<relation>on|in) (?P<place>.+)")
_NEXT = re.compile(r"(?P<thing>.+?) next to (?P<other>.+)")
_IS = re.compile(r"(?P<thing>.+?) is (?P<state>[a-z]+)")


class WrittenTaskError(ValueError):
    """Error for a line that says nothing, or what cannot be; ``line`` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class Somewhere(NamedTuple):
    """A kind of furniture, in a kind of room or in any."""

    furniture: str
    room: str | None


class Start(NamedTuple):
    """A thing and where it starts."""

    line: int
    thing: str
    relation: Relation
    place: Somewhere
    states: tuple[str, ...]


class Placed(NamedTuple):
    """Goal: a thing on or in a piece of furniture."""

    line: int
    thing: str
    relation: Relation
    place: Somewhere


class Beside(NamedTuple):
    """Goal: two things next to each other."""

    line: int
    thing: str
    other: str


class Changed(NamedTuple):
    """Goal: a thing in a state."""

    line: int
    thing: str
    state: str


class Then(NamedTuple):
    """Line between what is done first and what is done after it."""

    line: int


Goal = Placed | Beside | Changed | Then


class WrittenTask(NamedTuple):
    """A task as it was written."""

    house: str
    instruction: str
    seed: int
    starts: tuple[Start, ...]
    goals: tuple[Goal, ...]


def read_lines(text: str) -> WrittenTask:
    """Read a task from its lines. Raises WrittenTaskError for the first that cannot be."""
    settings: dict[str, str] = {}
    starts: list[Start] = []
    goals: list[Goal] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        if line == "then":
            goals.append(Then(number))
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not colon or not value:
            raise WrittenTaskError(
                number, f"expected `KEY: WORDS`, such as `start: cup on counter`, got {line!r}"
            )
        match key:
            case "house" | "say" | "seed":
                settings[key] = value
            case "start":
                starts.append(_start(number, value))
            case "goal":
                goals.append(_goal(number, value))
            case _:
                raise WrittenTaskError(
                    number, f"expected house, say, seed, start, goal or then, got {key!r}"
                )
    for key in ("house", "say"):
        if key not in settings:
            raise WrittenTaskError(1, f"expected a line `{key}: …`, and there is none")
    if not settings.get("seed", "0").isdigit():
        raise WrittenTaskError(1, f"expected a whole number as seed, got {settings['seed']!r}")
    if not starts or not any(not isinstance(goal, Then) for goal in goals):
        raise WrittenTaskError(1, "expected a `start` and a `goal` at least")
    return WrittenTask(
        settings["house"],
        settings["say"],
        int(settings.get("seed", "0")),
        tuple(starts),
        tuple(goals),
    )


def _start(number: int, value: str) -> Start:
    what, *states = (part.strip() for part in value.split(";"))
    found = _START.fullmatch(what)
    if found is None:
        raise WrittenTaskError(number, f"expected `THING on FURNITURE, ROOM; STATE`, got {value!r}")
    for state in states:
        if state not in STATES:
            raise WrittenTaskError(number, f"expected one of {', '.join(STATES)}, got {state!r}")
    return Start(
        number,
        found["thing"],
        "in" if found["relation"] == "in" else "on",
        _somewhere(found["place"]),
        tuple(states),
    )


def _goal(number: int, value: str) -> Goal:
    if (found := _NEXT.fullmatch(value)) is not None:
        return Beside(number, found["thing"], found["other"])
    if (found := _IS.fullmatch(value)) is not None:
        if found["state"] not in STATES:
            raise WrittenTaskError(
                number, f"expected one of {', '.join(STATES)}, got {found['state']!r}"
            )
        return Changed(number, found["thing"], found["state"])
    if (found := _START.fullmatch(value)) is not None:
        relation: Relation = "in" if found["relation"] == "in" else "on"
        return Placed(number, found["thing"], relation, _somewhere(found["place"]))
    raise WrittenTaskError(
        number,
        "expected `THING on FURNITURE, ROOM`, `THING in FURNITURE`, `THING next to THING` or "
        f"`THING is STATE`, got {value!r}",
    )


def _somewhere(text: str) -> Somewhere:
    furniture, _, room = (part.strip().replace(" ", "_") for part in text.partition(","))
    return Somewhere(furniture, room or None)
