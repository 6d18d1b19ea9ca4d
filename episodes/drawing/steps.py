"""Steps of a task in the order it asks for, and (after an episode) what became of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from episodes.dataset import Task
from episodes.dataset.vocabulary import SAME_ARG
from episodes.evaluation import (
    DOCUMENTED,
    Surroundings,
    Verdict,
    WorldWhere,
    player_names,
    semantics_named,
    surroundings_of,
)
from episodes.evaluation.account import Expectation, Named
from episodes.evaluation.constraints import AnyConstraint, Temporal, Tie
from episodes.evaluation.expectations import expectation
from episodes.evaluation.final_places import Name
from episodes.evaluation.unrolling import unroll
from episodes.names import Naming, name_things
from episodes.poses import IDENTITY, Pose, Vec3
from episodes.scene import Catalogue, Scene
from episodes.world import ObjectMoved, SupportChanged, WorldState

Status = Literal["open", "done", "void", "missing"]
"""Outcome of a step: not judged (yet); done and counted; done, but not as asked; not done."""


class Step(NamedTuple):
    """A proposition of the task.

    ``number`` counts from 1 in the order in which steps are drawn, ``stage`` from 0 in the
    task's order: steps of the same stage may be done in any order.
    """

    number: int
    stage: int
    expected: Expectation
    status: Status

    @property
    def things(self) -> tuple[Named, ...]:
        """The things that are to be moved or changed."""
        if self.expected.predicate == "is_clustered":
            return tuple(thing for group in self.expected.groups for thing in group)
        return self.expected.groups[0]

    @property
    def beside(self) -> tuple[Named, ...]:
        """The things that something is to be next to, in a relation between things."""
        return self.expected.groups[1] if self.expected.predicate == "is_next_to" else ()

    @property
    def places(self) -> tuple[Named, ...]:
        """The furniture or rooms where things belong."""
        relations = ("is_on_top", "is_inside", "is_in_room")
        return self.expected.groups[1] if self.expected.predicate in relations else ()


class Edge(NamedTuple):
    """Step ``after`` counts only after step ``before``; numbers, not indices."""

    before: int
    after: int
    broken: bool


class Bond(NamedTuple):
    """Steps that have to use the same thing or place, or different ones."""

    same: bool
    numbers: tuple[int, ...]
    about: str
    broken: bool


class TaskSteps(NamedTuple):
    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    bonds: tuple[Bond, ...]

    def stages(self) -> list[list[Step]]:
        """Return the steps by stage, in order."""
        count = max((s.stage for s in self.steps), default=-1) + 1
        return [[s for s in self.steps if s.stage == n] for n in range(count)]

    def number_of(self, index: int) -> int:
        """Return the number of a proposition of the task. Raises KeyError if there is none."""
        for step in self.steps:
            if step.expected.index == index:
                return step.number
        raise KeyError(index)


def start_of(task: Task) -> dict[str, Vec3]:
    """Return where each object of a task begins, by handle."""
    poses = zip(task.name_to_receptacle, task.rigid_objs, strict=True)
    return {handle: (m[0][3], m[1][3], m[2][3]) for handle, (_, m) in poses}


def steps_of(
    task: Task,
    scene: Scene,
    catalogue: Catalogue,
    verdict: Verdict | None = None,
    naming: Naming = "numbers",
) -> TaskSteps:
    """Return the steps of a task and, with a verdict, what became of them.

    Raises EvaluationError for a task that cannot be evaluated, KeyError for a thing that scene
    and catalogue do not know.
    """
    labels = name_things(scene, catalogue, task.name_to_receptacle, naming).labels
    return named_steps(task, surroundings_of(scene, catalogue, labels), verdict)


def named_steps(
    task: Task, surroundings: Surroundings, verdict: Verdict | None = None
) -> TaskSteps:
    """Return `steps_of` with the names of surroundings, for which no house need be read.

    Raises EvaluationError for a task that cannot be evaluated.
    """
    semantics = DOCUMENTED if verdict is None else semantics_named(verdict.semantics)
    unrolled = unroll(
        task.evaluation_propositions,
        task.evaluation_proposition_dependencies,
        task.evaluation_constraints,
        semantics,
    )
    count = len(task.evaluation_propositions)
    original = [p.original for p in unrolled.propositions]
    edges = {
        (original[a], original[b])
        for rule in unrolled.constraints
        if isinstance(rule, Temporal)
        for a, b in rule.edges
    }
    stage = _stages(count, edges)
    order = sorted(range(count), key=lambda i: (stage[i], i))
    numbers = {index: number for number, index in enumerate(order, 1)}
    name = _names(task, surroundings)
    statuses = _statuses(count, verdict)
    steps = tuple(
        Step(
            numbers[i],
            stage[i],
            expectation(i, task.evaluation_propositions[i], name),
            statuses[i],
        )
        for i in order
    )
    times = _first_times(count, verdict)
    shown = tuple(
        Edge(
            numbers[a],
            numbers[b],
            times[b] is not None and (times[a] is None or not times[a] < times[b]),  # type: ignore[operator]
        )
        for a, b in sorted(_without_detours(edges), key=lambda e: (numbers[e[0]], numbers[e[1]]))
    )
    bonds = tuple(_bonds(unrolled.constraints, original, numbers, verdict))
    return TaskSteps(steps, shown, bonds)


def _names(task: Task, surroundings: Surroundings) -> Name:
    world = WorldState({})
    for handle, position in start_of(task).items():
        world.apply(ObjectMoved(handle, Pose(position, IDENTITY)))
        world.apply(SupportChanged(handle, task.name_to_receptacle[handle]))
    return player_names(surroundings, WorldWhere(world, surroundings))


def _stages(count: int, edges: set[tuple[int, int]]) -> list[int]:
    """Return the length of the longest chain of predecessors of each; the edges have no cycle."""
    stage = [0] * count
    for _ in range(count):
        for before, after in edges:
            stage[after] = max(stage[after], stage[before] + 1)
    return stage


def _without_detours(edges: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the edges that do not follow from others."""
    reach = set(edges)
    nodes = {n for edge in edges for n in edge}
    for middle in nodes:
        reach |= {(a, b) for a in nodes for b in nodes
                  if (a, middle) in reach and (middle, b) in reach}  # fmt: skip
    return {(a, b) for a, b in edges if not any((a, m) in reach and (m, b) in reach for m in nodes)}


