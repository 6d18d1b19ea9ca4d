"""The online evaluator against the plain one that evaluates everything at every step."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.dataset import Constraint, Dependency, Proposition
from episodes.evaluation import (
    DOCUMENTED,
    RELEASED,
    EvaluationTask,
    Evaluator,
    Facts,
    FactTable,
    RecordedFacts,
    Semantics,
)
from tests.episodes.evaluation.plain_evaluator import PlainEvaluator

OBJECTS = ("a", "b", "c", "d")
FURNITURE = ("P", "Q", "R")
ROOMS = ("kitchen", "hallway")
STATES = ("is_clean", "is_filled", "is_powered_on")
THINGS = OBJECTS + FURNITURE

names = st.lists(st.sampled_from(OBJECTS), min_size=1, max_size=3)
numbers = st.sampled_from([1, 1, 1, 2, 3])


@st.composite
def propositions(draw: st.DrawFn) -> Proposition:
    kind = draw(st.sampled_from(["place", "place", "room", "floor", "next", "cluster", "state"]))
    number = draw(numbers)
    args: dict[str, Any] = {"number": number}
    if kind == "cluster":
        groups = draw(st.lists(names, min_size=1, max_size=2))
        counts = draw(st.lists(st.integers(1, 2), min_size=len(groups), max_size=len(groups)))
        return Proposition("is_clustered", {"*args": groups, "number": counts})
    if kind == "next":
        args["entity_handles_a"] = draw(names)
        others = [thing for thing in THINGS if thing not in args["entity_handles_a"]]
        args["entity_handles_b"] = draw(st.lists(st.sampled_from(others), min_size=1, max_size=3))
        args["is_same_b"] = draw(st.booleans())
        args["l2_threshold"] = draw(st.sampled_from([0.25, 0.5, 1.0]))
        return Proposition("is_next_to", args)
    args["object_handles"] = draw(names)
    if kind == "floor":
        return Proposition("is_on_floor", args)
    if kind == "state":
        words = ("clean", "dirty", "filled", "empty", "powered_on", "powered_off")
        return Proposition(f"is_{draw(st.sampled_from(words))}", args)
    if kind == "room":
        args["room_ids"] = draw(st.lists(st.sampled_from(ROOMS), min_size=1, max_size=2))
        args["is_same_room"] = draw(st.booleans())
        return Proposition("is_in_room", args)
    args["receptacle_handles"] = draw(st.lists(st.sampled_from(FURNITURE), min_size=1, max_size=3))
    args["is_same_receptacle"] = draw(st.booleans())
    return Proposition(draw(st.sampled_from(["is_on_top", "is_inside"])), args)


@st.composite
def tasks(draw: st.DrawFn) -> EvaluationTask:
    stated = draw(st.lists(propositions(), min_size=1, max_size=4))
    count = len(stated)
    some = st.lists(st.integers(0, count - 1), min_size=1, max_size=2)
    dependencies = draw(
        st.lists(
            st.builds(
                Dependency,
                some,
                some,
                st.sampled_from(
                    ["while_satisfied", "after_satisfied", "after_unsatisfied", "before_satisfied"]
                ),
                st.sampled_from(["all", "any"]),
            ),
            max_size=3,
        )
    )
    constraints: list[Constraint] = []
    edges = draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))))
    forward = [[i, j] for i, j in edges if i < j]
    constraints.append(Constraint("TemporalConstraint", {"dag_edges": forward}))
    if draw(st.booleans()):
        members = draw(some)
        arg_names = [
            next(n for n in stated[m].args if n.endswith(("_handles", "_a")) or n == "*args")
            for m in members
        ]
        starred = any(name == "*args" for name in arg_names)
        if not starred:
            kind = draw(st.sampled_from(["SameArgConstraint", "DifferentArgConstraint"]))
            args = {"proposition_indices": members, "arg_names": arg_names}
            constraints.append(Constraint(kind, args))
    if draw(st.booleans()):
        args = {"proposition_indices": draw(some)}
        constraints.append(Constraint("TerminalSatisfactionConstraint", args))
    return EvaluationTask(stated, dependencies, constraints, {thing: thing for thing in THINGS})


@dataclass(frozen=True)
class World:
    """Facts per thing, so that a change of one thing is a change of what is said of it."""

    above: tuple[frozenset[str], ...]
    within: tuple[frozenset[str], ...]
    room: tuple[frozenset[str], ...]
    floor: tuple[bool, ...]
    place: tuple[float, ...]
    states: tuple[tuple[bool, bool, bool], ...]

    def table(self) -> FactTable:
        def sets(values: tuple[frozenset[str], ...]) -> dict[str, frozenset[str]]:
            return dict(zip(THINGS, values, strict=True))

        return FactTable(
            above=sets(self.above),
            within=sets(self.within),
            room=sets(self.room),
            floor=[t for t, on in zip(THINGS, self.floor, strict=True) if on],
            near={
                (a, b): abs(x - y)
                for a, x in zip(THINGS, self.place, strict=True)
                for b, y in zip(THINGS, self.place, strict=True)
            },
            states={
                name: {t: s[i] for t, s in zip(THINGS, self.states, strict=True)}
                for i, name in enumerate(STATES)
            },
        )


def one_of(values: tuple[str, ...]) -> st.SearchStrategy[frozenset[str]]:
    return st.frozensets(st.sampled_from(values), max_size=2)


FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "above": one_of(FURNITURE),
    "within": one_of(FURNITURE),
    "room": one_of(ROOMS),
    "floor": st.booleans(),
    "place": st.sampled_from([0.0, 0.3, 0.6, 1.0, 3.0]),
    "states": st.tuples(st.booleans(), st.booleans(), st.booleans()),
}


@st.composite
def stories(draw: st.DrawFn) -> list[tuple[World, frozenset[str]]]:
    """Worlds one after another, each with a superset of what changed; some repeat the last."""
    world = World(
        **{
            name: tuple(draw(st.lists(one, min_size=len(THINGS), max_size=len(THINGS))))
            for name, one in FIELDS.items()
        }
    )
    story = [(world, frozenset[str]())]
    for _ in range(draw(st.integers(1, 9))):
        changed = set(draw(st.lists(st.sampled_from(THINGS), max_size=1)))
        for thing in draw(st.lists(st.sampled_from(THINGS), max_size=2)):
            position = THINGS.index(thing)
            name = draw(st.sampled_from([*FIELDS, "place", "place"]))
            values = list(getattr(world, name))
            values[position] = draw(FIELDS[name])
            world = replace(world, **{name: tuple(values)})
            changed.add(thing)
        story.append((world, frozenset(changed)))
    return story


class Counting:
    """Facts that count what they are asked."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.asked = 0

    def __getattr__(self, name: str) -> Any:
        self.asked += 1
        return getattr(self.facts, name)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks(), stories(), st.sampled_from([DOCUMENTED, RELEASED]), st.data())
