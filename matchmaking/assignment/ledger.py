"""Ledger of draws: who was assigned to what, and what became of it.

The records and the seed are all there is: `replayed` makes the same ledger from them and refuses
records that the seed does not give. A ledger belongs to one version of a study in one mode, so that
neither pilots nor former versions count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from matchmaking.assignment.records import (
    Begun,
    Completed,
    Drawn,
    GivenUp,
    Lost,
    Record,
    SlotTaken,
    Stage,
)
from matchmaking.assignment.urn import Urn


class LedgerError(ValueError):
    """Records that cannot be, or a place that is not there."""


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An alternative of a draw: its target, and the most that may begin it."""

    name: str
    target: int
    most_begun: int | None = None


class Strata(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arms of each stratum, at entry and at the match."""

    entry: tuple[Arm, ...] = ()
    """Levels of the factors that belong to a person; empty: there are none."""
    match: Mapping[str, tuple[Arm, ...]] = {}
    """Conditions or orders by the name of the arm that was drawn at entry."""
    multiples: tuple[int, ...] = (1, 2)

    def arms(self, stage: Stage, stratum: str) -> tuple[Arm, ...]:
        """Return the arms of a draw. Raises LedgerError: there is no such stratum."""
        arms = self.entry if stage == "entry" else self.match.get(stratum, ())
        if not arms or (stage == "entry" and stratum):
            raise LedgerError(f"there is no stratum {stratum!r} at the {stage}")
        return arms


class State(StrEnum):
    """State of a place that was drawn."""

    DRAWN = "drawn"
    GIVEN_UP = "given_up"
    BEGUN = "begun"
    COMPLETED = "completed"
    LOST = "lost"


_TAKES = (State.DRAWN, State.BEGUN, State.COMPLETED)
"""States in which a place counts towards the target."""
_EVER_BEGUN = (State.DRAWN, State.BEGUN, State.COMPLETED, State.LOST)


class Ledger:
    """Draws of one version of a study in one mode."""

    def __init__(self, seed: str, strata: Strata) -> None:
        self._seed, self._strata = seed, strata
        self._arms: dict[tuple[Stage, str, str], Arm] = {
            ("entry", "", arm.name): arm for arm in strata.entry
        } | {("match", name, arm.name): arm for name, arms in strata.match.items() for arm in arms}
        self._urns: dict[tuple[Stage, str], Urn] = {}
        self.records: list[Record] = []
        self.places: list[Drawn] = []
        self.states: list[State] = []
        self.reasons: dict[int, str] = {}
        """Reasons of places that were given up or lost."""
        self.slots: dict[int, int] = {}
        """Slots of tasks by place."""
        self.begun_at: dict[int, float] = {}
        """Times at which places began."""
        self._counts: Counter[tuple[Stage, str, str, State]] = Counter()
        self._taken: Counter[tuple[Stage, str, str]] = Counter()
        """Places of an arm that count towards its target."""
        self._ever_begun: Counter[tuple[Stage, str, str]] = Counter()
        self._full: dict[tuple[Stage, str], set[str]] = {}
        """Names of the arms that take no more, of each stratum that was asked for."""

    def next_arm(
        self, stage: Stage, stratum: str = "", unavailable: Collection[str] = ()
    ) -> str | None:
        """Return the arm that a draw would give now; None: all are closed."""
        drawn = self._urn(stage, stratum).next(self._closed(stage, stratum, unavailable))
        return None if drawn is None else drawn[1]

    def draw(
        self,
        stage: Stage,
        who: Iterable[str],
        at: float,
        *,
        stratum: str = "",
        unavailable: Collection[str] = (),
    ) -> Drawn | None:
        """Draw a place for a person or a group; None: all arms are full or unavailable."""
        closed = self._closed(stage, stratum, unavailable)
        drawn = self._urn(stage, stratum).draw(closed)
        if drawn is None:
            return None
        block, arm = drawn
        record = Drawn(
            at=at,
            place=len(self.places),
            stage=stage,
            stratum=stratum,
            block=block,
            arm=arm,
            who=tuple(who),
            closed=tuple(sorted(closed)),
        )
        self.places.append(record)
        self.states.append(State.DRAWN)
        self._count(record, State.DRAWN, 1)
        self.records.append(record)
        return record

    def begin(self, place: int, at: float) -> bool:
        """Note that the first task of a place starts; False: it began before, or is given up."""
        is_new = self._move(State.BEGUN, Begun(at=at, place=place), (State.DRAWN,))
        if is_new:
            self.begun_at[place] = at
        return is_new

    def complete(self, place: int, at: float) -> bool:
        """Note that a place is completed; False: it never began, or was left."""
        return self._move(State.COMPLETED, Completed(at=at, place=place), (State.BEGUN,))

    def leave(self, place: int, at: float, reason: str) -> bool:
        """Note that a place was left: before its first task it goes back to its block, later not.

        Returns False where it was left or completed already.
        """
        if self._state(place) is State.DRAWN:
            drawn = self.places[place]
            self._urn(drawn.stage, drawn.stratum).put_back(drawn.block, drawn.arm)
            self.reasons[place] = reason
            record = GivenUp(at=at, place=place, reason=reason)
            return self._move(State.GIVEN_UP, record, (State.DRAWN,))
        if self._move(State.LOST, Lost(at=at, place=place, reason=reason), (State.BEGUN,)):
            self.reasons[place] = reason
            return True
        return False

    def take_slot(self, place: int, slot: int, at: float) -> bool:
        """Give a place the tasks of a slot; False: it has one, was left, or another has this one.

        A slot is free again once its place was left, so that its tasks are done in each arm.
        """
        drawn = self.places[place] if self._state(place) is State.DRAWN else None
        if drawn is None or place in self.slots:
            return False
        if slot in self.slots_of(drawn.stage, drawn.stratum, drawn.arm):
            return False
        self.slots[place] = slot
        self.records.append(SlotTaken(at=at, place=place, slot=slot))
        return True

    def slots_of(self, stage: Stage, stratum: str, arm: str) -> frozenset[int]:
        """Return the slots that places of an arm have, without those that were left."""
        return frozenset(
            slot
            for place, slot in self.slots.items()
            if self.states[place] in _TAKES
            and (self.places[place].stage, self.places[place].stratum, self.places[place].arm)
            == (stage, stratum, arm)
        )

    def count(self, stage: Stage, stratum: str, arm: str, *states: State) -> int:
        """Return the number of an arm's places in some states."""
        return sum(self._counts[stage, stratum, arm, state] for state in states)

    def is_full(self, closed: Collection[str] = ()) -> bool:
        """Tell whether no further group can count, whatever becomes of those under way.

        ``closed`` are arms of groups that take no more, however few they have.
        """
        return all(
            self._is_settled("entry", "", name)
            or all(arm.name in closed or self._is_settled("match", name, arm.name) for arm in arms)
            for name, arms in self._strata.match.items()
        )

    def _is_settled(self, stage: Stage, stratum: str, name: str) -> bool:
        """Tell whether an arm takes no more for good; False where nothing is drawn there."""
        arm = self._arms.get((stage, stratum, name))
        if arm is None:
            return False
        completed = self.count(stage, stratum, name, State.COMPLETED)
        begun = completed + self.count(stage, stratum, name, State.BEGUN, State.LOST)
        return completed >= arm.target or (arm.most_begun is not None and begun >= arm.most_begun)

    def _closed(self, stage: Stage, stratum: str, unavailable: Collection[str]) -> frozenset[str]:
        full = self._full.get((stage, stratum))
        if full is None:
            arms = self._strata.arms(stage, stratum)
            full = {arm.name for arm in arms if self._is_full(stage, stratum, arm)}
            self._full[stage, stratum] = full
        return frozenset(full.union(unavailable))

    def _is_full(self, stage: Stage, stratum: str, arm: Arm) -> bool:
        key, most = (stage, stratum, arm.name), arm.most_begun
        return self._taken[key] >= arm.target or (
            most is not None and self._ever_begun[key] >= most
        )

    def _count(self, drawn: Drawn, state: State, by: int) -> None:
        """Count a place that came to a state, or left it (``by`` -1)."""
        key = (drawn.stage, drawn.stratum, drawn.arm)
        self._counts[*key, state] += by
        if state in _TAKES:
            self._taken[key] += by
        if state in _EVER_BEGUN:
            self._ever_begun[key] += by
        if (full := self._full.get((drawn.stage, drawn.stratum))) is not None:
            if self._is_full(drawn.stage, drawn.stratum, self._arms[key]):
                full.add(drawn.arm)
            else:
                full.discard(drawn.arm)

    def _urn(self, stage: Stage, stratum: str) -> Urn:
        key = (stage, stratum)
        if key not in self._urns:
            targets = {arm.name: arm.target for arm in self._strata.arms(stage, stratum)}
            name = f"{stage} {stratum}"
            self._urns[key] = Urn(self._seed, name, targets, self._strata.multiples)
        return self._urns[key]

    def _state(self, place: int) -> State:
        if not 0 <= place < len(self.states):
            raise LedgerError(f"no place {place} was drawn, only {len(self.states)}")
        return self.states[place]

    def _move(self, to: State, record: Record, allowed: Sequence[State]) -> bool:
        state, drawn = self._state(record.place), self.places[record.place]
        if state not in allowed:
            return False
        self.states[record.place] = to
        self._count(drawn, state, -1)
        self._count(drawn, to, 1)
        self.records.append(record)
        return True


def replayed(seed: str, strata: Strata, records: Iterable[Record]) -> Ledger:
    """Return the ledger that made these records.

    Raises LedgerError for the first record that the seed and those before it do not give.
    """
    ledger = Ledger(seed, strata)
    for number, record in enumerate(records):
        if not _is_repeated(ledger, record):
            raise LedgerError(f"record {number + 1} is not what the seed gives: {record}")
    return ledger


def _is_repeated(ledger: Ledger, record: Record) -> bool:
    match record:
        case Drawn():
            again = ledger.draw(
                record.stage,
                record.who,
                record.at,
                stratum=record.stratum,
                unavailable=record.closed,
            )
            return again == record
        case SlotTaken():
            return ledger.take_slot(record.place, record.slot, record.at)
        case Begun():
            return ledger.begin(record.place, record.at)
        case Completed():
            return ledger.complete(record.place, record.at)
        case GivenUp() | Lost():
            is_left = ledger.leave(record.place, record.at, record.reason)
            return is_left and ledger.records[-1] == record