def _statuses(count: int, verdict: Verdict | None) -> list[Status]:
    """Return the status of each step, from its copies.

    A step is done when all its copies are, and void when one of them does not count.
    """
    if verdict is None or verdict.status != "ok":
        return ["open"] * count
    found: list[Status] = []
    for index in range(count):
        copies = [p for p in verdict.propositions if p.original == index]
        if not all(p.satisfied for p in copies):
            found.append("missing")
        else:
            found.append("done" if all(p.valid for p in copies) else "void")
    return found


def _first_times(count: int, verdict: Verdict | None) -> list[int | None]:
    """Return when each proposition was satisfied in full."""
    times: list[int | None] = [None] * count
    for p in verdict.propositions if verdict is not None else ():
        # Copies come after the propositions they are parts of.
        if p.index < count:
            times[p.index] = p.satisfied_tick if p.satisfied else None
    return times


def _bonds(
    rules: Iterable[AnyConstraint],
    original: list[int],
    numbers: dict[int, int],
    verdict: Verdict | None,
) -> Iterable[Bond]:
    seen: dict[tuple[bool, tuple[int, ...]], Bond] = {}
    for position, rule in enumerate(rules):
        if not isinstance(rule, Tie):
            continue
        members = tuple(sorted({numbers[original[m]] for m in rule.members}))
        broken = False
        if verdict is not None and position < len(verdict.constraints):
            wrong = verdict.constraints[position].invalid
            broken = any(verdict.propositions[i].satisfied for i in wrong)
        names = set(rule.arg_names)
        about = "room" if "room_ids" in names else "place"
        if names & {"object_handles", "entity_handles_a"}:
            about = "thing"
        key = (rule.type == SAME_ARG, members)
        known = seen.get(key)
        seen[key] = Bond(*key, about, broken or (known is not None and known.broken))
    return seen.values()
