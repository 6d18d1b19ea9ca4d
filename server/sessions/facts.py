"""The primitive facts that a task asks about, kept up to date at the cost of what changed.

One table holds the answer to every question the evaluator can ask. It is the evaluator's `Facts`
and, as a list of changed answers per tick, what the log keeps: scoring again needs no simulator.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from episodes.evaluation import Cell
from episodes.poses import Vec3, to_world
from episodes.scene import Furniture, Template, part_pose
from episodes.world import WorldState
from server.simulators.contract import Simulator

SLACK_M = 0.02
UPRIGHT = 1e-6
"""The lean (quaternion) from which on furniture is bounded by a ball."""
FLOOR_BAND_M = 0.3
"""The height above every floor from which on nothing is on one; the evaluator allows 0.14."""


class Question(msgspec.Struct, frozen=True, array_like=True):
    """A method of `Facts` and its arguments; a gap is asked as "at most ``threshold``"."""

    method: str
    args: tuple[str, ...]
    threshold: float | None = None


class FactChanged(msgspec.Struct, frozen=True, tag="fact", array_like=True):
    """A new answer to a question. ``problem`` says why there is none (value None)."""

    question: int
    value: bool | None
    problem: str | None = None


def questions_of(cells: Iterable[Cell]) -> tuple[Question, ...]:
    """Return the questions behind an evaluator's cells, each once."""
    found = dict.fromkeys(Question(c.method, c.args, c.threshold) for c in cells)
    return tuple(found)


