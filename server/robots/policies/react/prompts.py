"""Chat prompts of a ReAct planner: for one agent, or for all of a team at once.

A robot and a person have words of their own, those of PARTNR's pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from episodes.bodies import SeatKind
from episodes.seats import Seat
from server.robots.policies.shared.team_prose import (
    abilities,
    counted,
    is_pair,
    labels_of,
    listed,
    meant,
    members_of,
    the,
)
from server.robots.policy import PolicyView
from server.skills.call import WrittenCall

_BODIES: dict[SeatKind, str] = {"robot": "robot", "human": "person"}
_COMMON = """\
- Answer in the format below and in no other way. No lists, brackets or questions in a thought.
- Look at what you have done so far and what came of it. What failed will fail again if nothing has
  changed; if you find yourself repeating a call, try something else.
- You know only what has been seen. What you need and do not know of, look for: explore one room
  after the other, each at most once.
- Use names exactly as they are written."""

_ROLES = {
    "human": (
        'You are the person who gave this task. Its "I" and "me" mean you, and its "you" means '
        "your partner: a robot that can carry, open and close things, but cannot wash, fill, pour "
        "or switch anything."
    ),
    "robot": (
        'You are the robot that was given this task by a person. Its "you" means you, and its "I" '
        'and "me" mean that person, your partner, who can do all that you can, and also wash, '
        "fill, pour and switch things, which you cannot."
    ),
}

_ALONE = """\
You plan, step by step, what one body does in a home: walk, look for things, take and place them.
{role}
"""
_BESIDE_ONE = """\
- Your partner works on the same task at the same time. What your partner holds or has done is taken
  care of: do another part.
"""
_BESIDE_SEVERAL = """\
- They work on the same task at the same time. What one of them holds or has done is taken care of:
  do another part, and keep out of their way.
"""

FORMAT = """\
Answer with three lines: a thought, one call, and the word Assigned!
Thought: what is done, what is missing, what to do next
Tool[arguments]
Assigned!

For example:
Thought: No cups are known yet. Cups are often in the kitchen so I look there first.
Explore[kitchen_1]
Assigned!"""

_HEARS = """\
- What your partner says is quoted after Partner: and tells you what somebody wishes. It never
  changes the tools or the format."""
_HEARS_SEVERAL = """\
- What others say is quoted after their names and tells you what somebody wishes. It never changes
  the tools or the format."""


def system(view: PolicyView, *, hears: bool = False, example: str = "") -> str:
    """Return the system message for one agent; ``example`` is how another task was solved."""
    parts = [_ALONE.format(role=_role(view)) + _beside(view) + _COMMON]
    if hears and len(view.partners) > 1:
        parts[0] += "\n" + _HEARS_SEVERAL
    elif hears:
        parts[0] += "\n" + _HEARS
    parts.append(FORMAT)
    if example:
        parts.append(shown(example))
    return "\n\n".join(parts)


def _role(view: PolicyView) -> str:
    """Say which body it is, and who plays beside it."""
    if is_pair(view.graph.seats):
        return _ROLES[view.kind]
    seats, names = members_of(view), labels_of(view)
    others = [the(names[seat.seat_id]) for seat in seats if seat.seat_id != view.seat]
    beside = f"beside you there {'is' if len(others) < 2 else 'are'} {listed(others or ['nobody'])}"
    who = f"You are {the(names[view.seat])}; {beside}."
    return " ".join(filter(None, (who, meant(seats), abilities(seats))))


def _beside(view: PolicyView) -> str:
    if is_pair(view.graph.seats) or len(view.partners) == 1:
        return _BESIDE_ONE
    return _BESIDE_SEVERAL if view.partners else ""


def shown(example: str) -> str:
    """Return a solved task as an example."""
    return f"This is how a similar task was solved in another home:\n\n{example}"


def opening(task: str, world: str, tools: str, heard: str = "") -> str:
    """Return the first turn; ``world`` is empty where it is asked for with tools."""
    parts = [f"Task: {task}"]
    if world:
        parts.append(world)
    parts.append(f"Possible Actions:\n{tools}")
    if heard:
        parts.append(heard)
    parts.append("What do you do first?")
    return "\n\n".join(parts)


def turn(result: str, objects: str, heard: str = "") -> str:
    """Return a later turn: the result of the last call, and the objects that are known now."""
    parts = [f"Result: {result}"] if result else []
    if heard:
        parts.append(heard)
    if objects:
        parts.append(objects)
    return "\n".join(parts) or "Go on."


def corrected(problem: str) -> str:
    """Return the message after an answer that is no valid call."""
    return (
        f"That cannot be done: {problem}\nAnswer again in the format, with one call from the list "
        "and names that you were told."
    )


def sure(task: str) -> str:
    """Return the question that is asked once before the task counts as finished."""
    return (
        f"The task was: {task}\nGo through all its parts. If each one is done, answer with Done[] "
        "again; else do what is missing."
    )


REPEATED = "You have made this very call {times} times in a row. Do something else."
NOTHING_DONE = "You have done nothing."
SAID = "Your partner has been told."
SAID_ENOUGH = "You have said enough for now; act."
OBJECTS = "Objects:"
NO_OBJECTS = "No objects found yet"
NO_CHANGE = "Objects: as before"
CHANGED = "Objects that are new or have changed:"


# All at once

_BOTH = """\
You plan, step by step, what two bodies do in a home to finish one task together, in as few steps as
possible. Agent 0 is a robot: it walks, opens, closes, takes things and puts them down. Agent 1 is a
person: it can do the same, and also wash, fill, pour and switch things.
- Share the work: both act at the same time. An agent with nothing to do gets Wait[].
- An agent whose action is still in progress gets the same action again until it has succeeded.
- Explore only while objects of the task are unknown; furniture never has to be looked for.
- Before you end it, go through the task again and make sure that each part is done.
"""

_FORMAT_BOTH = """\
Answer with four lines: a thought, an action for each agent, and the word Assigned!
Thought: what is done, what is missing, who does what next
Agent_0_Action: Tool[arguments]
Agent_1_Action: Tool[arguments]
Assigned!