def test_V3_online_is_offline(
    task: EvaluationTask,
    story: list[tuple[World, frozenset[str]]],
    semantics: Semantics,
    data: st.DataObject,
) -> None:
    """Rows, times, arguments, percent: the same at every step, whatever ticks are left out."""
    online = Evaluator(task, semantics=semantics)
    plain = PlainEvaluator(task, semantics)
    for tick, (world, changed) in enumerate(story):
        facts = world.table()
        plain.step(facts)
        skippable = tick > 0 and not changed and not online.needs_observation
        if not (skippable and data.draw(st.booleans())):
            before = online.row
            changes = online.observe(tick, facts, dict.fromkeys(changed))
            moved = [i for i, (a, b) in enumerate(zip(before, online.row, strict=True)) if a != b]
            assert [change.index for change in changes] == moved
        assert list(online.row) == plain.rows[-1]
        assert list(online.satisfied_at) == plain.satisfied_at
        assert list(online.satisfied_with) == plain.satisfied_with
        assert online.percent_complete == plain.percent()
        verdict = online.verdict()
        assert verdict.percent_complete is not None
        assert 0.0 <= verdict.percent_complete <= 1.0
        assert verdict.success is (verdict.percent_complete == 1.0)
        assert verdict.success is (verdict.explanation == "")
        assert [list(c.valid) for c in verdict.constraints] == plain.matrix()
        if data.draw(st.integers(0, 5)) == 0:
            online = Evaluator(task, semantics=semantics, state=online.state())
            assert online.verdict() == verdict
    plain.step(story[-1][0].table())
    online.finish(len(story) - 1, story[-1][0].table())
    assert list(online.row) == plain.rows[-1]
    assert list(online.satisfied_at) == plain.satisfied_at
    assert online.percent_complete == plain.percent()
    frozen = online.verdict()
    assert frozen.finished
    assert online.observe(1_000, FactTable(), dict.fromkeys(THINGS, "seat")) == ()
    assert online.finish(1_000) == ()
    assert online.verdict() == frozen


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks(), stories(), st.sampled_from([DOCUMENTED, RELEASED]))
def test_a_log_of_answers_gives_the_same_verdict(
    task: EvaluationTask, story: list[tuple[World, frozenset[str]]], semantics: Semantics
) -> None:
    """A session's log (answers about what changed) is enough to evaluate again."""
    online = Evaluator(task, semantics=semantics)
    log: list[tuple[int, dict[str, None], list[tuple[str, tuple[str, ...], float | None]]]] = []
    for tick, (world, changed) in enumerate(story):
        facts = world.table()
        answers = [
            (cell.method, cell.args, None if value == math.inf else value)
            for cell in online.questions
            if tick == 0 or changed & {*cell.names}
            for value in (getattr(facts, cell.method)(*cell.args),)
        ]
        log.append((tick, dict.fromkeys(changed), answers))
        online.observe(tick, facts, dict.fromkeys(changed))
    online.finish(len(story) - 1)

    again, recorded = Evaluator(task, semantics=semantics), RecordedFacts()
    for tick, touched, answers in log:
        for method, args, value in answers:
            recorded.record(method, args, value)
        again.observe(tick, recorded, touched)
    again.finish(len(story) - 1)
    assert again.verdict() == online.verdict()
    assert again.changes == online.changes


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks(), stories())
def test_only_what_changed_is_asked(
    task: EvaluationTask, story: list[tuple[World, frozenset[str]]]
) -> None:
    """Never more questions than the plain evaluator, and none about things that did not change."""
    online, plain = Evaluator(task), PlainEvaluator(task)
    first_online, first_plain = Counting(story[0][0].table()), Counting(story[0][0].table())
    online.observe(0, first_online, {})
    plain.step(first_plain)
    assert first_online.asked <= first_plain.asked
    while online.needs_observation:
        online.observe(online.last_tick + 1, story[0][0].table(), {})
    silent = Counting(story[0][0].table())
    online.observe(1_000, silent, {"nothing of the task": "seat"})
    assert silent.asked == 0
    assert online.observe(1_001, silent, {}) == ()
    assert silent.asked == 0


