"""Plan of a task in its house: where things are, where they belong, in which order.

After an episode the same picture says what was reached: marks take the shape of their outcome, and
a thing that should be elsewhere is shown where it was left.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from episodes.dataset import Task
from episodes.drawing import colours as c
from episodes.drawing import marks
from episodes.drawing.free_space import Area, FreeSpace, beside
from episodes.drawing.plan import Plan, Spot
from episodes.drawing.steps import Step, TaskSteps, start_of
from episodes.drawing.svg import element, lines_of_text, number, points, title
from episodes.evaluation import Verdict
from episodes.evaluation.account import Situation
from episodes.names import noun_of
from episodes.poses import Vec3
from episodes.seat_names import look_of
from episodes.seats import Seat
from episodes.world import AgentPose

FEW = 4
"""Number of places of a step up to which all are outlined; of more, only the one with the arrow."""
MOVED_M = 0.3
"""Distance (m) from its start below which a thing counts as still there."""
WORDS = 0.86
"""Height of the names of things, as a share of that of the names of rooms."""
BODY_LABEL = 0.8
"""Height of the labels of bodies, as the same share."""


class TaskPlan:
    """A task drawn on the plan of its house."""

    def __init__(
        self,
        plan: Plan,
        task: Task,
        steps: TaskSteps,
        verdict: Verdict | None = None,
        finals: Mapping[str, Vec3] = MappingProxyType({}),
        bodies: Mapping[str, AgentPose] | None = None,
        labels: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Lay the task out.

        ``finals`` says where things are at the end (m), where known, and ``bodies`` where those
        who played began, by seat; without them the task's own starts are drawn. ``labels`` are
        those of the seats of a team.
        """
        self.plan = plan
        self.steps = steps
        self.size = plan.text
        self._starts = {handle: plan.at((x, z)) for handle, (x, _, z) in start_of(task).items()}
        self._labels = labels
        self._bodies = _task_starts(task) if bodies is None else bodies
        self._verdict = verdict
        self._finals = {handle: plan.at((x, z)) for handle, (x, _, z) in finals.items()}
        self._badges: dict[str, list[Step]] = defaultdict(list)
        self._goals: dict[tuple[int, str], str] = {}
        """The place that each arrow leads to, by number of a step and thing."""
        self._spots: dict[tuple[int, str], Spot] = {}
        self._sort_steps()

    def draw(self) -> str:
        """Draw all layers, from the house to the words."""
        plan = self.plan
        free = FreeSpace(Area(0, 0, plan.width, plan.height))
        for handle in plan.furniture:
            free.prefer_free(Area.of(plan.outline(handle)))
        self._place_badges()
        layers = [plan.house(), *self._outlines(), *self._clutter()]
        named = [*self._named_spots(), *self._left()]
        r = marks.badge_radius(self.size)
        for at in self._spots.values():
            free.take(Area.around(*at, 2 * r, 2 * r))
        for at, _, _ in named:
            free.take(Area.around(*at, self.size, self.size))
        bodies, labels = self._bodies_at_start(free)
        words = [self._word(at, name, colour, free) for at, name, colour in named]
        layers += [*bodies, *self._arrows(), plan.room_names(free)]
        layers += [marks.spot(self._starts[h], self.size) for h in self._things()]
        layers += [marks.left_at(at, self.size) for at, _, _ in self._left()]
        layers += [
            marks.badge(at, str(number_), self.size, self._step(number_).status)
            for (number_, _), at in self._spots.items()
        ]
        return "".join([*layers, *labels, *words])

    def _step(self, number_: int) -> Step:
        return self.steps.steps[number_ - 1]

    def _things(self) -> list[str]:
        """Return the objects that the steps name, in their order."""
        named = [t.handle for s in self.steps.steps for t in (*s.things, *s.beside)]
        return [h for h in dict.fromkeys(named) if h in self._starts]

    def _sort_steps(self) -> None:
        """Decide at which place each step has its badge."""
        home: dict[str, tuple[str, int]] = {}
        for step in self.steps.steps:
            for thing in step.things if step.places else ():
                place = self._nearest(thing.handle, [p.handle for p in step.places])
                if place is None:
                    continue
                self._goals[step.number, thing.handle] = place
                home.setdefault(thing.handle, (place, step.stage))
                if step not in self._badges[place]:
                    self._badges[place].append(step)
        for step in self.steps.steps:
            if not step.places and step.things:
                self._badges[self._anchor(step, home)].append(step)

    @staticmethod
    def _anchor(step: Step, home: dict[str, tuple[str, int]]) -> str:
        """Return where a step without a place is shown.

        That is where its things belong by then, else where they begin. What only has to be
        clean or full is shown where it begins, unless it has to be moved before.
        """
        anchors = [t.handle for t in (*step.things, *step.beside)]
        for handle in anchors:
            place, stage = home.get(handle, ("", 0))
            if place and (step.beside or stage < step.stage):
                return place
        return anchors[0]

    def _nearest(self, thing: str, places: list[str]) -> str | None:
        start = self._starts.get(thing)
        known = {p: at for p in places if (at := self.plan.middle_of(p)) is not None}
        if not known:
            return None
        if start is None:
            return next(iter(known))
        return min(known, key=lambda p: math.dist(start, known[p]))

    def _place_badges(self) -> None:
        """Put the badges of one place in a row along it."""
        step_px = 2.15 * marks.badge_radius(self.size)
        for place, steps in self._badges.items():
            middle = self.plan.middle_of(place)
            if middle is None:
                x, y = self._starts.get(place, (0.0, 0.0))
                middle = (x, y - step_px * 0.8)
                along = (1.0, 0.0)
            else:
                area = Area.of(self.plan.outline(place))
                wide = area.x1 - area.x0 >= area.y1 - area.y0
                along = (1.0, 0.0) if wide else (0.0, 1.0)
                if place in self.plan.rooms:
                    # The badges stand beside the name of the room, which is in its middle.
                    middle = (middle[0], middle[1] + 1.6 * step_px)
            for n, step in enumerate(steps):
                off = (n - (len(steps) - 1) / 2) * step_px
                at = (middle[0] + along[0] * off, middle[1] + along[1] * off)
                self._spots[step.number, place] = at

    def _outlines(self) -> Iterable[str]:
        """Outline the places where things belong, dashed where they are one choice of several."""
        for place, steps in self._badges.items():
            if self.plan.middle_of(place) is not None:
                yield self._outline(place, steps[0], chosen=True)
        for step in self.steps.steps:
            if len(step.places) > FEW:
                continue
            for choice in step.places:
                if choice.handle not in self._badges and self.plan.middle_of(choice.handle):
                    yield self._outline(choice.handle, step, chosen=False)

    def _outline(self, place: str, step: Step, *, chosen: bool) -> str:
        ink = marks.INKS[step.status]
        width = self.size * 0.2
        return element(
            "polygon",
            title(self.plan.labels[place]),
            class_=f"place place-{step.status}",
            points=points(self.plan.outline(place)),
            fill=ink.soft,
            fill_opacity=0.55,
            stroke=ink.colour,
            stroke_width=width,
            stroke_linejoin="round",
            stroke_dasharray=None if chosen else f"{number(width * 2)} {number(width * 1.6)}",
        )

    def _arrows(self) -> Iterable[str]:
        r = marks.badge_radius(self.size) * 1.15
        for (number_, thing), place in self._goals.items():
            start = self._starts.get(thing)
            if start is not None:
                end = self._spots[number_, place]
                yield marks.arrow(start, end, self.size, self._step(number_).status, r)

    def _called(self, handle: str) -> str:
        """Return what is written beside a thing: its label where it has one, else its class."""
        class_name = self.plan.catalogue.of_handle(handle).class_name
        return self.plan.labels.get(handle) or noun_of(class_name)

    def _clutter(self) -> Iterable[str]:
        named = set(self._things())
        for handle, at in self._starts.items():
            if handle not in named:
                name = self._called(handle)
                yield element("g", title(name), marks.clutter(at, self.size))

    def _bodies_at_start(self, free: FreeSpace) -> tuple[list[str], list[str]]:
        """Draw the bodies where they began, and apart from them the labels beside them."""
        found = [
            (self.plan.at((pose.position[0], pose.position[2])), pose.yaw, seat)
            for seat, pose in sorted(self._bodies.items())
        ]
        for at, _, _ in found:
            free.take(Area.around(*at, 1.8 * self.size, 1.8 * self.size))
        looks = {seat: look_of(Seat.of(seat)) for _, _, seat in found}
        return (
            [marks.body(at, yaw, looks[seat], self.size) for at, yaw, seat in found],
            [
                self._body_label(at, label, c.LOOKS[looks[seat]], free)
                for at, _, seat in found
                if (label := self._labels.get(seat))
            ],
        )

    def _named_spots(self) -> Iterable[tuple[Spot, str, str]]:
        for handle in self._things():
            name = self._called(handle)
            yield self._starts[handle], name, c.INK

    def _left(self) -> list[tuple[Spot, str, str]]:
        """Return the things of missing steps that were moved, but not where they belong."""
        account = None if self._verdict is None else self._verdict.account
        found: dict[str, tuple[Spot, str, str]] = {}
        for shortfall in account.shortfalls if account is not None else ():
            for now in shortfall.now:
                at = self._where(now)
                if at is not None:
                    name = self._called(now.thing.handle)
                    found[now.thing.handle] = (at, name, c.BAD)
        return list(found.values())

    def _where(self, now: Situation) -> Spot | None:
        """Return where a thing was left, unless it is at its start or at one of its places."""
        start = self._starts.get(now.thing.handle)
        place = now.entity or now.room
        if start is None or place is None:
            return None
        wanted = {p.handle for s in self.steps.steps for p in s.places
                  if now.thing.handle in {t.handle for t in s.things}}  # fmt: skip
        if place.handle in wanted:
            return None
        exactly = self._finals.get(now.thing.handle)
        if exactly is not None:
            moved = math.dist(exactly, start) > MOVED_M * self.plan.scale
            return exactly if moved else None
        if place.handle not in self.plan.labels:
            return None
        area = Area.of(self.plan.outline(place.handle))
        if area.shared(Area.around(*start, 1.0, 1.0)) > 0:
            return None
        return area.middle

    def _word(self, at: Spot, name: str, colour: str, free: FreeSpace) -> str:
        size = self.size * WORDS
        area = free.best(beside(*at, self.size * 0.55, name, size))
        return self._written(name, area, size, colour, "thing")

    def _body_label(self, at: Spot, label: str, colour: str, free: FreeSpace) -> str:
        size = self.size * BODY_LABEL
        area = free.best(beside(*at, self.size * 0.85, label, size))
        return self._written(label, area, size, colour, "body-label")

    @staticmethod
    def _written(name: str, area: Area, size: float, colour: str, class_: str) -> str:
        return lines_of_text(
            [name],
            (area.x0 + area.x1) / 2,
            area.y1 - size * 0.25,
            size,
            class_=class_,
            text_anchor="middle",
            font_weight=700,
            fill=colour,
            stroke=c.SURFACE,
            stroke_width=size * 0.26,
            stroke_linejoin="round",
            paint_order="stroke",
        )


def _task_starts(task: Task) -> dict[str, AgentPose]:
    found = task.info.get("start_poses", {})
    return {seat: AgentPose((x, y, z), yaw, 0.0) for seat, (x, y, z, yaw) in found.items()}
