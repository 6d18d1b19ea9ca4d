"""Places that the groups of a study gather for.

A place is drawn when a gathering begins, and kept with the person who is its head. A head who
leaves, or joins somebody else's group, gives it back to its block; who comes back to the lobby is
drawn a place of the same condition, so that nobody leaves for another one. The levels of a person's
own factors are drawn when they come to the lobby, and stay theirs.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from msgspec.structs import replace

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.attrition import Flow, flows
from matchmaking.assignment.group_plan import GroupPlan, PlayedCondition
from matchmaking.assignment.ledger import Arm, State
from matchmaking.assignment.records import Stage
from matchmaking.assignment.task_slots import PlannedTask
from matchmaking.study import Study
from matchmaking.study.conditions import Cell

LEFT = "left_the_lobby"
JOINED_ANOTHER = "joined_another_group"
NO_POLICY = "policy_does_not_answer"
NOT_OPENED = "session_did_not_open"
SUBSTITUTED = "substituted"
CLOSED = "condition_closed"
"""Reasons for which a place is left."""

_NEWCOMER = ""
"""Participant who has not come, and has no levels."""


class Place(NamedTuple):
    """A place that a group gathers for."""

    number: int
    cell: Cell
    """Condition that the group plays first, or alone."""
    wait_s: float
    """Time that its head waits at least."""
    waits_for_next: bool
    """Whether it begins as soon as somebody comes after its head, as nobody has waited before."""
    ready_after_s: float
    """Time after the question before which it does not begin."""


class Places:
    """Places of one version of a study in one mode; ``clock`` gives the time of its records."""

    def __init__(
        self,
        study: Study,
        assignment: Assignment,
        clock: Callable[[], float],
        answers: Callable[[str], bool] = lambda _policy: True,
    ) -> None:
        self._study, self._clock, self._answers = study, clock, answers
        self.assignment = assignment
        self._cells = {cell.name: cell for cell in study.cells}
        self._policies = {cell.name: {*cell.team.policies.values()} for cell in study.cells}
        """Policies that each condition needs."""
        self._of_head: dict[str, int] = {}
        """Places of groups that gather, by the participant who is the head."""
        self._left_arms: dict[str, str] = {}
        """Arms of heads who left the lobby, by participant."""
        self._held: set[int] = set()
        """Places of groups that are asked whether they are ready, or whose session is opened."""
        self._n_held: Counter[tuple[str, str]] = Counter()
        """Number of these by stratum and arm."""
        self._levels: dict[str, tuple[int, str]] = {}
        """Place and levels that were drawn for a participant at entry."""
        self._waits_s: dict[str, list[tuple[float, float]]] = {}
        """Times at which groups of each condition began, in their order, with waits of people."""
        self._others_s: dict[str, list[tuple[float, float]]] = {}
        """The same times, with how long after the question the others of people were ready."""
        self._places: dict[int, Place] = {}
        """Places that were asked for, by their numbers."""
        self._needs: dict[int, frozenset[str]] = {}
        """Policies that the conditions of these places need."""
        self._yoked: dict[str, list[int]] = {}
        """Places that were drawn for each condition which waits as another one does."""
        self._shut: frozenset[str] = frozenset()
        """Conditions that take no more groups, because an operator closed them."""
        self._restore()

    @property
    def closed(self) -> frozenset[str]:
        """Conditions that take no more groups, however few they have."""
        return self._shut

    def close(self, conditions: Iterable[str]) -> None:
        """Take no more groups into some conditions, and into all others again.

        Groups that begin or play go on; heads who gather for a closed one are drawn another place.
        Raises ValueError as `check_closing` does.
        """
        shut = frozenset(conditions)
        self.check_closing(shut)
        self._shut = shut

    def check_closing(self, shut: Set[str]) -> None:
        """Check that some conditions can be closed.

        Raises ValueError for one that the study has not, for all of them at once, and within
        groups, where every group plays every condition.
        """
        if unknown := shut - self._cells.keys():
            raise ValueError(f"the study has no condition {min(unknown)}")
        if shut and self._study.design.subjects == "within":
            raise ValueError("every group plays every condition: pause the study instead")
        if shut == self._cells.keys():
            raise ValueError("it is the last that is open: pause the study instead")

    def _restore(self) -> None:
        ledger = self.assignment.ledger
        for drawn, state in zip(ledger.places, ledger.states, strict=True):
            if drawn.stage == "entry" and state is not State.GIVEN_UP:
                self._levels[drawn.who[0]] = (drawn.place, drawn.arm)
            elif drawn.stage == "match" and state is State.DRAWN:
                self._of_head[drawn.who[0]] = drawn.place
            if drawn.stage == "match":
                self._note_drawn(drawn.place)
                self._left_arms.pop(drawn.who[0], None)
                if ledger.reasons.get(drawn.place) == LEFT:
                    self._left_arms[drawn.who[0]] = drawn.arm

    # What a matchmaker asks

    def stratum(self, participant_id: str) -> str | None:
        """Return the levels of a participant's own factors; None: no place is free for any."""
        if not self.assignment.is_drawn_at_entry:
            return ""
        if participant_id not in self._levels:
            drawn = self.assignment.enter(participant_id, self._clock(), self._shut)
            if drawn is None:
                return None
            self._levels[participant_id] = (drawn.place, drawn.arm)
        return self._levels[participant_id][1]

    def of(self, participant_id: str) -> Place | None:
        """Return the place of the group whose head somebody is: the one they have, or a new one.

        None: no condition takes another group now.
        """
        kept = self._of_head.get(participant_id)
        if kept is not None:
            is_shut = not self._shut.isdisjoint(self.assignment.conditions(kept))
            if not is_shut and not self._lack(self._needs_of(kept)):
                return self._place(kept)
            del self._of_head[participant_id]
            self._leave(kept, CLOSED if is_shut else NO_POLICY)
        stratum = self.stratum(participant_id)
        if stratum is None:
            return None
        lacking = [
            name
            for name, policies in self._policies.items()
            if name in self._shut or self._lack(policies)
        ]
        drawn, form = None, self.assignment.form
        if mine := self._left_arms.get(participant_id, ""):
            drawn = form([participant_id], self._clock(), stratum, lacking, mine)
        drawn = drawn or form([participant_id], self._clock(), stratum, lacking)
        if drawn is None:
            return None
        self._left_arms.pop(participant_id, None)
        self._of_head[participant_id] = drawn.place
        self._note_drawn(drawn.place)
        return self._place(drawn.place)

    def loads(self) -> Mapping[str, float]:
        """Return how full each condition, or order of conditions, is, as a share of its target."""
        ledger = self.assignment.ledger
        return {
            arm.name: ledger.count("match", stratum, arm.name, State.BEGUN, State.COMPLETED)
            / arm.target
            for stratum, arms in self.assignment.match_arms.items()
            for arm in arms
        }

    def flows(self, stage: Stage = "match") -> Mapping[tuple[str, str], Flow]:
        """Return what became of the places of each stratum and arm."""
        return flows(self.assignment.ledger, stage)

    def is_full_for(self, participant_id: str) -> bool:
        """Tell whether no condition takes, or may yet take, another group with somebody in it."""
        stratum = ""
        if self.assignment.is_drawn_at_entry:
            if participant_id not in self._levels:
                return self.assignment.is_entry_closed(self._shut)
            stratum = self._levels[participant_id][1]
        return all(self._is_taken(stratum, a) for a in self.assignment.match_arms[stratum])

    @property
    def is_full(self) -> bool:
        """Whether no further group can count, whatever becomes of those that are under way."""
        return self.assignment.ledger.is_full(self._shut)

    @property
    def are_all_taken(self) -> bool:
        """Whether nobody who comes now would get a place; one may be given back later."""
        return self.is_full_for(_NEWCOMER)

    # What the lobby tells

    def settle(self, heads: Collection[str], present: Collection[str]) -> None:
        """Take back the places of those who were looked at in a round and are no head after it."""
        for participant_id, number in list(self._of_head.items()):
            is_head = participant_id in heads
            if participant_id in present and not is_head and number not in self._held:
                self._give_up(participant_id, JOINED_ANOTHER)

    def keep(self, waiting: Collection[str]) -> None:
        """Take back the places of heads who do not wait any more."""
        for participant_id, number in list(self._of_head.items()):
            if participant_id not in waiting and number not in self._held:
                self._give_up(participant_id, LEFT)
                self._left_arms[participant_id] = self.assignment.ledger.places[number].arm

    def hold(self, number: int) -> None:
        """Keep a place for a group that is there, and begins soon."""
        if number not in self._held:
            self._held.add(number)
            self._n_held[self._arm_of(number)] += 1

    def release(self, number: int) -> None:
        """Let a place go whose group fell apart; its head keeps it while they wait."""
        if number in self._held:
            self._held.discard(number)
            self._n_held[self._arm_of(number)] -= 1

    def deal(self, number: int, people: Collection[str]) -> GroupPlan | None:
        """Give a group its tasks; None: its people have met too many of them."""
        if not self.assignment.deal(number, people, self._clock()):
            return None
        return self._plan(
            tuple(
                PlayedCondition(
                    cell=planned.cell,
                    treatment=self._cells[planned.cell].treatment,
                    tasks=planned.tasks,
                )
                for planned in self.assignment.plan(number)
            )
        )

    def has_tasks_for(self, number: int, people: Collection[str]) -> bool:
        """Tell whether there are tasks for some people at a place that none of them has met."""
        return self.assignment.slot_for(number, people) is not None

    def unplaced(self, people: Sequence[str]) -> GroupPlan:
        """Return the plan of a group that has no condition, because too few people came.

        It is treated as the first condition is.
        """
        treatment = self._study.cells[0].treatment
        tasks = self.assignment.unplaced(people)
        return self._plan((PlayedCondition(cell="", treatment=treatment, tasks=tasks),))

    def _plan(self, conditions: tuple[PlayedCondition, ...]) -> GroupPlan:
        tasks, first = self._study.tasks, conditions[0]
        practice = tuple(PlannedTask(task_id, n, True) for n, task_id in enumerate(tasks.practice))
        return GroupPlan(
            task_set=tasks.set,
            tries=tasks.tries,
            limit_s=tasks.limit_s,
            conditions=(replace(first, tasks=(*practice, *first.tasks)), *conditions[1:]),
        )

    def wait_of(self, participant_id: str) -> float | None:
        """Return how long a group waits at least whose head somebody is; None: they are of none."""
        kept = self._of_head.get(participant_id)
        return None if kept is None else self._place(kept).wait_s

    def ready_after_s(self, number: int) -> float:
        """Return how long after the question a group begins at the earliest."""
        return self._place(number).ready_after_s

    def begin(
        self,
        number: int,
        people: Iterable[str],
        waits_s: Sequence[float] = (),
        others_s: Sequence[float] = (),
    ) -> None:
        """Note that a group has its session; the times are those of `note_waits`."""
        self._forget(number)
        self.assignment.begin(number, self._clock())
        self.note_waits(number, waits_s, others_s)
        for person in people:
            if person in self._levels:
                self.assignment.ledger.begin(self._levels[person][0], self._clock())

    def note_waits(
        self, number: int, waits_s: Sequence[float], others_s: Sequence[float] = ()
    ) -> None:
        """Note how long the people of a group that began had waited.

        ``others_s`` is for each how long after the question the others were ready.
        """
        began_at = self.assignment.ledger.begun_at.get(number, self._clock())
        for name in self.assignment.conditions(number)[:1]:
            for wait_s in waits_s:
                insort(self._waits_s.setdefault(name, []), (began_at, wait_s))
            for other_s in others_s:
                insort(self._others_s.setdefault(name, []), (began_at, other_s))

    def leave(self, number: int, reason: str, people: Iterable[str] = ()) -> None:
        """Note that a group is over, or could not begin."""
        self._forget(number)
        self._leave(number, reason)
        for person in people:
            self.leave_entry(person, reason)

    def complete(self, number: int, people: Iterable[str] = ()) -> None:
        """Note that a group has done all its tasks."""
        self.assignment.ledger.complete(number, self._clock())
        for person in people:
            if person in self._levels:
                self.assignment.ledger.complete(self._levels[person][0], self._clock())

    def leave_entry(self, participant_id: str, reason: str) -> None:
        """Note that a participant's visit is over before they completed it."""
        if participant_id in self._levels:
            self._leave(self._levels[participant_id][0], reason)

    @property
    def entered(self) -> Sequence[str]:
        """Participants whose levels were drawn, and who have not begun."""
        states = self.assignment.ledger.states
        return [who for who, (place, _) in self._levels.items() if states[place] is State.DRAWN]

    @property
    def dealt(self) -> Sequence[int]:
        """Places of groups that have tasks, and have not begun."""
        ledger = self.assignment.ledger
        return [number for number in ledger.slots if ledger.states[number] is State.DRAWN]

    @property
    def playing(self) -> Sequence[int]:
        """Places of groups that play."""
        ledger = self.assignment.ledger
        return [
            drawn.place
            for drawn, state in zip(ledger.places, ledger.states, strict=True)
            if drawn.stage == "match" and state is State.BEGUN
        ]

    # Parts

    def _place(self, number: int) -> Place:
        place = self._places.get(number)
        if place is None:
            cell = self._cells[self.assignment.conditions(number)[0]]
            place = self._places[number] = self._yoked_place(cell, number)
        return place

    def _needs_of(self, number: int) -> frozenset[str]:
        if number not in self._needs:
            of_each = (self._policies[name] for name in self.assignment.conditions(number))
            self._needs[number] = frozenset().union(*of_each)
        return self._needs[number]

    def _note_drawn(self, number: int) -> None:
        name = self.assignment.conditions(number)[0]
        if self._cells[name].waits_like:
            self._yoked.setdefault(name, []).append(number)

    def _yoked_place(self, cell: Cell, number: int) -> Place:
        """Return a place with how long its group waits; one that is yoked to none need not.

        It follows from the ledger, so that it is the same after a restart: of the times that were
        known when the place was drawn, the next that no earlier place was given.
        """
        if not cell.waits_like:
            return Place(number, cell, 0.0, False, 0.0)
        used = bisect_left(self._yoked[cell.name], number)
        waits_s, others_s = (
            self._known(times.get(cell.waits_like, ()), number)
            for times in (self._waits_s, self._others_s)
        )
        assignment = self.assignment
        wait_s = assignment.wait_s(cell, waits_s, used)
        ready_after_s = assignment.ready_after_s(cell, others_s, used)
        return Place(number, cell, wait_s, not waits_s, ready_after_s)

    def _known(self, times: Iterable[tuple[float, float]], number: int) -> list[float]:
        """Return those of some times that were known when a place was drawn."""
        drawn_at = self.assignment.ledger.places[number].at
        return [time_s for at, time_s in times if at <= drawn_at]

    def _lack(self, policies: Collection[str]) -> bool:
        """Tell whether one of some policies does not answer."""
        return bool(policies) and not all(map(self._answers, policies))

    def _arm_of(self, number: int) -> tuple[str, str]:
        drawn = self.assignment.ledger.places[number]
        return drawn.stratum, drawn.arm

    def _is_taken(self, stratum: str, arm: Arm) -> bool:
        """Tell whether all groups that an arm takes are there and play, or begin now."""
        if arm.name in self._shut:
            return True
        ledger, name = self.assignment.ledger, arm.name
        soon = self._n_held[stratum, name]
        taken = ledger.count("match", stratum, name, State.BEGUN, State.COMPLETED) + soon
        begun = taken + ledger.count("match", stratum, name, State.LOST)
        return taken >= arm.target or (arm.most_begun is not None and begun >= arm.most_begun)

    def _give_up(self, participant_id: str, reason: str) -> None:
        self._leave(self._of_head.pop(participant_id), reason)

    def _forget(self, number: int) -> None:
        self.release(number)
        head = self.assignment.ledger.places[number].who[0]
        if self._of_head.get(head) == number:
            del self._of_head[head]

    def _leave(self, number: int, reason: str) -> None:
        self.assignment.ledger.leave(number, self._clock(), reason)