def test_a_long_episode_keeps_nothing_per_tick() -> None:
    """Ten thousand ticks of a carried object leave only as many changes as there were."""
    proposition = Proposition(
        "is_on_top", {"object_handles": ["a"], "receptacle_handles": ["P"], "number": 1}
    )
    evaluator = Evaluator(EvaluationTask([proposition], class_of={"a": "cup", "P": "table"}))
    facts = FactTable(above={"a": ["Q"]})
    for tick in range(10_000):
        evaluator.observe(tick, facts, {"a": "seat"})
    assert evaluator.changes == []
    state = evaluator.state()
    assert len(state.progress.last) == 1
    assert len(state.movers) == 1


@pytest.mark.parametrize("second", ["is_next_to", "is_inside", "is_clustered"])
def test_the_second_thing_may_be_the_one_that_moves(second: str) -> None:
    """A drawer that opens takes its contents' answers with it, and so on."""
    args: dict[str, dict[str, Any]] = {
        "is_next_to": {"entity_handles_a": ["a"], "entity_handles_b": ["b"]},
        "is_inside": {"object_handles": ["a"], "receptacle_handles": ["b"]},
        "is_clustered": {"*args": [["a"], ["b"]], "number": [1, 1]},
    }
    evaluator = Evaluator(EvaluationTask([Proposition(second, args[second])]))
    evaluator.observe(0, FactTable(), {})
    (change,) = evaluator.observe(
        1, FactTable(within={"a": ["b"]}, near={("a", "b"): 0.1}), {"b": "human"}
    )
    assert change.holds
    assert change.by_seat == "human"


def test_distances_are_compared_with_the_threshold_itself() -> None:
    pair = {"entity_handles_a": ["a"], "entity_handles_b": ["b"], "l2_threshold": 0.5}
    task = EvaluationTask([Proposition("is_next_to", pair)])
    for distance, near in ((0.5, True), (math.nextafter(0.5, 1.0), False), (math.inf, False)):
        evaluator = Evaluator(task)
        evaluator.observe(0, FactTable(near={("a", "b"): distance}), {})
        assert evaluator.row == (near,)