class FactTable:
    """A table of recorded answers, which implements the evaluator's `Facts`."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = tuple(questions)
        self.values: list[bool | None] = [None] * len(self.questions)
        self.problems: dict[int, str] = {}
        self._index: dict[tuple[str, ...], int] = {}
        self._gaps: dict[tuple[str, str], list[tuple[float, int]]] = {}
        for number, question in enumerate(self.questions):
            if question.method == "gap":
                a, b = question.args
                assert question.threshold is not None
                for pair in ((a, b), (b, a)):
                    self._gaps.setdefault(pair, []).append((question.threshold, number))
            else:
                self._index[question.method, *question.args] = number
        for thresholds in self._gaps.values():
            thresholds.sort()

    def learn(self, changes: Iterable[FactChanged]) -> None:
        """Fold recorded answers."""
        for change in changes:
            self.values[change.question] = change.value
            if change.problem is None:
                self.problems.pop(change.question, None)
            else:
                self.problems[change.question] = change.problem

    def everything(self) -> list[FactChanged]:
        """Return all answers, for a keyframe."""
        return [
            FactChanged(number, value, self.problems.get(number))
            for number, value in enumerate(self.values)
            if value is not None or number in self.problems
        ]

    def _answer(self, number: int) -> bool:
        value = self.values[number]
        if value is None:
            raise LookupError(self.problems.get(number, "never asked"))
        return value

    def is_above(self, a: str, b: str) -> bool:
        return self._answer(self._index["is_above", a, b])

    def is_within(self, a: str, b: str) -> bool:
        return self._answer(self._index["is_within", a, b])

    def in_room(self, a: str, room_id: str) -> bool:
        return self._answer(self._index["in_room", a, room_id])

    def on_floor(self, a: str) -> bool:
        return self._answer(self._index["on_floor", a])

    def gap(self, a: str, b: str) -> float:
        """Return the smallest threshold that was asked for and is kept, else infinity."""
        for threshold, number in self._gaps[a, b]:
            if self._answer(number):
                return threshold
        return math.inf

    def state(self, a: str, name: str) -> bool:
        return self._answer(self._index["state", a, name])


Circle = tuple[float, float, float, float, float]
"""A circle as x, z, radius, lowest and highest y."""


class _Memo(NamedTuple):
    """Results that several questions of one tick share."""

    sets: dict[tuple[str, str], frozenset[str]]
    circles: dict[str, Circle]


class Bounds:
    """Horizontal circles and heights that certainly contain things, to answer "no" for nothing.

    Rays, polygons and boxes are only asked about when circles meet: most of the time a carried
    object is nowhere near anything that its task names.
    """

    def __init__(self, simulator: Simulator, world: WorldState) -> None:
        self._world = world
        self._fixed: dict[str, Circle] = {}
        catalogue = simulator.catalogue
        for furniture in simulator.scene.furniture:
            self._fixed[furniture.handle] = _circle(
                furniture, catalogue.templates[furniture.template]
            )
        self._sizes: dict[str, float] = {}
        for handle in world.objects:
            low, high = catalogue.of_handle(handle).box
            self._sizes[handle] = math.dist(
                (0, 0, 0), [max(-a, b) for a, b in zip(low, high, strict=True)]
            )

    def of(self, entity: str) -> Circle:
        fixed = self._fixed.get(entity)
        if fixed is not None:
            return fixed
        size = self._sizes[entity]
        x, y, z = self._world.pose(entity).position
        return (x, z, size, y - size, y + size)


def _circle(furniture: Furniture, template: Template) -> Circle:
    x, y, z = furniture.pose.position
    radius, low, high, farthest = _extent(template)
    qx, _, qz, _ = furniture.pose.rotation
    if abs(qx) + abs(qz) > UPRIGHT:
        radius, low, high = farthest, -farthest, farthest
    return (x, z, radius + SLACK_M, y + low - SLACK_M, y + high + SLACK_M)


@lru_cache(1024)
def _extent(template: Template) -> tuple[float, float, float, float]:
    """Return how far a template reaches, with its parts at any value.

    Radius about the upright axis, lowest and highest y, and radius about the origin.
    """
    radius, low, high, farthest = 0.0, math.inf, -math.inf, 0.0
    for x, y, z in _corners(template):
        radius = max(radius, math.hypot(x, z))
        low, high = min(low, y), max(high, y)
        farthest = max(farthest, math.hypot(x, y, z))
    return (radius, low, high, farthest)


def _corners(template: Template) -> Iterable[Vec3]:
    boxes = [(None, template.box), *((s.part, s.box) for s in template.solids)]
    for index, (low, high) in boxes:
        corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1])
                   for z in (low[2], high[2])]  # fmt: skip
        yield from corners
        for part in template.parts:
            if part.index == index:
                for share in (0.25, 0.5, 0.75, 1.0):
                    pose = part_pose(part, share * part.open_value)
                    yield from (to_world(pose, corner) for corner in corners)


class LiveFacts(FactTable):
    """The table of a running session: it asks the simulator where an answer may have changed."""

    def __init__(
        self, questions: Sequence[Question], simulator: Simulator, world: WorldState
    ) -> None:
        super().__init__(questions)
        self._simulator = simulator
        self._world = world
        self._bounds = Bounds(simulator, world)
        rooms = {r.room_id: r for r in simulator.scene.rooms}
        self._rooms = {
            name: (
                min(x for x, _ in room.polygon), max(x for x, _ in room.polygon),
                min(z for _, z in room.polygon), max(z for _, z in room.polygon),
            )
            for name, room in rooms.items()
        }  # fmt: skip
        self._highest_floor = max((r.floor_y for r in simulator.scene.rooms), default=0.0)
        self._things = frozenset(world.objects) | {f.handle for f in simulator.scene.furniture}
        self._about: dict[str, list[int]] = {}
        for number, question in enumerate(self.questions):
            names = question.args[:1] if question.method in ("state", "in_room") else question.args
            for name in dict.fromkeys(names):
                self._about.setdefault(name, []).append(number)

    def refresh(self, changed: Iterable[str]) -> list[FactChanged]:
        """Ask again what names a changed thing; return the answers that are different."""
        about = self._about
        asked: set[int] = set()
        for handle in changed:
            asked.update(about.get(handle, ()))
        return self._ask(sorted(asked)) if asked else []

    def ask_all(self) -> list[FactChanged]:
        """Ask every question, as at the start; return the answers that are different."""
        return self._ask(range(len(self.questions)))

    def _ask(self, numbers: Iterable[int]) -> list[FactChanged]:
        found: list[FactChanged] = []
        memo = _Memo({}, {})
        values, problems = self.values, self.problems
        for number in numbers:
            problem: str | None = None
            value: bool | None
            try:
                value = self._look(self.questions[number], memo)
            except Exception as error:
                # One bad question must not end the session: the evaluator reports it when asked.
                value, problem = None, f"{type(error).__name__}: {error}"
            if value is not values[number] or problem != problems.get(number):
                found.append(FactChanged(number, value, problem))
        self.learn(found)
        return found

    def _circle_of(self, entity: str, memo: _Memo) -> Circle:
        circle = memo.circles.get(entity)
        if circle is None:
            circle = memo.circles[entity] = self._bounds.of(entity)
        return circle

    def _look(self, question: Question, memo: _Memo) -> bool:
        method, args = question.method, question.args
        a = args[0]
        if a not in self._things:
            raise LookupError(f"the scene has no {a!r}")
        if method == "state":
            try:
                return self._world.states[a, args[1]]
            except KeyError:
                raise LookupError(f"{a!r} cannot have the state {args[1]!r}") from None
        x, z, radius, low, high = self._circle_of(a, memo)
        if method == "in_room":
            if args[1] not in self._rooms:
                raise LookupError(f"the scene has no room {args[1]!r}")
            x0, x1, z0, z1 = self._rooms[args[1]]
            if x + radius < x0 or x - radius > x1 or z + radius < z0 or z - radius > z1:
                return False
            return self._simulator.in_room(a, args[1])
        if method == "on_floor":
            if a in self._world.objects and low > self._highest_floor + FLOOR_BAND_M:
                return False
            return self._simulator.on_floor(a)
        b = args[1]
        if b not in self._things:
            raise LookupError(f"the scene has no {b!r}")
        bx, bz, b_radius, b_low, b_high = self._circle_of(b, memo)
        apart = math.hypot(bx - x, bz - z) - radius - b_radius
        if method == "gap":
            assert question.threshold is not None
            if apart > question.threshold:
                return False
            return self._simulator.gap(a, b) <= question.threshold
        if apart > 0.0 or b_low > high:
            return False
        if method == "is_within" and low > b_high:
            return False
        found = memo.sets.get((method, a))
        if found is None:
            ask = self._simulator.above if method == "is_above" else self._simulator.within
            found = memo.sets[method, a] = ask(a)
        return b in found
