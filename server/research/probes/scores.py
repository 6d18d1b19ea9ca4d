"""Scores of answers, and the table of a probing: F1s, rates and errors, with intervals over tasks.

Sections 2 and 3 of the notes on EAI.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from episodes.metrics import Interval
from episodes.metrics.intervals import bootstrap, clopper_pearson
from server.research.probes.answers import (
    Actions,
    AnswerError,
    Goals,
    Operator,
    Operators,
    Probe,
    Subgoals,
    read,
)
from server.research.probes.interpretation import Counts, Interpreted, interpret
from server.research.probes.operator_search import is_sound, planned, search
from server.research.probes.operators import OPERATORS, PARAMETERS, compare, usable_of
from server.research.probes.problem import Problem
from server.research.probes.question_runner import Answer
from server.research.probes.sensitivity import categories_of, is_solved_with, operators_used
from server.research.probes.subgoal_refinement import judge
from server.research.probes.symbolic_replay import Outcome, World, judged, replay

FATAL = (
    "PARSING",
    "HALLUCINATION",
    "ARG_NUMBER",
    "AFFORDANCE",
    "MISSING_STEP",
    "WRONG_ORDER",
)
"""Errors that stop a plan.

A plan has one of these, or could be carried out: the shares sum to one.
"""
PLANS: Final = "planner finds a plan"


class Figure(NamedTuple):
    """A line of the table.

    ``interval`` has tasks as units: exact for rates, else a bootstrap, None with too few of
    them.
    """

    probe: Probe | Literal["all"]
    name: str
    value: float
    interval: Interval | None
    tasks: int


def figures(answers: Iterable[Answer], problems: Mapping[str, Problem]) -> list[Figure]:
    """Return the figures of all answers that came (not those of failed calls), probe by probe."""
    by_probe: dict[Probe, list[Answer]] = {}
    for answer in answers:
        by_probe.setdefault(answer.probe, []).append(answer)
    found: list[Figure] = []
    for probe, mine in by_probe.items():
        if probe == "goals":
            found += _goals([_interpreted(a, problems[a.task_id]) for a in mine])
        elif probe == "operators":
            found += _operators(mine, problems)
        else:
            found += _plans(probe, [outcome_of(a, problems[a.task_id]) for a in mine])
    return found + _average(found)


def outcome_of(answer: Answer, problem: Problem) -> Outcome:
    """Return the outcome of an answer with subgoals or actions."""
    try:
        if answer.probe == "subgoals":
            return judge(problem, read(answer.text, Subgoals))
        return replay(problem, read(answer.text, Actions).as_actions())
    except AnswerError:
        return judged(problem, World(problem), "PARSING", None, 0)


def _interpreted(answer: Answer, problem: Problem) -> tuple[Interpreted, bool]:
    try:
        return interpret(problem, read(answer.text, Goals).goals), True
    except AnswerError:
        return interpret(problem, None), False


def _goals(scored: Sequence[tuple[Interpreted, bool]]) -> list[Figure]:
    one = [interpreted for interpreted, _ in scored]
    found = []
    classes = {
        "states": [i.states for i in one],
        "relations": [i.relations for i in one],
        "all": [i.overall for i in one],
    }
    for name, counts in classes.items():
        if any(sum(c) for c in counts):
            found += _scores("goals", name, counts)
    hallucinated = [i.unknown_predicates + i.unknown_things for i in one]
    strict = [
        Counts(i.overall.right, i.overall.wrong + unknown, i.overall.missed)
        for i, unknown in zip(one, hallucinated, strict=True)
    ]
    found.append(_micro("goals", "F1, hallucinations counted as wrong", strict))
    for name, numbers in (
        ("unknown predicates", [i.unknown_predicates for i in one]),
        ("unknown things", [i.unknown_things for i in one]),
    ):
        found.append(_share("goals", name, numbers, [i.predicted for i in one]))
    found.append(_rate("goals", "not readable", [not readable for _, readable in scored]))
    return found


def _plans(probe: Probe, outcomes: Sequence[Outcome]) -> list[Figure]:
    found = [
        _rate(probe, "executable", [o.executable for o in outcomes]),
        _rate(probe, "goals reached", [o.success for o in outcomes]),
        _mean(probe, "percent complete", [o.percent for o in outcomes]),
    ]
    for name, right, whole in (
        ("state goals", [o.satisfied_states for o in outcomes], [o.states for o in outcomes]),
        (
            "relation goals",
            [o.satisfied_relations for o in outcomes],
            [o.relations for o in outcomes],
        ),
    ):
        if any(whole):
            found.append(_share(probe, name, right, whole))
    found += [_rate(probe, name, [o.error == name for o in outcomes]) for name in FATAL]
    found.append(_rate(probe, "ADDITIONAL_STEP", [o.additional > 0 for o in outcomes]))
    missed = [o for o in outcomes if o.executable]
    if missed:
        for name in ("UNSATISFIED_STATE", "UNSATISFIED_RELATION"):
            found.append(_rate(probe, name, [name in o.unsatisfied for o in missed]))
    return found


def _operators(answers: Sequence[Answer], problems: Mapping[str, Problem]) -> list[Figure]:
    tasks = {answer.task_id: planned(problems[answer.task_id]) for answer in answers}
    said = {answer.task_id: _said(answer) for answer in answers}
    agreed = [compare(mine) for mine in said.values()]
    plans = {t: search(usable_of(mine or ()), tasks[t]) for t, mine in said.items()}
    solved = {t: plan is not None for t, plan in plans.items()}
    sound = [
        plan is not None and is_sound(plan, tasks[task], OPERATORS) for task, plan in plans.items()
    ]
    found = [
        _micro("operators", f"F1 {category}", [a.by_category[category] for a in agreed])
        for category in agreed[0].by_category
    ]
    found += _scores("operators", "all", [a.overall for a in agreed])
    found.append(_rate("operators", PLANS, list(solved.values())))
    found.append(_rate("operators", "and the plan is sound", sound))
    used = {task: operators_used(there) for task, there in tasks.items()}
    kinds = categories_of(used)
    for category in agreed[0].by_category:
        hits = [solved[task] for task, mine in kinds.items() if category in mine]
        if hits:
            found.append(_rate("operators", f"plan found: {category}", hits))
    for name in PARAMETERS:
        hits = [
            is_solved_with(tasks[task], said[task] or (), name)
            for task, mine in used.items()
            if name in mine
        ]
        if hits:
            found.append(_rate("operators", f"plan found with its {name} only", hits))
    found.append(
        _share(
            "operators", "unknown names", [a.unknown for a in agreed], [a.predicted for a in agreed]
        )
    )
    found.append(_rate("operators", "not readable", [mine is None for mine in said.values()]))
    return found


def _said(answer: Answer) -> tuple[Operator, ...] | None:
    """Return the operators of an answer; None if it cannot be read."""
    try:
        return read(answer.text, Operators).operators
    except AnswerError:
        return None


def _average(found: Sequence[Figure]) -> list[Figure]:
    """Return EAI's one figure for a model, where all four probes were answered."""
    value = {(figure.probe, figure.name): figure.value for figure in found}
    parts = [
        value.get(key)
        for key in (
            ("goals", "F1 all"),
            ("actions", "goals reached"),
            ("subgoals", "goals reached"),
            ("operators", "F1 all"),
            ("operators", PLANS),
        )
    ]
    if None in parts:
        return []
    goals, actions, subgoals, agreement, plans = (part or 0.0 for part in parts)
    mean = (goals + actions + subgoals + (agreement + plans) / 2) / 4
    tasks = max(figure.tasks for figure in found)
    return [Figure("all", "average of the four", mean, None, tasks)]


