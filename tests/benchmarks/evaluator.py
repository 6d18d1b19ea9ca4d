"""The cost of the evaluator.

    python tests/benchmarks/evaluator.py

A task of five propositions in a house of 350 things; facts are answered from tables, so that the
numbers are the evaluator's own. Prints microseconds per observed tick, medians over batches, the
cost of our explanation, and bytes per evaluator.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from episodes.dataset import Constraint, Dependency, Proposition
from episodes.evaluation import EvaluationTask, Evaluator, Place, explain

sys.path.append(str(Path(__file__).parents[2]))

from tests.episodes.evaluation.plain_evaluator import PlainEvaluator

FURNITURE = [f"furniture_{i}_:0000" for i in range(100)]
OBJECTS = [f"object_{i}_:0000" for i in range(250)]
TABLES = FURNITURE[:3]


class House:
    """Facts of a house, answered by dictionary; moving an object changes what it stands on."""

    def __init__(self) -> None:
        self.support = {name: FURNITURE[i % 100] for i, name in enumerate(OBJECTS)}
        self.asked = 0

    def is_above(self, a: str, b: str) -> bool:
        self.asked += 1
        return self.support[a] == b

    def is_within(self, a: str, b: str) -> bool:
        self.asked += 1
        return False

    def in_room(self, a: str, room_id: str) -> bool:
        self.asked += 1
        return room_id == "kitchen"

    def on_floor(self, a: str) -> bool:
        self.asked += 1
        return False

    def gap(self, a: str, b: str) -> float:
        self.asked += 1
        return 0.1 if self.support.get(a) == self.support.get(b) else 3.0

    def state(self, a: str, name: str) -> bool:
        self.asked += 1
        return False


def task() -> EvaluationTask:
    cups, plate, lamp = OBJECTS[:3], OBJECTS[3], OBJECTS[4]
    return EvaluationTask(
        propositions=(
            Proposition(
                "is_on_top", {"object_handles": cups, "receptacle_handles": TABLES, "number": 3}
            ),
            Proposition(
                "is_inside", {"object_handles": [plate], "receptacle_handles": [FURNITURE[9]]}
            ),
            Proposition("is_in_room", {"object_handles": [cups[0]], "room_ids": ["kitchen"]}),
            Proposition(
                "is_next_to", {"entity_handles_a": [cups[0]], "entity_handles_b": [plate, lamp]}
            ),
            Proposition("is_clean", {"object_handles": [cups[0]]}),
        ),
        dependencies=(Dependency([3], [0, 2], "while_satisfied", "any"),),
        constraints=(
            Constraint("TemporalConstraint", {"dag_edges": [[4, 0]], "n_propositions": 5}),
            Constraint(
                "TerminalSatisfactionConstraint",
                {"proposition_indices": [0, 1, 2, 3, 4], "n_propositions": 5},
            ),
        ),
    )


def microseconds(actions: list[Callable[[], object]], times: int, batches: int) -> list[float]:
    """Return the median CPU time of each action, in microseconds.

    Batches of the actions are taken in turn, because other programs on the machine slow all of them
    alike.
    """
    found: list[list[float]] = [[] for _ in actions]
    for _ in range(batches):
        for action, spent in zip(actions, found, strict=True):
            begun = time.thread_time()
            for _ in range(times):
                action()
            spent.append((time.thread_time() - begun) / times * 1e6)
    return [statistics.median(spent) for spent in found]


class Walk:
    """A cup carried about: every tick it has moved, every tenth it is above another table."""

    def __init__(self, ticks: int) -> None:
        self.house = House()
        self.evaluator = Evaluator(task())
        self.evaluator.observe(0, self.house, {})
        self.tick = 0
        for _ in range(ticks):
            self()

    def __call__(self) -> object:
        self.tick += 1
        if self.tick % 10 == 0:
            self.house.support[OBJECTS[0]] = FURNITURE[self.tick // 10 % 100]
        return self.evaluator.observe(self.tick, self.house, {OBJECTS[0]: "seat_human"})


def trace(step: Callable[[int, House, dict[str, str | None]], object], ticks: int) -> float:
    """CPU microseconds per tick of an episode in which a cup is carried a third of the time."""
    house = House()
    begun = time.thread_time()
    for tick in range(ticks):
        carried = tick % 90 < 30
        if carried:
            house.support[OBJECTS[0]] = FURNITURE[tick // 10 % 100]
        step(tick, house, {OBJECTS[0]: "seat_human"} if carried else {})
    return (time.thread_time() - begun) / ticks * 1e6


SESSIONS = 50


def kilobytes(ticks: int) -> float:
    """Memory of one evaluator (its task is shared) after so many ticks in which a cup moved."""
    shared = task()
    house = House()
    Evaluator(shared).observe(0, house, {})
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = []
    for _ in range(SESSIONS):
        evaluator = Evaluator(shared)
        evaluator.observe(0, house, {})
        for tick in range(1, ticks + 1):
            if tick % 10 == 0:
                house.support[OBJECTS[0]] = FURNITURE[tick // 10 % 100]
            evaluator.observe(tick, house, {OBJECTS[0]: "seat_human"})
        kept.append(evaluator)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(kept) / 1024


class Elsewhere:
    """Places of things, for explanations: everything is on the first table, in the kitchen."""

    def place(self, thing: str) -> Place | None:
        return Place("on", TABLES[0]) if thing in OBJECTS else None

    def room(self, thing: str) -> str | None:
        return "kitchen"

    def holder(self, thing: str) -> str | None:
        return None

    def states(self, thing: str) -> dict[str, bool]:
        return {"is_clean": False}


def main() -> None:
    online, plain = Evaluator(task()), PlainEvaluator(task())
    ours = trace(online.observe, 3_000)

    def step_plainly(_tick: int, house: House, _changed: dict[str, str | None]) -> float:
        plain.step(house)
        return plain.percent()

    theirs = trace(step_plainly, 3_000)
    early, late = microseconds([Walk(100), Walk(20_000)], 100, 31)
    walk = Walk(50)
    evaluator, house = walk.evaluator, walk.house
    while evaluator.needs_observation:
        walk.tick += 1
        evaluator.observe(walk.tick, house, {})
    nothing: dict[str, str | None] = {}
    unrelated: dict[str, str | None] = {OBJECTS[200]: "seat_human", "seat_robot": None}
    ticks = itertools.count(walk.tick + 1)
    quiet, other, empty = microseconds(
        [
            lambda: evaluator.observe(next(ticks), house, nothing),
            lambda: evaluator.observe(next(ticks), house, unrelated),
            lambda: next(ticks),
        ],
        5_000,
        31,
    )
    failed = evaluator.verdict()
    verdict, explaining = microseconds(
        [evaluator.verdict, lambda: explain(failed, evaluator.task, Elsewhere(), str)], 50, 31
    )
    house.asked = 0
    walk.tick = next(ticks)
    walk()
    print(f"quiet tick                             {quiet - empty:8.3f} us")
    print(f"tick in which only other things moved  {other - empty:8.3f} us")
    print(f"one task object moved, from tick 100   {early:8.3f} us  ({house.asked} questions)")
    print(
        f"one task object moved, from 20,000     {late:8.3f} us  ({late / early:.2f} of the first)"
    )
    print(f"whole trace of 3,000 ticks, per tick   {ours:8.3f} us")
    print(f"the same, everything at every step     {theirs:8.3f} us  ({theirs / ours:.0f} times)")
    print(f"verdict                                {verdict:8.3f} us")
    print(f"our explanation of a failure           {explaining:8.3f} us")
    print(f"memory per evaluator, at the start     {kilobytes(0):8.1f} kB")
    print(f"the same, after 5,000 ticks of moving  {kilobytes(5_000):8.1f} kB")


if __name__ == "__main__":
    main()
