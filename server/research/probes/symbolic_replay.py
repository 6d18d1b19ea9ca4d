"""Replay of a plan in symbols, up to its first fatal error, judged by the task's evaluator.

Whether an action can be done is what `episodes.errors.classify` says; what it does stands here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from episodes.dataset.vocabulary import PREDICATES
from episodes.errors import Action, History, classify, expand
from episodes.errors.records import CLASSES, ErrorClass
from episodes.evaluation import Verdict
from episodes.evaluation.evaluator import Evaluator
from episodes.world import Change, HolderChanged, PartMoved, StateChanged, SupportChanged
from server.research.probes.problem import SEAT, Problem
from server.skills import SKILLS

NO_REFERENCE = ("none", "None", "")


class World:
    """A task under way, which answers an evaluator's questions (`episodes.evaluation.Facts`)."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.history = History(problem.start, problem.surroundings.within)
        self.beside: set[frozenset[str]] = set()
        """Pairs that were put down next to each other and not moved since."""
        self._evaluator = Evaluator(problem.evaluation)
        self._steps = 0
        everything = dict.fromkeys((*problem.objects, *problem.room_of))
        self._evaluator.observe(0, self, everything)

    def do(self, action: Action) -> ErrorClass:
        """Do an action of handles, not of names, if it can be done. Additional steps do nothing."""
        found = classify(action, SEAT, self.problem.domain, self.history)
        if found.error_class == "OK":
            self._apply(action)
        return found.error_class

    def _apply(self, action: Action) -> None:
        changes = self._changes(action)
        self._steps += 1
        self.history.add(self._steps, changes, SEAT, str(action))
        about: dict[str, str | None] = {}
        for change in changes:
            about[change.furniture if isinstance(change, PartMoved) else change.handle] = SEAT  # type: ignore[union-attr]
        self._evaluator.observe(self._steps, self, about)

    def _changes(self, action: Action) -> list[Change]:
        name, args = action.name, action.args
        thing = args[0] if args else ""
        match name:
            case "Pick":
                self.beside = {pair for pair in self.beside if thing not in pair}
                return [HolderChanged(thing, SEAT), SupportChanged(thing, None)]
            case "Place":
                if len(args) == 5 and args[4] not in NO_REFERENCE:
                    self.beside.add(frozenset((thing, args[4])))
                support = self.problem.surfaces[args[2]][args[1]]
                return [HolderChanged(thing, None), SupportChanged(thing, support)]
            case "Open" | "Close":
                value = float(name == "Open")
                return [PartMoved(thing, n, value) for n in range(self.problem.parts[thing])]
        skill = SKILLS.get(name)
        if skill is not None and skill.changes is not None:
            return [StateChanged(thing, *skill.changes)]
        return []

    def verdict(self) -> Verdict:
        """End the task and return its verdict: the evaluator takes no more."""
        self._evaluator.finish(self._steps + 1, self)
        return self._evaluator.verdict()

    # Facts

    def is_above(self, a: str, b: str) -> bool:
        return self.history.now.rests(a, "on", b)

    def is_within(self, a: str, b: str) -> bool:
        return self.history.now.rests(a, "within", b)

    def in_room(self, a: str, room_id: str) -> bool:
        return self._room(a) == room_id

    def on_floor(self, a: str) -> bool:
        return self.history.now.supports.get(a, "").startswith("floor_")

    def gap(self, a: str, b: str) -> float:
        return 0.0 if frozenset((a, b)) in self.beside else math.inf

    def state(self, a: str, name: str) -> bool:
        return self.history.now.states[a, name]

    def _room(self, thing: str) -> str:
        for _ in range(len(self.history.now.supports) + 1):
            if thing in self.problem.room_of:
                return self.problem.room_of[thing]
            thing = self.history.now.supports.get(thing, "").partition("|")[0]
        return ""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a plan.

    ``error`` is the first fatal class (empty: all of it could be done); ``at`` is the number of
    the action that had it. ``percent`` is PARTNR's percent complete of the state in which it
    stopped; ``unsatisfied`` has the goal classes that were missed.
    """

    error: str
    at: int | None
    additional: int
    success: bool
    percent: float
    unsatisfied: tuple[str, ...] = ()
    satisfied_states: int = 0
    states: int = 0
    satisfied_relations: int = 0
    relations: int = 0

    @property
    def executable(self) -> bool:
        return not self.error


def replay(problem: Problem, actions: Sequence[Action]) -> Outcome:
    """Carry out actions of names.

    Names and numbers of arguments are looked at before anything is done, as EAI does: one wrong
    name, and no action of the plan counts.
    """
    wrong = grammar_error(problem, actions)
    world = World(problem)
    if wrong is not None:
        return judged(problem, world, wrong[0], wrong[1], 0)
    additional = 0
    for number, action in enumerate(actions):
        args = tuple(problem.handle_of.get(a, a) for a in action.args)
        for step in expand(Action(action.name, args)):
            found = world.do(step)
            additional += found == "ADDITIONAL_STEP"
            if CLASSES[found][1]:
                return judged(problem, world, found, number, additional)
    return judged(problem, world, "", None, additional)


def grammar_error(problem: Problem, actions: Sequence[Action]) -> tuple[str, int] | None:
    """Return the first hallucination or wrong number of arguments.

    All names of all actions come first, then the numbers (section 3.2 of the notes on EAI).
    """
    untouched = History(problem.start, problem.surroundings.within)
    found = [
        classify(
            Action(a.name, tuple(problem.handle_of.get(x, x) for x in a.args)), SEAT,
            problem.domain, untouched,
        ).error_class
        for a in actions
    ]  # fmt: skip
    for number, action in enumerate(actions):
        # A floor's name passes as such; only those that there are will do.
        floors = [a for a in action.args if a.startswith("floor") and a not in problem.handle_of]
        references = [
            a for a in action.args[4:5] if a not in NO_REFERENCE and a not in problem.handle_of
        ]
        if found[number] == "HALLUCINATION" or floors or references:
            return "HALLUCINATION", number
    for number, error in enumerate(found):
        if error == "ARG_NUMBER":
            return error, number
    return None


def judged(problem: Problem, world: World, error: str, at: int | None, additional: int) -> Outcome:
    """Return the outcome of what was done in a world, which ends with it."""
    verdict = world.verdict()
    count = {True: [0, 0], False: [0, 0]}
    for outcome in verdict.propositions:
        name = problem.evaluation.propositions[outcome.original].function_name
        is_state = PREDICATES[name].state is not None
        count[is_state][0] += outcome.satisfied and outcome.valid
        count[is_state][1] += 1
    missed = []
    if count[True][0] < count[True][1]:
        missed.append("UNSATISFIED_STATE")
    if count[False][0] < count[False][1]:
        missed.append("UNSATISFIED_RELATION")
    return Outcome(
        error, at, additional, bool(verdict.success), verdict.percent_complete or 0.0,
        tuple(missed), *count[True], *count[False],
    )  # fmt: skip
