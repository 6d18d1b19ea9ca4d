"""Prompts of the probes, in our own words.

Rules of form come in the system message, the task after an example from another house.
"""

from __future__ import annotations

from server.research.probes.answers import ARGUMENTS, PASSING_PREDICATES, Probe
from server.research.probes.operator_search import planned
from server.research.probes.operators import ARITIES, PARAMETERS
from server.research.probes.problem import (
    RELATION_PREDICATES,
    SEAT,
    STATE_PREDICATES,
    Problem,
)
from server.research.probes.symbolic_replay import World
from server.robots.models import Message

_FORM = (
    "Answer with one JSON object and nothing else: no notes, no code fence. It begins with {{ and "
    "ends with }}. Its form is {form}. Names are written exactly as they are given."
)
_FORMS: dict[Probe, str] = {
    "goals": '{"goals": [{"predicate": "...", "thing": "...", "other": "..."}]}',
    "subgoals": '{"subgoals": [[{"predicate": "...", "thing": "...", "other": "..."}]]}',
    "actions": '{"actions": [{"action": "...", "arguments": ["..."]}]}',
    "operators": (
        '{"operators": [{"name": "...", "precondition": [{"predicate": "...", "arguments": '
        '["?..."], "holds": true}], "effect": [...]}]}'
    ),
}
_MEANINGS = {
    "is_clean": "the thing is clean",
    "is_dirty": "the thing is not clean",
    "is_filled": "the thing is full of water",
    "is_empty": "nothing is in the thing",
    "is_powered_on": "the thing is switched on",
    "is_powered_off": "the thing is switched off",
    "is_on_top": "the thing lies on the other, a piece of furniture",
    "is_inside": "the thing lies inside the other, a piece of furniture",
    "is_in_room": "the thing is in the other, a room",
    "is_on_floor": "the thing lies on the floor",
    "is_next_to": "the thing lies close beside the other",
    "holding": "the thing is in your hand",
    "is_open": "the piece of furniture is open",
    "is_closed": "the piece of furniture is closed",
}
_NO_OTHER = ("is_on_floor", "holding", "is_open", "is_closed", *STATE_PREDICATES)

_EXAMPLE_WORLD = (
    "Furniture:\n"
    "kitchen_1: floor_kitchen_1 (on), counter_1 (on), fridge_2 (within, opens; closed)\n"
    "Objects:\n"
    "cup_0: on counter_1. clean: False\n"
    "apple_1: within fridge_2\n"
)
_EXAMPLE_TASK = "Wash the cup and put the apple next to it."
_EXAMPLES: dict[Probe, str] = {
    "goals": (
        '{"goals": [{"predicate": "is_clean", "thing": "cup_0", "other": ""}, {"predicate": '
        '"is_next_to", "thing": "apple_1", "other": "cup_0"}]}'
    ),
    "subgoals": (
        '{"subgoals": [[{"predicate": "is_clean", "thing": "cup_0", "other": ""}], [{"predicate": '
        '"is_open", "thing": "fridge_2", "other": ""}], [{"predicate": "is_next_to", "thing": '
        '"apple_1", "other": "cup_0"}]]}'
    ),
    "actions": (
        '{"actions": [{"action": "Clean", "arguments": ["cup_0"]}, {"action": "Open", "arguments": '
        '["fridge_2"]}, {"action": "Pick", "arguments": ["apple_1"]}, {"action": "Place", '
        '"arguments": ["apple_1", "on", "counter_1", "next_to", "cup_0"]}]}'
    ),
    "operators": (
        '{"operators": [{"name": "lock", "precondition": [{"predicate": "lockable", "arguments": '
        '["?place"], "holds": true}, {"predicate": "open", "arguments": ["?place"], "holds": '
        'false}], "effect": [{"predicate": "locked", "arguments": ["?place"], "holds": true}]}]}'
    ),
}
_JOBS: dict[Probe, str] = {
    "goals": (
        "You are told what a person wants of a home, and how things are there. Say what is to be "
        "so in the end, as facts about single things: neither what has to be done for it nor what "
        "is only so on the way. Where the choice is free, choose."
    ),
    "subgoals": (
        "You are told what is wanted of a home, and how things are there. Say which facts you "
        "would bring about one after the other, up to what is wanted, with all that has to be so "
        "on the way. What is listed together is brought about together. Walking need not be said. "
        "You have one hand; what lies in closed furniture cannot be reached."
    ),
    "actions": (
        "You are told what is wanted of a home, and how things are there. Say which actions bring "
        "it about, in order. Walking need not be said. You have one hand; what lies in closed "
        "furniture cannot be reached; what you place is in your hand; nothing is done that is so "
        "already."
    ),
    "operators": (
        "You are told the predicates that describe a home, the names of actions with their "
        "parameters, and a task. Write for each action when it can be done (precondition) and what "
        "it changes (effect), as conjunctions of predicates over its parameters; holds false "
        "negates one. The hand holds one thing. With your actions a planner must find a plan for "
        "the task."
    ),
}