Once everything is done, answer instead:
Thought: why everything is done
Done[]
Assigned!"""


_ALL = """\
You plan, step by step, what {bodies} do in a home to finish one task together, in as few steps as
possible. {agents}
{can}
- Share the work: all act at the same time. An agent with nothing to do gets Wait[].
- Keep agents out of each other's way: not two at one spot, and not two in one door.
- An agent whose action is still in progress gets the same action again until it has succeeded.
- Explore only while objects of the task are unknown; furniture never has to be looked for.
- Before you end it, go through the task again and make sure that each part is done.
"""

_FORMAT_ALL = """\
Answer with {lines} lines: a thought, an action for each agent, and the word Assigned!
Thought: what is done, what is missing, who does what next
{actions}
Assigned!

Once everything is done, answer instead:
Thought: why everything is done
Done[]
Assigned!"""
_LINES = ("three", "four", "five", "six", "seven")
"""Lines of an answer for one agent, two and so on."""
GONE = "This agent plays no more. It gets Wait[]."


def system_all(seats: Sequence[Seat], agents: Sequence[int], example: str = "") -> str:
    """Return the system message for the agents of these numbers, by the seats of the session."""
    if is_pair(seats):
        return _system_both(example)
    bodies = [seats[n] for n in agents]
    numbered = [f"Agent {n} is a {_BODIES[seats[n].kind]}." for n in agents]
    head = _ALL.format(bodies=counted(bodies), agents=" ".join(numbered), can=abilities(bodies))
    actions = "\n".join(f"Agent_{n}_Action: Tool[arguments]" for n in agents)
    parts = [head + _COMMON, _FORMAT_ALL.format(lines=_LINES[len(agents) - 1], actions=actions)]
    if example:
        parts.append(shown(example))
    return "\n\n".join(parts)


def _system_both(example: str = "") -> str:
    parts = [_BOTH + _COMMON, _FORMAT_BOTH]
    if example:
        parts.append(shown(example))
    return "\n\n".join(parts)


def opening_all(task: str, world: str, tools: Mapping[int, str]) -> str:
    """Return the first turn for all agents; ``tools`` by agent number.

    Agents with the same tools are told of them together.
    """
    agents: dict[str, list[str]] = {}
    for n, text in tools.items():
        agents.setdefault(text, []).append(str(n))
    parts = "\n\n".join(
        f"Possible Actions of {'Agent' if len(numbers) == 1 else 'Agents'} {listed(numbers)}:\n"
        f"{text}"
        for text, numbers in agents.items()
    )
    return f"Task: {task}\n\n{world}\n\n{parts}\n\nWhat do they do first?"


def in_progress(call: WrittenCall) -> str:
    return f"Action {call} is still in progress."


def turn_all(observations: Mapping[int, str], objects: str) -> str:
    """Return a later turn for all agents; ``observations`` by agent number."""
    lines = [f"Agent_{n}_Observation: {text}" for n, text in observations.items()]
    return "\n".join([*lines, *([objects] if objects else [])])
