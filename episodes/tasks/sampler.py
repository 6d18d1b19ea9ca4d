"""Sampler of what a task is about: things, places and states that the house offers and that fit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.scene import Template
from episodes.tasks.draft import Draft, TaskError
from episodes.tasks.goals import AFFORDANCE, Relation, State, Target, Things
from episodes.tasks.household import Household, room_class
from episodes.tasks.start_places import fits

FULL = 0.4
"""Largest share of a surface that a task fills, seen from above."""
ROW_GAP_M = 0.12
"""Free width beside each thing of a row (m)."""
TRIES = 30
RELATIONS: tuple[tuple[Relation, float], ...] = (
    ("on", 0.64),
    ("within", 0.2),
    ("room", 0.11),
    ("floor", 0.05),
)
COUNTABLE = frozenset(
    {"dishes", "utensils", "vegetables", "toiletries", "books", "toys", "tools", "decorations"}
)
"""Groups of which one can ask for two."""
ON_FLOORS = frozenset(
    {"toys", "containers", "sports equipment", "outdoor things", "tools", "laundry"}
)
"""Groups of things that people put on floors."""


class Sampler:
    """Sampler of what one task is about.

    Everything drawn goes into the draft, and no class is drawn twice: so "the cup" names one
    cup, and "all the toys" all toys there are.
    """

    def __init__(self, household: Household, draft: Draft, rng: random.Random) -> None:
        self.household = household
        self.draft = draft
        self.rng = rng
        self.used_classes: set[str] = set()
        self.used_groups: set[str] = set()
        self._load: Counter[tuple[Relation, tuple[str, ...]]] = Counter()

    # Places

    def target(
        self, relations: Sequence[Relation] | None = None, *, several: bool | None = None
    ) -> Target:
        """Draw a place; ``several`` asks for one that is (or is not) more than one piece.

        Raises TaskError when the house has none such.
        """
        for _ in range(TRIES):
            wanted = [r for r in RELATIONS if relations is None or r[0] in relations]
            (relation,) = self.rng.choices([r for r, _ in wanted], [w for _, w in wanted])
            options = [t for t in self.household.targets if t.relation == relation]
            if several is not None:
                options = [t for t in options if (len(t.handles) > 1) == several]
            if options:
                weights = [self.household.sense_of[t] for t in options]
                return self.rng.choices(options, weights)[0]
        raise TaskError(f"no target for {relations}")

    def wide_target(self, *, apart: bool = False) -> Target:
        """Draw any piece of a class anywhere: "on a table"; ``apart`` from each other.

        Raises TaskError when the house has none such.
        """
        classes = sorted({t.furniture for t in self.household.targets if t.relation == "on"})
        self.rng.shuffle(classes)
        for furniture in classes:
            target = self.household.anywhere("on", furniture)
            fitting = not apart or self.household.are_apart(target.handles)
            if 1 < len(target.handles) <= 8 and fitting:
                return target
        raise TaskError("no class of furniture stands here several times")

    # Things

    def _templates(
        self, targets: Sequence[Target], states: Sequence[State], group: str | None
    ) -> list[tuple[str, list[Template]]]:
        """Return classes not drawn yet, with variants that fit all targets and have the states."""
        found = []
        for name, variants in self.household.variants.items():
            row = OBJECT_CLASSES[name]
            if name in self.used_classes or row.group in self.used_groups:
                continue
            if group is not None and row.group != group:
                continue
            fitting = [
                v
                for v in variants
                if all(AFFORDANCE[s] in v.affords for s in states)
                and all(self.household.takes(t, v) for t in targets)
            ]
            if fitting and all(self._sense(name, t) for t in targets):
                found.append((name, fitting))
        return found

    def _sense(self, class_name: str, target: Target) -> float:
        """Rate the sense of bringing a thing there: 0 for none, 1 for where it belongs."""
        row = OBJECT_CLASSES[class_name]
        if target.relation == "room":
            return 1.0 if target.room in row.rooms else 0.3
        if target.relation == "floor":
            return 1.0 if row.group in ON_FLOORS else 0.1
        rooms = [r for r, furniture in row.homes if target.furniture in furniture]
        if target.room in rooms or (rooms and not target.room):
            return 1.0
        if target.relation == "within":
            return 0.4 if rooms else 0.0
        return 0.5 if rooms or target.furniture == "table" else 0.12

    def things(
        self,
        targets: Sequence[Target],
        states: Sequence[State] = (),
        *,
        counts: Sequence[int] = (1,),
        meant: int | None = None,
        group: str | None = None,
        one_place: bool = False,
    ) -> Things:
        """Draw things that will fit all targets: as many of each of ``len(counts)`` classes.

        ``meant`` says how many of them are asked for. ``group`` names them together,
        ``one_place`` has all start in one room. States start as the opposite. Raises
        TaskError.
        """
        options = self._templates(targets, states, group)
        if len(options) < len(counts):
            raise TaskError(f"only {len(options)} classes fit {len(targets)} targets")
        # Weighted, without replacement.
        weight = {n: prod(self._sense(n, t) for t in targets) for n, _ in options}
        options.sort(key=lambda o: -(self.rng.random() ** (1 / weight[o[0]])))
        chosen = options[: len(counts)]
        handles: list[str] = []
        classes: list[str] = []
        start: str | None = None
        for (name, variants), count in zip(chosen, counts, strict=True):
            for _ in range(count):
                template = self.rng.choice(variants)
                handle = self._start(template, targets, states, start if one_place else None)
                start = start or self.draft.start_of(handle)
                handles.append(handle)
                classes.append(name)
                for target in targets:
                    self.charge(target, template)
            self.used_classes.add(name)
        if group is not None:
            self.used_groups.add(group)
        sources = {self.draft.start_room(h) for h in handles}
        return Things(
            tuple(handles),
            tuple(classes),
            len(handles) if meant is None else meant,
            group,
            sources.pop() if len(sources) == 1 else None,
        )

    def _start(
        self,
        template: Template,
        targets: Sequence[Target],
        states: Sequence[State],
        room: str | None,
    ) -> str:
        values = {AFFORDANCE[s]: s == "is_powered_off" for s in states}
        usual = self.rng.random() < 0.75
        places = self.household.starts(template, list(targets), usual)
        if room is not None:
            places = [p for p in places if p.furniture.room_id == room]
        self.rng.shuffle(places)
        # What lies in the open is found first; some of it does not.
        if self.rng.random() < 0.75:
            places.sort(key=lambda p: p.receptacle.part is not None)
        return self.draft.put(template, places, **values)

    def charge(self, target: Target, template: Template) -> None:
        """Note how full a place gets. Raises TaskError when it is too full."""
        low, high = template.box
        key = (target.relation, target.handles)
        # In square centimetres, as a counter holds whole numbers.
        self._load[key] += round(1e4 * (high[0] - low[0] + 0.04) * (high[2] - low[2] + 0.04))
        if self._load[key] > 1e4 * FULL * self.household.area_m2(target):
            raise TaskError(f"too much for {target.relation} {target.handles[0]}")

    def check_row(self, things: Things, target: Target) -> None:
        """Check that things fit side by side on any surface of a target. Raises TaskError."""
        templates = [self.household.catalogue.of_handle(h) for h in things.handles]
        boxes = [t.box for t in templates]
        length = sum(max(b.high[0] - b.low[0], b.high[2] - b.low[2]) + ROW_GAP_M for b in boxes)
        for handle in target.handles:
            for r in self.household.catalogue.of_handle(handle).receptacles:
                taken = [t for t in templates if r.kind == target.relation and fits(t, r)]
                has_room = len(taken) == len(templates) and length <= 2 * max(r.half_x, r.half_z)
                if taken and not has_room:
                    raise TaskError(f"no room for {len(boxes)} things in a row")

    def groups(self, targets: Sequence[Target], states: Sequence[State] = ()) -> list[str]:
        """Return groups of which at least two classes fit, none drawn yet."""
        counted = Counter(
            OBJECT_CLASSES[n].group for n, _ in self._templates(targets, states, None)
        )
        # A group of which some were named alone no longer means only what is meant.
        named = {OBJECT_CLASSES[n].group for n in self.used_classes if n in OBJECT_CLASSES}
        return sorted(g for g, n in counted.items() if n > 1 and g not in named)

    def fixture(self, state: State) -> Things:
        """Draw furniture that can be brought into a state: one, or one of several alike.

        Raises TaskError when there is none.
        """
        options = [
            o for o in self.household.switches(AFFORDANCE[state]) if o[0] not in self.used_classes
        ]
        if not options:
            raise TaskError(f"no furniture for {state}")
        name, room, handles = self.rng.choice(options)
        self.used_classes.add(name)
        start = state == "is_powered_off"
        for handle in handles:
            self.draft.set_furniture(handle, AFFORDANCE[state], start)
        if len(handles) > 1 and self.rng.random() < 0.6:
            return Things(handles, (name,) * len(handles), 1, home=room)
        return Things(handles, (name,) * len(handles), len(handles), home=room)

    def clutter(self, count: int, keep_free: Iterable[Target]) -> None:
        """Put up to ``count`` other things at usual places, not of the task's classes or groups."""
        names = [
            n
            for n in self.household.variants
            if n not in self.used_classes and OBJECT_CLASSES[n].group not in self.used_groups
        ]
        taken = {h for t in keep_free for h in t.handles}
        self.rng.shuffle(names)
        for name in names:
            if count == 0:
                return
            template = self.rng.choice(self.household.variants[name])
            places = [
                p
                for p in self.household.starts(template, [], True)
                if p.furniture.handle not in taken and p.receptacle.part is None
            ]
            self.rng.shuffle(places)
            try:
                self.draft.put(template, places, clutter=True)
            except TaskError:
                continue
            count -= 1

    def start_rooms(self) -> tuple[str, str]:
        """Draw rooms for the person and the robot to start in, different ones if there are two."""
        ids = sorted(self.household.floors)
        if len(ids) < 2:
            return ids[0], ids[0]
        person, robot = self.rng.sample(ids, 2)
        return person, robot


def rooms_of(targets: Iterable[Target], household: Household) -> list[str]:
    """Return the classes of the rooms that targets are in."""
    rooms = set()
    for target in targets:
        if target.room:
            rooms.add(target.room)
        else:
            rooms |= {room_class(household.furniture[h].room_id) for h in target.handles}
    return sorted(rooms)