def prompt(
    probe: Probe, problem: Problem, *, relevant_only: bool = True, example: bool = True
) -> tuple[Message, ...]:
    """Return the conversation of one call.

    ``relevant_only`` tells only the things that the goals name and where they are, as EAI does,
    which gives away much; else the whole house is told.
    """
    system = f"{_JOBS[probe]}\n\n{_FORM.format(form=_FORMS[probe])}"
    parts = [_vocabulary(probe)]
    if example:
        world = "" if probe == "operators" else f"{_EXAMPLE_WORLD}Task: {_EXAMPLE_TASK}\n"
        parts.append(f"An example from another home:\n{world}Answer: {_EXAMPLES[probe]}")
    if probe == "operators":
        parts.append(_planning_task(problem))
    else:
        told = problem.relevant() if relevant_only else set(problem.name_of)
        parts.append(f"{_world(problem, told)}Task: {problem.task.instruction}")
        if probe != "goals":
            parts.append(f"What is wanted, exactly: {wanted(problem)}")
    return (Message("system", system), Message("user", "\n\n".join([*parts, "Answer:"])))


def names_told(problem: Problem, relevant_only: bool) -> list[str]:
    """Return what an answer may name."""
    told = problem.relevant() if relevant_only else set(problem.name_of)
    rooms = {problem.room_of[h] for h in told if h in problem.room_of}
    return sorted({problem.name_of[h] for h in told | rooms})


def wanted(problem: Problem) -> str:
    """Return the goals as they are evaluated, in order and by names."""
    parts = []
    for proposition in problem.evaluation.propositions:
        args = proposition.args
        things = args.get("object_handles") or args.get("entity_handles_a") or []
        where = (
            args.get("receptacle_handles")
            or args.get("room_ids")
            or args.get("entity_handles_b")
            or []
        )
        text = f"{proposition.function_name}({_either(problem, things)}"
        text += f", {_either(problem, where)})" if where else ")"
        count = int(args.get("number") or 1)
        parts.append(f"{text} for {count} of them" if count > 1 else text)
    edges = [
        f"{before + 1} before {after + 1}"
        for constraint in problem.evaluation.constraints
        for before, after in constraint.args.get("dag_edges", ())
    ]
    told = "; ".join(f"{n}. {part}" for n, part in enumerate(parts, 1))
    return f"{told}. In this order: {', '.join(edges)}." if edges else f"{told}."


def _either(problem: Problem, handles: list[str]) -> str:
    return " or ".join(problem.name_of[h] for h in handles)


def _vocabulary(probe: Probe) -> str:
    if probe == "operators":
        told = [f"{n}/{size}" for n, size in ARITIES.items()]
        actions = [f"{n}({', '.join(p)})" for n, p in PARAMETERS.items()]
        return f"Predicates, with how many arguments they have: {', '.join(told)}\nActions:\n" + (
            "\n".join(actions)
        )
    predicates = [*STATE_PREDICATES, *RELATION_PREDICATES]
    predicates += PASSING_PREDICATES if probe == "subgoals" else ()
    lines = [
        f"{name}: {_MEANINGS[name]}" + (' (other is "")' if name in _NO_OTHER else "")
        for name in predicates
    ]
    text = "Predicates:\n" + "\n".join(lines)
    if probe == "actions":
        text += "\nActions and their arguments:\n"
        text += "\n".join(f"{name}: {arguments}" for name, arguments in ARGUMENTS.items())
    return text


def _world(problem: Problem, told: set[str]) -> str:
    now, names = World(problem).history.now, problem.name_of
    by_room: dict[str, list[str]] = {}
    for handle, room in problem.room_of.items():
        if handle in told:
            text = f"{names[handle]} ({', '.join(problem.surfaces[handle])}"
            if problem.parts.get(handle):
                text += f", opens; {'open' if now.is_open(handle) else 'closed'}"
            states = [
                f"{s.removeprefix('is_')}: {v}" for (h, s), v in now.states.items() if h == handle
            ]
            by_room.setdefault(names[room], []).append(f"{'; '.join([text, *states])})")
    lines = ["Furniture:", *(f"{room}: {', '.join(f)}" for room, f in sorted(by_room.items()))]
    lines.append("Objects:")
    for handle in problem.objects:
        if handle not in told:
            continue
        where = now.supports.get(handle, "").partition("|")[0]
        relation = "within" if now.rests(handle, "within", where) else "on"
        place = f"{relation} {names[where]}" if where in names else "somewhere"
        if now.holders.get(handle) == SEAT:
            place = "in your hand"
        states = [
            f"{s.removeprefix('is_')}: {v}" for (h, s), v in now.states.items() if h == handle
        ]
        lines.append(". ".join([f"{names[handle]}: {place}", *states]))
    return "\n".join(lines) + "\n"


def _planning_task(problem: Problem) -> str:
    task = planned(problem)

    def told(atoms: frozenset[tuple[str, ...]]) -> str:
        return ", ".join(f"{a[0]}({', '.join(a[1:])})" for a in sorted(atoms)) or "nothing"

    text = f"Things: {', '.join(task.things)}\nAt the start: {told(task.start)}\n"
    text += f"Wanted: {told(task.goals)}"
    return f"{text}\nNot wanted: {told(task.goals_not)}" if task.goals_not else text