# One figure each. Sums over tasks are EAI's (micro averages); what is drawn again is tasks.


def _scores(probe: Probe, name: str, counts: Sequence[Counts]) -> list[Figure]:
    total = sum(counts, Counts())
    return [
        Figure(probe, f"precision {name}", total.precision, None, len(counts)),
        Figure(probe, f"recall {name}", total.recall, None, len(counts)),
        _micro(probe, f"F1 {name}", counts),
    ]


def _micro(probe: Probe, name: str, counts: Sequence[Counts]) -> Figure:
    """Return the F1 of the sums; its interval is that of the tasks' mean F1, moved to it."""
    total = sum(counts, Counts())
    own = [c.f1 for c in counts if sum(c)]
    return Figure(probe, name, total.f1, _around(total.f1, own), len(counts))


def _share(probe: Probe, name: str, parts: Sequence[int], wholes: Sequence[int]) -> Figure:
    value = sum(parts) / sum(wholes) if sum(wholes) else 0.0
    own = [part / whole for part, whole in zip(parts, wholes, strict=True) if whole]
    return Figure(probe, name, value, _around(value, own), len(parts))


def _around(value: float, own: Sequence[float]) -> Interval | None:
    interval = bootstrap(own) if own else None
    if interval is None:
        return None
    moved = value - math.fsum(own) / len(own)
    return Interval(max(0.0, interval.low + moved), min(1.0, interval.high + moved))


def _mean(probe: Probe, name: str, values: Sequence[float]) -> Figure:
    mean = math.fsum(values) / len(values)
    return Figure(probe, name, mean, bootstrap(values, low=0.0, high=1.0), len(values))


def _rate(probe: Probe, name: str, hits: Sequence[bool]) -> Figure:
    count = sum(hits)
    return Figure(probe, name, count / len(hits), clopper_pearson(count, len(hits)), len(hits))
