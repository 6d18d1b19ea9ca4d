"""Assignment of a study: what each person and group is given, recorded in one ledger.

A person draws the levels of their own factors at entry. A group draws a condition, or an order of
all of them, when it is formed, and tasks when it starts the first of them. All of it follows from
the seed and the records; the seed stays with the server, so that no draw is known before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from matchmaking.assignment.draws import draw_below
from matchmaking.assignment.exposure import Exposures
from matchmaking.assignment.ledger import Arm, Ledger, State, replayed
from matchmaking.assignment.records import Drawn, Record
from matchmaking.assignment.strata import sequence_of, strata_of, stratum_name
from matchmaking.assignment.task_slots import PlannedTask, TaskSlots
from matchmaking.assignment.yoked_waits import yoked_wait_s
from matchmaking.study import Study
from matchmaking.study.conditions import Cell
from matchmaking.study.group_conditions import entry_levels
from matchmaking.study.planned_units import episodes_of, tasks_of_group

MOST_SLOTS = 10
"""Slots that are looked at, in times of an arm's target, for one that nobody has met."""
UNKNOWN_SHARE = 0.25
"""Share of the longest wait up to which a yoked wait is drawn before anybody has waited."""
UNKNOWN_READY_SHARE = 0.5
"""Share of the time to be ready up to which is drawn when a yoked group begins, before it is known
how long people are waited for."""


class PlannedCondition(msgspec.Struct, frozen=True):
    """A condition that a group plays, with its tasks in their order."""

    cell: str
    tasks: tuple[PlannedTask, ...]


