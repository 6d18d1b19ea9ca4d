"""Refinement of subgoals to actions: each fact of each subgoal by a fixed recipe, in order.

Section 2.2 of the notes on EAI. A recipe does what its fact says and nothing more: what a list of
subgoals leaves out, such as a cabinet that has to be open, is missing in the actions too.
"""

from __future__ import annotations

from collections.abc import Iterator

from episodes.errors import Action
from server.research.probes.answers import PASSING_PREDICATES, Fact, Subgoals
from server.research.probes.problem import (
    RELATION_PREDICATES,
    SEAT,
    STATE_PREDICATES,
    Problem,
    floor_of,
)
from server.research.probes.symbolic_replay import Outcome, World, grammar_error, judged, replay

_CHANGES = {
    "is_clean": "Clean",
    "is_filled": "Fill",
    "is_powered_on": "PowerOn",
    "is_powered_off": "PowerOff",
    "is_open": "Open",
    "is_closed": "Close",
}
_TWO = ("is_on_top", "is_inside", "is_in_room", "is_next_to")


def judge(problem: Problem, subgoals: Subgoals) -> Outcome:
    """Judge names and numbers of arguments first, then the actions that follow."""
    wrong = _wrong(problem, subgoals)
    if wrong:
        return judged(problem, World(problem), wrong, 0, 0)
    return replay(problem, actions_of(problem, subgoals))


def _wrong(problem: Problem, subgoals: Subgoals) -> str:
    """Return the first error: unknown predicates, numbers of arguments, unknown things, as EAI."""
    facts = [fact for subgoal in subgoals.subgoals for fact in subgoal]
    known = (*STATE_PREDICATES, *RELATION_PREDICATES, *PASSING_PREDICATES)
    if any(fact.predicate not in known for fact in facts):
        return "HALLUCINATION"
    if any(bool(fact.other) != (fact.predicate in _TWO) for fact in facts):
        return "ARG_NUMBER"
    for fact in facts:
        for name in (fact.thing, fact.other):
            if name and name not in problem.handle_of:
                return "HALLUCINATION"
    return ""


def actions_of(problem: Problem, subgoals: Subgoals) -> list[Action]:
    """Return the actions of subgoals, over names.

    They are made one after the other in a world of their own, since the recipe of a fact
    depends on what is in the hand by then.
    """
    world = World(problem)
    made: list[Action] = []
    for subgoal in subgoals.subgoals:
        for fact in subgoal:
            for action in _recipe(problem, world, subgoal, fact):
                made.append(action)
                if grammar_error(problem, [action]) is None:
                    args = tuple(problem.handle_of.get(a, a) for a in action.args)
                    world.do(Action(action.name, args))
    return made


def _recipe(
    problem: Problem, world: World, subgoal: tuple[Fact, ...], fact: Fact
) -> Iterator[Action]:
    thing = problem.handle_of[fact.thing]
    now = world.history.now
    if fact.predicate in _CHANGES:
        yield Action(_CHANGES[fact.predicate], (fact.thing,))
        return
    if fact.predicate == "holding":
        yield Action("Pick", (fact.thing,))
        return
    placed = _placed(problem, world, subgoal, fact)
    if placed is None:
        return
    relation, where, reference = placed
    is_there = now.rests(thing, relation, problem.handle_of[where])
    if now.held.get(SEAT) != thing and not (is_there and not reference):
        yield Action("Pick", (fact.thing,))
    beside = ("next_to", reference) if reference else ("none", "none")
    yield Action("Place", (fact.thing, relation, where, *beside))


def _placed(
    problem: Problem, world: World, subgoal: tuple[Fact, ...], fact: Fact
) -> tuple[str, str, str] | None:
    """Return how, where (a name), and next to what a thing is put.

    None: nothing tells where, or another fact of the same subgoal does.
    """
    of_thing = {f.predicate: f.other for f in subgoal if f.thing == fact.thing}
    match fact.predicate:
        case "is_on_top":
            return "on", fact.other, ""
        case "is_inside":
            return "within", fact.other, ""
        case "is_in_room" if not of_thing.keys() & {"is_on_top", "is_inside", "is_on_floor"}:
            return "on", problem.name_of[floor_of(problem.handle_of[fact.other])], ""
        case "is_on_floor":
            room = problem.handle_of.get(of_thing.get("is_in_room", ""))
            floors = [h for h in problem.room_of if h.startswith("floor_")]
            return "on", problem.name_of[floor_of(room) if room else floors[0]], ""
        case "is_next_to":
            other = problem.handle_of[fact.other]
            support = world.history.now.supports.get(other)
            if support is None:
                return None
            where = support.partition("|")[0]
            return "on", problem.name_of.get(where, where), fact.other
    return None
