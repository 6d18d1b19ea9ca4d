"""Violations: ways to fail a task on purpose, and what its explanation then has to say.

The expert is given the goals of a task that was turned round (its order reversed, "the same" made
"different", the last goal taken away) and plays them in the task as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import msgspec

from episodes.dataset import Constraint, Task
from episodes.dataset.vocabulary import DIFFERENT_ARG, SAME_ARG, TEMPORAL, TERMINAL
from episodes.evaluation import Verdict
from episodes.evaluation.automatic_dependencies import automatic_dependencies, groups_of
from episodes.rules import TargetVerb
from server.robots.baselines.expert import Expert
from server.robots.baselines.expert.agenda import Agenda
from server.robots.baselines.scripted_player import Change, Put, Step, Take, do
from server.sessions.core import SessionCore
from server.sessions.intents import Finish
from server.sessions.surfaces import Surface
from server.skills.body import Body, Script, SkillError

Way = Literal["order", "tie", "undone", "left_out"]


class Violation(NamedTuple):
    """A way to fail: what is broken, and the goals that break it (of which task)."""

    way: Way
    misread: Task


def violations(task: Task) -> Iterator[Violation]:
    """Yield ways to fail a task, the one that breaks most of what is special about it first."""
    order = _turned_round(task)
    if order is not None:
        yield Violation("order", order)
    tie = _untied(task)
    if tie is not None:
        yield Violation("tie", tie)
    yield Violation("undone", task)
    shorter = _left_out(task)
    if shorter is not None:
        yield Violation("left_out", shorter)


def _with_constraints(task: Task, constraints: list[Constraint]) -> Task:
    return msgspec.structs.replace(
        task,
        evaluation_constraints=constraints,
        evaluation_proposition_dependencies=automatic_dependencies(
            task.evaluation_propositions, constraints
        ),
    )


def _turned_round(task: Task) -> Task | None:
    """Reverse the groups of the temporal constraint; None without an order."""
    if not any(c.args.get("dag_edges") for c in task.evaluation_constraints):
        return None
    groups = groups_of(len(task.evaluation_propositions), task.evaluation_constraints)
    groups.reverse()
    edges = [
        [before, after]
        for earlier, later in pairwise(groups)
        for before in earlier
        for after in later
    ]
    kept = [c for c in task.evaluation_constraints if c.type not in (TEMPORAL, TERMINAL)]
    return _with_constraints(task, [Constraint(TEMPORAL, {"dag_edges": edges}), *kept])


def _untied(task: Task) -> Task | None:
    """Turn ties into their opposites; None without ties."""
    opposite = {SAME_ARG: DIFFERENT_ARG, DIFFERENT_ARG: SAME_ARG}
    if not any(c.type in opposite for c in task.evaluation_constraints):
        return None
    turned = [
        Constraint(opposite.get(c.type, c.type), c.args)
        for c in task.evaluation_constraints
        if c.type != TERMINAL
    ]
    return _with_constraints(task, turned)


def _left_out(task: Task) -> Task | None:
    """Leave out the last proposition that none depends on; None where there is only one."""
    count = len(task.evaluation_propositions)
    if count < 2:
        return None
    last = count - 1
    kept: list[Constraint] = []
    for constraint in task.evaluation_constraints:
        args = dict(constraint.args)
        if constraint.type == TEMPORAL:
            edges = [e for e in args["dag_edges"] if last not in e]
            kept.append(Constraint(TEMPORAL, {"dag_edges": edges}))
        elif constraint.type != TERMINAL and last not in args["proposition_indices"]:
            kept.append(Constraint(constraint.type, {**args, "n_propositions": last}))
    shorter = msgspec.structs.replace(
        task, evaluation_propositions=task.evaluation_propositions[:last]
    )
    return _with_constraints(shorter, kept)


def explains(way: Way, task: Task, verdict: Verdict) -> bool:
    """Tell whether the explanation of a verdict says what was broken."""
    found = verdict.explanation_structure
    missing = found.category == "missing_steps"
    if way == "left_out":
        last = len(task.evaluation_propositions) - 1
        originals = {p.index: p.original for p in verdict.propositions}
        return missing and any(originals[i] == last for i in found.items)
    if missing:
        # What was to be moved on later never got there: PARTNR then reports only that.
        relations = {d.relation_type for d in task.evaluation_proposition_dependencies}
        return way == "order" and "after_satisfied" in relations
    types = {s.type for s in found.sections}
    wanted = {"order": {TEMPORAL}, "tie": {SAME_ARG, DIFFERENT_ARG}, "undone": {TERMINAL}}[way]
    return bool(types & wanted)


def violator(violation: Violation, seat: str, misread: SessionCore) -> Expert:
    """Return a player for one person alone that fails the task in this way.

    ``misread`` has loaded `Violation.misread`. Raises UnsolvableError.
    """
    agenda = Agenda([seat])
    agenda.prepare(misread)
    return _Undoer(seat, agenda) if violation.way == "undone" else Expert(seat, agenda)


class CannotUndoError(SkillError):
    """Error for want of anything done that can be undone."""


class _Undoer(Expert):
    """A player that does everything, then undoes one lasting thing."""

    def script(self, body: Body) -> Script:
        for intents in super().script(body):
            if any(isinstance(i, Finish) for i in intents):
                break
            yield intents
        failure: SkillError = CannotUndoError("nothing that was done can be undone")
        for steps in _undoing(body.core):
            try:
                for step in steps:
                    yield from do(body, step)
            except SkillError as error:
                failure = error
                continue
            yield [Finish()]
            return
        raise failure


def _undoing(core: SessionCore) -> Iterator[list[Step]]:
    """Yield steps that undo something that has to last, one try after the other."""
    lasting = {
        i
        for c in core.task.evaluation_constraints
        if c.type == TERMINAL
        for i in c.args["proposition_indices"]
    }
    switched: dict[str, TargetVerb] = {"is_powered_on": "power_off", "is_powered_off": "power_on"}
    for index in sorted(lasting):
        proposition = core.task.evaluation_propositions[index]
        args = proposition.args
        things = args.get("object_handles", ())
        if not things or len(things) != int(args.get("number", 1)):
            # Which of several was used is not said.
            continue
        thing = things[0]
        verb = switched.get(proposition.function_name)
        if verb is not None:
            yield [Change(verb, thing)]
        if proposition.function_name in ("is_on_top", "is_inside", "is_in_room"):
            for furniture in _elsewhere(core, thing, args):
                yield [Take(thing), Put(furniture, "on")]


def _is_handy(surface: Surface) -> bool:
    """Tell whether one puts things on a surface without a thought."""
    r = surface.receptacle
    return r.kind == "on" and 0.3 < r.center[1] < 1.2 and min(r.half_x, r.half_z) > 0.12


def _elsewhere(core: SessionCore, thing: str, args: dict[str, Any]) -> list[str]:
    """Return furniture in other rooms than where a thing has to be, the nearest few."""
    scene = core.simulator.scene
    rooms = {f.handle: f.room_id for f in scene.furniture}
    wanted = {rooms[h] for h in args.get("receptacle_handles", ())} | set(args.get("room_ids", ()))
    here = core.view.pose(thing).position
    others = [
        h
        for h, surfaces in core.surfaces.of.items()
        if rooms[h] not in wanted and any(_is_handy(s) for s in surfaces)
    ]
    others.sort(key=lambda h: (core.view.distance_from(here, h), h))
    return others[:4]
