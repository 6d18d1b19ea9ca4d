"""Forward search over operators for a plan from a task's start to its goals.

Greedy on the additive heuristic over relaxed actions (Bonet and Geffner's ``h_add``), with a cap on
states and not on time, so that the same operators always come to the same answer.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from server.research.probes.answers import Operator
from server.research.probes.operators import PARAMETERS
from server.research.probes.problem import Problem, floor_of
from server.research.probes.symbolic_replay import World

MOST_STATES = 2000
Atom = tuple[str, ...]
State = frozenset[Atom]


class Ground(NamedTuple):
    """An operator over things. ``name`` has its arguments."""

    name: Atom
    needs: frozenset[Atom]
    needs_not: frozenset[Atom]
    adds: frozenset[Atom]
    removes: frozenset[Atom]

    def is_possible(self, state: State) -> bool:
        return self.needs <= state and not self.needs_not & state

    def after(self, state: State) -> State:
        return (state - self.removes) | self.adds


class Planned(NamedTuple):
    """Task for planning: one way to satisfy its goals, over the things that matter to them."""

    start: State
    goals: frozenset[Atom]
    goals_not: frozenset[Atom]
    things: tuple[str, ...]

    def is_reached(self, state: State) -> bool:
        return self.goals <= state and not self.goals_not & state


def planned(problem: Problem) -> Planned:
    """Return a problem as a task for planning; names stand for things.

    Of what a goal leaves open, the first choice is taken; a room stands for its floor. Order,
    and what a task undoes later, is not asked for: EAI's planner has state goals only.
    """
    relevant = problem.relevant()
    facts: set[Atom] = {("hand_empty",)}
    now = World(problem).history.now
    for handle in relevant:
        entity = problem.domain.entities.get(handle)
        name = problem.name_of[handle]
        if entity is None or (entity.surfaces and not entity.movable):
            kinds = frozenset({"on"}) if entity is None else entity.surfaces
            facts |= {("surface", name)} if "on" in kinds else set()
            facts |= {("container", name)} if "within" in kinds else set()
        if entity is None:
            continue
        if entity.openable:
            facts.add(("openable", name))
        if (not entity.openable and "within" in entity.surfaces) or now.is_open(handle):
            facts.add(("open", name))
        for state, word in _AFFORDED.items():
            facts |= {(word, name)} if state in entity.states else set()
        for state, word in _STATES.items():
            facts |= {(word, name)} if now.states.get((handle, state)) else set()
        support = now.supports.get(handle)
        if support is not None:
            where = support.partition("|")[0]
            relation = "within" if now.rests(handle, "within", where) else "on"
            facts.add((relation, name, problem.name_of[where]))
    goals, goals_not = _goals(problem)
    things = tuple(sorted({problem.name_of[h] for h in relevant}))
    return Planned(frozenset(facts), goals, goals_not, things)


_AFFORDED = {"is_clean": "cleanable", "is_filled": "fillable", "is_powered_on": "switchable"}
_STATES = {"is_clean": "clean", "is_filled": "filled", "is_powered_on": "powered_on"}
_GOAL_STATES = {
    "is_clean": ("clean", True), "is_dirty": ("clean", False),
    "is_filled": ("filled", True), "is_empty": ("filled", False),
    "is_powered_on": ("powered_on", True), "is_powered_off": ("powered_on", False),
}  # fmt: skip


def _goals(problem: Problem) -> tuple[frozenset[Atom], frozenset[Atom]]:
    names = problem.name_of
    goals: dict[Atom, None] = {}
    goals_not: set[Atom] = set()
    placed: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    # The last place of a thing is where it ends: what a task moves twice has two.
    for proposition in reversed(problem.evaluation.propositions):
        args, kind = proposition.args, proposition.function_name
        count = int(args.get("number") or 1)
        if kind in _GOAL_STATES:
            word, holds = _GOAL_STATES[kind]
            for thing in args["object_handles"][:count]:
                if holds:
                    goals[word, names[thing]] = None
                else:
                    goals_not.add((word, names[thing]))
        elif kind == "is_next_to":
            one, other = args["entity_handles_a"][0], args["entity_handles_b"][0]
            pairs.append((one, other))
        elif kind in ("is_on_top", "is_inside", "is_in_room"):
            relation = "within" if kind == "is_inside" else "on"
            where = (args.get("receptacle_handles") or [floor_of(r) for r in args["room_ids"]])[0]
            for thing in args["object_handles"][:count]:
                if thing not in placed:
                    placed[thing] = names[where]
                    goals[relation, names[thing], names[where]] = None
    now = World(problem).history.now
    for one, other in pairs:
        lies = names.get(now.supports.get(other, "").partition("|")[0], "")
        place = placed.get(one) or placed.get(other) or lies
        goals["beside", names[one], names[other], place] = None
    return frozenset(goals), frozenset(goals_not)


def ground(operators: Iterable[Operator], task: Planned) -> list[Ground]:
    """Ground every operator over all things that differ from each other and may fit.

    Preconditions that the start lacks and that no operator changes are not waited for.
    """
    operators = list(operators)
    changed = {term.predicate for o in operators for term in o.effect}
    found = []
    for operator in operators:
        parameters = PARAMETERS[operator.name]
        for values in itertools.permutations(task.things, len(parameters)):
            value = dict(zip(parameters, values, strict=True))
            made = _ground(operator, value, values)
            fixed = {atom for atom in made.needs if atom[0] not in changed}
            if fixed <= task.start:
                found.append(made)
    return found


def _ground(operator: Operator, value: dict[str, str], values: tuple[str, ...]) -> Ground:
    parts: dict[tuple[str, bool], set[Atom]] = {
        (side, holds): set() for side in ("needs", "does") for holds in (True, False)
    }
    for side, terms in (("needs", operator.precondition), ("does", operator.effect)):
        for term in terms:
            atom = (term.predicate, *(value[a] for a in term.arguments))
            parts[side, term.holds].add(atom)
    sets = [frozenset(part) for part in parts.values()]
    return Ground((operator.name, *values), *sets)


def search(
    operators: Sequence[Operator], task: Planned, most_states: int = MOST_STATES
) -> list[Ground] | None:
    """Return a plan, not always the shortest; None if none was found among so many states."""
    actions = ground(operators, task)
    order = itertools.count()
    frontier: list[tuple[float, int, State]] = [(0.0, next(order), task.start)]
    came: dict[State, tuple[State, Ground] | None] = {task.start: None}
    seen = 0
    while frontier and seen < most_states:
        _, _, state = heapq.heappop(frontier)
        seen += 1
        if task.is_reached(state):
            return list(_way(came, state))[::-1]
        for action in actions:
            if not action.is_possible(state):
                continue
            after = action.after(state)
            if after in came:
                continue
            far = _distance(actions, task, after)
            if math.isfinite(far):
                came[after] = (state, action)
                heapq.heappush(frontier, (far, next(order), after))
    return None


def _way(came: dict[State, tuple[State, Ground] | None], state: State) -> Iterator[Ground]:
    while (step := came[state]) is not None:
        yield step[1]
        state = step[0]


def _distance(actions: Sequence[Ground], task: Planned, state: State) -> float:
    """Return ``h_add``: what each goal costs if nothing that was reached is ever lost, summed.

    A goal that must not be so costs one where it is so.
    """
    cost: dict[Atom, float] = dict.fromkeys(state, 0.0)
    improved = True
    while improved:
        improved = False
        for action in actions:
            total = 1.0
            for atom in action.needs:
                known = cost.get(atom)
                if known is None:
                    break
                total += known
            else:
                for atom in action.adds:
                    if total < cost.get(atom, math.inf):
                        cost[atom] = total
                        improved = True
    return sum(cost.get(goal, math.inf) for goal in task.goals) + len(task.goals_not & state)


def is_sound(plan: Sequence[Ground], task: Planned, truth: Sequence[Operator]) -> bool:
    """Tell whether a plan made with a model's operators works with the true ones."""
    real = {action.name: action for action in ground(truth, task)}
    state = task.start
    for step in plan:
        action = real.get(step.name)
        if action is None or not action.is_possible(state):
            return False
        state = action.after(state)
    return task.is_reached(state)
