"""Agenda of experts: the goals of a task, who has claimed which, and how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from episodes.poses import Vec3
from server.robots.baselines.expert.goals import Goal, follow_choices, has_ties, plan
from server.robots.baselines.expert.progress import is_done, is_right, missing
from server.robots.policies.shared.walking_distances import Ways
from server.sessions.core import SessionCore
from server.skills.body import SkillError

TRIES = 4
"""Tries of a goal before it is given up."""
ASKS_TICKS = 1
"""Ticks within which a seat without a goal asks again."""
Wants = Callable[[Goal], bool]


def _anything(goal: Goal) -> bool:
    return True


class Agenda:
    """The goals of a task that some seats share, planned when it is first asked.

    Nobody owns a goal before it is worked on: a body that is free claims one. What is in a hand
    comes first, then what only people can do, and else free bodies and things are paired off by how
    near they are. All goals about a thing are with whoever works on one of them. One seat alone
    takes them in their order.
    """

    def __init__(self, seats: Iterable[str]) -> None:
        self.seats = tuple(seats)
        self.goals: list[Goal] | None = None
        self.failures: list[SkillError] = []
        self._claims: dict[str, str] = {}
        """Thing that each seat has claimed."""
        self._asked: dict[str, tuple[int, Wants]] = {}
        """Tick at which each seat asked last, and what it wants."""
        self._ahead: dict[str, str] = {}
        """Thing that each seat without a goal has gone to."""
        self._ways: Ways | None = None
        self._open: set[int] = set()
        self._given_up: set[int] = set()
        """Goals tried in vain: what comes after them waits until somebody else has done them."""
        self._tries: list[int] = []
        self._leaves: list[set[str]] = []
        """Seats that leave a goal to the others for now, as they tried it in vain."""
        self._has_ties = False
        self._touched: set[str] = set()
        """Things that somebody else has taken or put somewhere since that was looked at."""
        self._theirs: set[str] = set()
        """Things that others have put somewhere."""
        self._undone: dict[int, int] = {}
        """Times that each goal which has to hold at the end was taken up again."""

    def join(self, seat: str) -> None:
        """Share the goals with one more seat."""
        if seat not in self.seats:
            self.seats = (*self.seats, seat)

    def leave(self, seat: str) -> None:
        """Take note that a seat works on nothing any more."""
        self._claims.pop(seat, None)
        self._asked.pop(seat, None)
        self._ahead.pop(seat, None)
        self.seats = tuple(other for other in self.seats if other != seat)

    def prepare(self, core: SessionCore) -> None:
        """Plan, once. Raises UnsolvableError."""
        if self.goals is None:
            self.goals = plan(core)
            self._open = set(range(len(self.goals)))
            self._tries = [0] * len(self.goals)
            self._leaves = [set() for _ in self.goals]
            self._has_ties = has_ties(core)

    def note(self, thing: str) -> None:
        """Take note that somebody of another agenda has done something with a thing."""
        self._touched.add(thing)

    def _catch_up(self, core: SessionCore) -> None:
        """Take note of what others have chosen, undone and done since the last look."""
        self._follow_others(core)
        self._strike_out(core)

    def _follow_others(self, core: SessionCore) -> None:
        """Go by the places that others have chosen, and take up again what they have undone."""
        lying = {thing for thing in self._touched if thing not in core.world.holders}
        if not lying or self.goals is None:
            return
        self._touched -= lying
        self._theirs |= lying
        elsewhere = follow_choices(core, self.goals, self._theirs) if self._has_ties else []
        last = {goal.thing: number for number, goal in enumerate(self.goals)}
        for thing in sorted((lying | {goal.thing for goal in elsewhere}) & last.keys()):
            number = last[thing]
            if number in self._open or number in self._given_up or not self.goal(number).puts:
                continue
            times = self._undone.get(number, 0)
            if self.goal(number).lasts and times < TRIES and not is_right(core, self.goal(number)):
                self._undone[number] = times + 1
                self._open.add(number)

    def next(self, core: SessionCore, seat: str, wants: Wants = _anything) -> int | None:
        """Return the goal that a seat is to see to now, which it claims; None: there is none."""
        self._catch_up(core)
        self._claims.pop(seat, None)
        self._asked[seat] = (core.tick, wants)
        number = self._paired_off(core).get(seat)
        if number is not None:
            self._claims[seat] = self.goal(number).thing
            self._ahead.pop(seat, None)
        return number

    def _paired_off(self, core: SessionCore) -> dict[str, int]:
        """Return the goals of the free seats, the nearest first; a seat may be left without one."""
        free = [s for s in self.seats if self._is_at_a_loose_end(core, s)]
        pairs = sorted(
            (self._rank(core, seat, n), seat, n)
            for seat in free
            for n in self._open
            if self._wants(seat)(self.goal(n)) and self._is_free(core, seat, n)
        )
        found: dict[str, int] = {}
        things: set[str] = set()
        for _, seat, n in pairs:
            if seat not in found and self.goal(n).thing not in things:
                found[seat] = n
                things.add(self.goal(n).thing)
        ranks = {(seat, n): rank for rank, seat, n in pairs}
        for one, other in combinations(found, 2):
            a, b = found[one], found[other]
            straight = max(ranks[one, a], ranks[other, b])
            crossed = [ranks.get((one, b)), ranks.get((other, a))]
            if all(crossed) and max(r for r in crossed if r) < straight:
                # Whoever has to go farthest has less far to go so.
                found[one], found[other] = b, a
        return found

    def _is_at_a_loose_end(self, core: SessionCore, seat: str) -> bool:
        """Tell whether a seat has claimed nothing and asks: lately, or at the start."""
        if seat in self._claims:
            return False
        if seat not in self._asked:
            return core.seats[seat].occupied and not core.seats[seat].finished
        return core.tick - self._asked[seat][0] <= ASKS_TICKS

    def _wants(self, seat: str) -> Wants:
        return self._asked[seat][1] if seat in self._asked else _anything

    def _rank(self, core: SessionCore, seat: str, number: int) -> tuple[bool, bool, float, int]:
        """Return what the choice goes by, the least first."""
        goal = self.goal(number)
        here = core.world.agents[seat].position
        held = core.world.held.get(seat)
        away = self._metres(core, here, goal.thing) if len(self.seats) > 1 else 0.0
        return (goal.thing != held, not goal.for_people, away, number)

    def _metres(self, core: SessionCore, here: Vec3, thing: str) -> float:
        """Return how far it is to a thing by the doors, in decimetres that ties are told by (m)."""
        if self._ways is None:
            self._ways = Ways(core.simulator.scene)
        return round(self._ways.metres(here, core.view.pose(thing).position), 1)

    def ahead(self, core: SessionCore, seat: str) -> str | None:
        """Return the thing that a seat without a goal can go to: its goal waits for another's.

        None: there is none that nobody else goes to, or it is there already.
        """
        taken = {*self._claims.values(), *(t for s, t in self._ahead.items() if s != seat)}
        wants, here = self._wants(seat), core.world.agents[seat].position
        things = {
            goal.thing
            for n in self._open
            if (goal := self.goal(n)).thing not in taken
            and wants(goal)
            and self._can(core, seat, goal)
            and not self._is_barred(n)
            and not self._is_busy_with(core, seat, goal.thing)
        }
        thing = min(things, key=lambda t: (self._metres(core, here, t), t), default=None)
        if thing is None:
            self._ahead.pop(seat, None)
        elif thing != self._ahead.get(seat):
            self._ahead[seat] = thing
            return thing
        return None

    def _is_free(self, core: SessionCore, seat: str, number: int) -> bool:
        goal = self.goal(number)
        claimed = any(thing == goal.thing for other, thing in self._claims.items() if other != seat)
        return (
            not claimed
            and not goal.needs & self._open
            and not goal.after & self._given_up
            and self._can(core, seat, goal)
            and not self._is_left_to_others(core, seat, number)
            and not self._is_busy_with(core, seat, goal.thing)
        )

    def _can(self, core: SessionCore, seat: str, goal: Goal) -> bool:
        return not goal.for_people or core.world.bodies[seat].kind == "human"

    def _is_left_to_others(self, core: SessionCore, seat: str, number: int) -> bool:
        """Tell whether others of the agenda are to try a goal that this seat has tried in vain."""
        left = self._leaves[number]
        able = [s for s in self.seats if self._can(core, s, self.goal(number))]
        if left.issuperset(able):
            left.clear()
        return seat in left

    def is_left(self, core: SessionCore, seat: str, number: int) -> bool:
        """Tell whether a goal that a seat has been given is still to be seen to by it.

        Others may have done it, or taken its thing, since.
        """
        self._catch_up(core)
        return number in self._open and not self._is_busy_with(core, seat, self.goal(number).thing)

    def _is_busy_with(self, core: SessionCore, seat: str, thing: str) -> bool:
        """Tell whether somebody else holds a thing and may yet put it down."""
        holder = core.world.holders.get(thing)
        return holder not in (None, seat) and not core.seats[holder].finished

    def _strike_out(self, core: SessionCore) -> None:
        """Leave alone what somebody else has done (or does: it is in a hand of theirs)."""
        others = set(core.seats) - set(self.seats)
        if not any(core.seats[s].occupied for s in others):
            return
        lacking = missing(core)
        for number in sorted(self._open):
            goal = self.goal(number)
            if goal.needs & self._open:
                continue
            # What came undone counts as satisfied once, and has to be right again.
            if is_right(core, goal) if number in self._undone else is_done(core, goal, lacking):
                self._open.discard(number)
        self._given_up = {n for n in self._given_up if not is_done(core, self.goal(n), lacking)}

    def goal(self, number: int) -> Goal:
        assert self.goals is not None
        return self.goals[number]

    def reached(self, number: int) -> None:
        self._open.discard(number)

    def missed(self, seat: str, number: int, failure: SkillError) -> None:
        """Take note of a failed try of a seat: another will follow, up to `TRIES`."""
        self._tries[number] += 1
        # Another place next time, where there is a choice.
        ways = self.goal(number).ways
        ways.append(ways.pop(0))
        if self._tries[number] >= TRIES:
            self.failures.append(failure)
            self._open.discard(number)
            self._given_up.add(number)
        elif self._tries[number] % 2 == 0:
            # A body may be too low to see what lies high up: the others' turn.
            self._leaves[number].add(seat)

    def is_undone(self, core: SessionCore, wants: Wants = _anything) -> bool:
        """Tell whether somebody else has undone what a seat of the agenda is to do again."""
        self._catch_up(core)
        return not self.is_over(core, wants)

    def is_over(self, core: SessionCore, wants: Wants = _anything) -> bool:
        """Tell whether nothing is left that any seat of the agenda could (and wants to) do.

        What would break the task's order is none of it.
        """
        return not any(
            wants(self.goal(n))
            and any(self._can(core, s, self.goal(n)) for s in self.seats)
            and not self._is_barred(n)
            for n in self._open
        )

    def _is_barred(self, number: int) -> bool:
        """Tell whether something that was given up comes before a goal, in the task's order."""
        barred = set(self._given_up)
        # Goals are sorted: each comes after those that it comes after.
        for n in sorted(self._open):
            if self.goal(n).after & barred:
                barred.add(n)
        return number in barred