class Assignment:
    """Assignment of one version of a study in one mode.

    ``tasks`` are the ids of its tasks, in the order of their set.
    """

    def __init__(
        self,
        study: Study,
        seed: str,
        tasks: Sequence[str],
        records: Iterable[Record] = (),
        exposures: Exposures | None = None,
    ) -> None:
        seed = f"{seed}/{study.seed}"
        self._study, self._seed = study, seed
        self._strata = strata_of(study)
        self.ledger: Ledger = replayed(seed, self._strata, records)
        """Ledger of all draws. Raises LedgerError for records that the seed does not give."""
        self.exposures = exposures or Exposures()
        self._by_stratum: dict[str, list[Cell]] = {}
        for cell in study.cells:
            name = stratum_name(entry_levels(cell, study.factors))
            self._by_stratum.setdefault(name, []).append(cell)
        self._episodes = episodes_of(study)
        self._is_within = study.design.subjects == "within"
        is_ordered = study.tasks.dealt == "same"
        self._slots = TaskSlots(seed, tasks, tasks_of_group(study), is_ordered=is_ordered)

    def enter(self, person: str, at: float, closed: Collection[str] = ()) -> Drawn | None:
        """Draw the levels of a person's factors; their stratum is the arm.

        Returns None where all conditions are full, or in ``closed``, which take no more. A study
        without such factors draws nothing here: ask `is_drawn_at_entry` first.
        """
        return self.ledger.draw("entry", [person], at, unavailable=self._shut(closed))

    @property
    def is_drawn_at_entry(self) -> bool:
        """Whether factors belong to persons."""
        return bool(self._strata.entry)

    @property
    def match_arms(self) -> Mapping[str, tuple[Arm, ...]]:
        """Conditions, or orders of them, by the levels that are drawn at entry."""
        return self._strata.match

    def is_entry_closed(self, closed: Collection[str] = ()) -> bool:
        """Tell whether no person is wanted any more, whatever their levels.

        ``closed`` are conditions that take no more.
        """
        shut = self._shut(closed)
        return self.is_drawn_at_entry and self.ledger.next_arm("entry", unavailable=shut) is None

    def _shut(self, closed: Collection[str]) -> list[str]:
        """Return the strata all conditions of which are closed."""
        if not closed:
            return []
        return [
            name for name, cells in self._by_stratum.items() if {c.name for c in cells} <= {*closed}
        ]

    def form(
        self,
        people: Iterable[str],
        at: float,
        stratum: str = "",
        lacking: Collection[str] = (),
        arm: str = "",
    ) -> Drawn | None:
        """Draw the condition, or the order of conditions, of a group that is being formed.

        ``lacking`` are conditions whose policy does not answer; ``arm`` is the only one to draw,
        where it is named. Returns None where all others are full.
        """
        unavailable: list[str] = []
        if lacking or arm:
            unavailable = [
                a.name
                for a in self._strata.arms("match", stratum)
                if arm not in ("", a.name) or set(lacking) & set(self._sequence(a.name, stratum))
            ]
        return self.ledger.draw("match", people, at, stratum=stratum, unavailable=unavailable)

    def conditions(self, place: int) -> tuple[str, ...]:
        """Return the conditions of a group in their order."""
        drawn = self.ledger.places[place]
        return self._sequence(drawn.arm, drawn.stratum, place)

    def deal(self, place: int, people: Collection[str], at: float) -> bool:
        """Give a group its tasks before the first of them starts.

        Returns False, and nothing happens, where it has some, began before or was left, or where
        its people have met too many of the tasks.
        """
        if self.ledger.states[place] is not State.DRAWN:
            return False
        slot = self.slot_for(place, people)
        return slot is not None and self.ledger.take_slot(place, slot, at)

    def slot_for(self, place: int, people: Collection[str]) -> int | None:
        """Return the next free slot of a place whose tasks are new to some people; None: none."""
        drawn = self.ledger.places[place]
        arms = self._strata.arms("match", drawn.stratum)
        # Between groups each condition does each slot; within them each group has one of its own.
        sharing = [a for a in arms if self._is_within or a.name == drawn.arm]
        taken = {
            slot for a in sharing for slot in self.ledger.slots_of("match", drawn.stratum, a.name)
        }
        most = MOST_SLOTS * sum(a.target for a in sharing)
        return self._slots.free_slot(taken, self.exposures.tasks(people), most)

    def begin(self, place: int, at: float) -> bool:
        """Note that the first task of a group starts; False: it has none, began or was left."""
        return place in self.ledger.slots and self.ledger.begin(place, at)

    def plan(self, place: int) -> tuple[PlannedCondition, ...]:
        """Return the conditions of a group that began, with their tasks.

        Within groups the tasks of a slot go round the conditions from slot to slot, whatever their
        order, so that each condition has each of the tasks.
        """
        slot, drawn = self.ledger.slots[place], self.ledger.places[place]
        tasks, cells = self._slots.of(slot), [cell.name for cell in self._cells(drawn.stratum)]
        planned = []
        sequence = self.conditions(place)
        for cell in sequence:
            part = (cells.index(cell) + slot) % len(sequence) if len(sequence) > 1 else 0
            first = part * self._episodes
            planned.append(PlannedCondition(cell, tasks[first : first + self._episodes]))
        return tuple(planned)

    def unplaced(self, people: Sequence[str]) -> tuple[PlannedTask, ...]:
        """Return the tasks of a group that has no condition, because too few people came."""
        total = sum(arm.target for arms in self._strata.match.values() for arm in arms)
        slot = MOST_SLOTS * total + draw_below(2**20, self._seed, "unplaced", *people)
        return self._slots.once(slot)

    def wait_s(self, cell: Cell, waits_s: Sequence[float], used: int) -> float:
        """Return how long a group waits that need not: as long as one of ``waits_s`` did."""
        # Nobody may have waited there yet; to begin at once would tell what the partner is.
        unknown_s = self._study.limits.wait_s * UNKNOWN_SHARE
        return self._yoked_s("wait", cell, waits_s, used, unknown_s)

    def ready_after_s(self, cell: Cell, others_s: Sequence[float], used: int) -> float:
        """Return how long after the question a group begins at the earliest that waits for nobody.

        ``others_s`` are the times at which the others of people it is yoked to were ready.
        """
        ready_s = self._study.limits.ready_s
        yoked_s = self._yoked_s("ready", cell, others_s, used, ready_s * UNKNOWN_READY_SHARE)
        return min(yoked_s, ready_s)

    def _yoked_s(
        self, of: str, cell: Cell, times_s: Sequence[float], used: int, unknown_s: float
    ) -> float:
        """Return the next of the times of others; before there are any, a part of ``unknown_s``."""
        if not cell.waits_like:
            return 0.0
        yoked = yoked_wait_s(times_s, used, self._seed, of)
        if yoked is not None:
            return yoked
        return unknown_s * draw_below(1000, self._seed, f"unknown {of}", cell.name, used) / 1000

    def _cells(self, stratum: str) -> list[Cell]:
        """Return the conditions of a stratum; those of the first where it has another name."""
        return self._by_stratum.get(stratum) or next(iter(self._by_stratum.values()))

    def _sequence(self, arm: str, stratum: str, place: int = 0) -> tuple[str, ...]:
        return sequence_of(arm, self._cells(stratum), self._seed, place)
