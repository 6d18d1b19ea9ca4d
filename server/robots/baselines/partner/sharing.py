"""Shared work of a team with scripted partners: who sees to which thing, people first.

Everybody who plays has a share, whether a script plays it or a person. People keep theirs until
they give it away, leave, have finished or are away for long (`absence.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from server.robots.baselines.expert.goals import (
    Goal,
    follow_choices,
    has_ties,
    plan,
    tied_propositions,
)
from server.robots.baselines.expert.order import UnsolvableError
from server.robots.baselines.expert.progress import (
    is_done,
    is_put,
    is_right,
    missing,
)
from server.robots.baselines.partner.absence import Absences, Inherited, is_away, there
from server.robots.baselines.scripted_player import Change, Put
from server.sessions.core import SessionCore

TRIES = 4
"""Tries of a goal before its seat gives it up."""
HANDLING_M = 3.0
"""Length of way (m) that taking and putting down count as."""


class SharedWork:
    """The goals of an episode, and the seat that sees to each; all scripted partners share one."""

    def __init__(self) -> None:
        self.seats: list[str] = []
        """The seats of scripted partners, in the order in which they came."""
        self.goals: list[Goal] = []
        self.owner: dict[str, str | None] = {}
        """The seat that sees to a thing; None: nobody here can."""
        self.open: set[int] = set()
        self.by_request: dict[str, str] = {}
        """Things that are somebody's because it was said so, and who said it (empty: a robot)."""
        self.spared: dict[str, str] = {}
        """Things that scripted partners leave alone until asked, and who wants that."""
        self.refused: set[str] = set()
        """Things that somebody has said no for, when a scripted partner offered to take them."""
        self.bringing: dict[str, str] = {}
        """The furniture with a tap that a thing is brought to, so that a person can wash it."""
        self._done: set[int] = set()
        """Goals that have been seen to be done, and may come undone."""
        self._undone: dict[int, int] = {}
        """Times that each goal which has to hold at the end was taken up again."""
        self._tries: dict[int, int] = {}
        self._is_planned = False
        self._has_ties = False
        self._touched: set[str] = set()
        """Things that people have taken or put somewhere since that was looked at."""
        self._theirs: set[str] = set()
        """Things that people have put somewhere."""
        self._absences = Absences()
        self._left_by: dict[str, str] = {}
        """The seats that left things which nobody who is there can see to."""

    @property
    def lead(self) -> str:
        """The seat that speaks for all of them."""
        return self.seats[0]

    def join(self, seat: str) -> None:
        if seat not in self.seats:
            self.seats.append(seat)

    def leave(self, seat: str) -> None:
        """Take note that no scripted partner plays a seat any more."""
        if seat in self.seats:
            self.seats.remove(seat)

    def prepare(self, core: SessionCore) -> None:
        """Plan and share out, once. A task without a plan leaves nothing to share."""
        if self._is_planned:
            return
        self._is_planned = True
        try:
            self.goals = plan(core)
        except UnsolvableError:
            self.goals = []
        self.open = set(range(len(self.goals)))
        self._has_ties = has_ties(core)
        # Whoever begins in the middle of a task, as after a restart, shares out what is left.
        self.strike_out(core)
        if core.started_tick is not None:
            self.open -= {n for n in self.open if is_put(core, self.goals[n])}
        left = [self.goals[n] for n in sorted(self.open)]
        self.owner = shares(core, left, there(core))
        self._bring_to_taps(core)

    def _bring_to_taps(self, core: SessionCore) -> None:
        """Let robots bring what a person has to wash or fill to a tap, where that comes first."""
        scene, view = core.simulator.scene, core.view
        taps = [
            f.handle
            for f in scene.furniture
            if view.template(f.handle).faucet is not None
            and any(s.receptacle.kind == "on" for s in core.surfaces.of[f.handle])
        ]
        for thing in self.things():
            first = next(g for g in self.goals if g.thing == thing)
            if taps and first.for_people and first.keeps_in_hand and not first.needs:
                at = view.pose(thing).position
                self.bringing[thing] = min(taps, key=lambda tap: view.distance_from(at, tap))

    def to_bring(self, core: SessionCore, seat: str) -> tuple[str, str] | None:
        """Return a thing that a person has to wash, and the tap to bring it to."""
        for thing, tap in self.bringing.items():
            numbers = self.goals_of(thing)
            if not numbers or not self.goals[numbers[0]].for_people:
                continue
            if self.can(core, seat, numbers[0]) or thing in self.by_request:
                continue
            if thing in self.spared:
                continue
            here = core.view.receptacle_of(thing)
            is_there = here is not None and here.furniture.handle == tap
            if not is_there and core.world.holders.get(thing) in (None, seat):
                return thing, tap
        return None

    # What is left

    def things(self, seat: str | None = None) -> list[str]:
        """Return the things with open goals, all or those of one seat, in the order of the plan."""
        found = dict.fromkeys(self.goals[n].thing for n in sorted(self.open))
        return [t for t in found if seat is None or self.owner.get(t) == seat]

    def note(self, thing: str) -> None:
        """Take note that a person has done something with a thing."""
        self._touched.add(thing)

    def _follow_people(self, core: SessionCore) -> None:
        """Let goals lead to the places that people have chosen for what is tied."""
        lying = {thing for thing in self._touched if thing not in core.world.holders}
        self._touched -= lying
        self._theirs |= lying
        if lying and self._has_ties:
            for goal in follow_choices(core, self.goals, self._theirs):
                number = self.goals.index(goal)
                if number not in self.open and goal.lasts and not is_right(core, goal):
                    self._take_up_again(number)
                    if goal.thing not in self.owner:
                        # It lay where it was wanted, so that nobody had to see to it.
                        self.owner |= shares(core, [goal], there(core))

    def strike_out(self, core: SessionCore) -> None:
        """Leave alone what has come about, whoever did it, and take up again what came undone.

        What somebody has in the hand again is theirs to put back: what a hand holds over a table
        is not put there, though it counts.
        """
        self._follow_people(core)
        lacking = missing(core)
        for number, goal in enumerate(self.goals):
            # Only part of a proposition is looked at by thing: the whole counts in a hand, too.
            is_carried = goal.thing in core.world.holders and ends_in_put(goal)
            lasts = goal.lasts and ends_in_put(goal)
            # What came undone counts as satisfied once, and has to be right again.
            is_again = lasts and (number in self._undone or number not in self.open)
            holds = not is_carried and (
                is_right(core, goal) if is_again else is_done(core, goal, lacking)
            )
            if number in self.open:
                if holds and not goal.needs & self.open:
                    self.open.discard(number)
                    if not lasts or is_right(core, goal):
                        self._done.add(number)
            elif holds or is_put(core, goal):
                self._done.add(number)
            elif number in self._done and self._undone.get(number, 0) < TRIES:
                self._done.discard(number)
                self._take_up_again(number)
                holder = core.world.holders.get(goal.thing)
                if holder is not None and holder not in self.seats:
                    self.owner[goal.thing] = holder

    def _take_up_again(self, number: int) -> None:
        self.open.add(number)
        if self.goals[number].lasts and ends_in_put(self.goals[number]):
            self._undone[number] = self._undone.get(number, 0) + 1

    def goals_of(self, thing: str) -> list[int]:
        return [n for n in sorted(self.open) if self.goals[n].thing == thing]

    def next(self, core: SessionCore, seat: str) -> int | None:
        """Return the goal that a seat is to see to now: about what it holds, else its first."""
        held = core.world.held.get(seat)
        free = [
            n
            for n in sorted(self.open)
            if self.owner.get(self.goals[n].thing) == seat
            and self.goals[n].thing not in self.spared
            and self.can(core, seat, n)
            and not self.goals[n].needs & self.open
            and core.world.holders.get(self.goals[n].thing) in (None, seat)
            and not self.is_for_others_to_choose(core, n)
        ]
        return next((n for n in free if self.goals[n].thing == held), free[0] if free else None)

    def is_for_others_to_choose(self, core: SessionCore, number: int) -> bool:
        """Tell whether somebody carries what a goal's thing has to be together with.

        Where they put it down decides; the first place of either counts for good.
        """
        return self._carried_with(core, number) is not None

    def awaited(self, core: SessionCore, seat: str) -> tuple[str, str] | None:
        """Return a thing of a seat's share, and the one that somebody carries which it goes with.

        What the seat holds comes first. None: it waits for nobody's choice.
        """
        held = core.world.held.get(seat)
        for number in sorted(self.open, key=lambda n: (self.goals[n].thing != held, n)):
            thing = self.goals[number].thing
            if self.owner.get(thing) == seat and (other := self._carried_with(core, number)):
                return thing, other
        return None

    def _carried_with(self, core: SessionCore, number: int) -> str | None:
        """Return the thing that somebody else carries and that has to be where a goal's is."""
        if not self._has_ties or not ends_in_put(self.goals[number]):
            return None
        for other in self._tied_to(core, number):
            holder = core.world.holders.get(self.goals[other].thing)
            if holder is not None and holder not in self.seats and not core.seats[holder].finished:
                return self.goals[other].thing
        return None

    def _tied_to(self, core: SessionCore, number: int) -> list[int]:
        tied = tied_propositions(core, self.goals[number].propositions)
        return [n for n, goal in enumerate(self.goals) if n != number and goal.propositions & tied]

    def can(self, core: SessionCore, seat: str, number: int) -> bool:
        """Tell whether a seat's body can do what a goal wants."""
        return not self.goals[number].for_people or core.world.bodies[seat].kind == "human"

    def blocked_by(self, core: SessionCore, seat: str) -> list[Goal]:
        """Return the open goals of others for which a seat's own goals wait."""
        waited = {
            need
            for n in self.open
            if self._is_of(core, seat, n)
            for need in self.goals[n].needs & self.open
        }
        return [
            self.goals[n]
            for n in sorted(waited)
            if self.owner.get(self.goals[n].thing) != seat or not self.can(core, seat, n)
        ]

    def is_busy(self, core: SessionCore, seat: str) -> bool:
        """Tell whether a seat has work left that it can do, now or once others have done theirs."""
        return any(self._is_of(core, seat, n) for n in self.open)

    def _is_of(self, core: SessionCore, seat: str, number: int) -> bool:
        """Tell whether a goal is a seat's to do, and not to be left alone."""
        thing = self.goals[number].thing
        is_owner = self.owner.get(thing) == seat and thing not in self.spared
        return is_owner and self.can(core, seat, number)

    def carried(self, core: SessionCore, owners: Iterable[str], seat: str) -> list[str]:
        """Return the things of some seats that ``seat`` could see to instead."""
        among = set(owners)
        return [
            t
            for t in self.things()
            if self.owner.get(t) in among
            and t not in self.spared
            and self.can(core, seat, self.goals_of(t)[0])
            and core.world.holders.get(t) in (None, seat)
        ]

    # Who sees to what

    def hand(self, thing: str, seat: str, asker: str = "") -> None:
        """Let a seat see to a thing, because somebody said so."""
        self.owner[thing] = seat
        self.by_request[thing] = asker
        self.spared.pop(thing, None)
        self.refused.discard(thing)
        for number in self.goals_of(thing):
            self._tries.pop(number, None)

    def spare(self, core: SessionCore, thing: str, asker: str) -> None:
        """Let scripted partners leave a thing alone; what was theirs is whoever's wants that."""
        is_ours = self.owner.get(thing) in self.seats
        if is_ours and all(self.can(core, asker, number) for number in self.goals_of(thing)):
            self.hand(thing, asker, asker)
        self.spared[thing] = asker

    def settle(self, core: SessionCore) -> list[Inherited]:
        """Give others what those had who have left, have finished or are away for long.

        Scripted partners take what their bodies can do, whoever has least to do first. What only
        people can do goes to human bodies.
        """
        self._follow_hands(core)
        reasons = self._absences.reasons(core, self.seats)
        idle = [s for s in reasons if s in self.owner.values()]
        if not idle and not self._left_by:
            return []
        self.strike_out(core)
        found = self._find_owners(core, reasons)
        for seat in idle:
            wanted = set(self.things(seat))
            heirs: dict[str, str | None] = {}
            for thing in [t for t, owner in self.owner.items() if owner == seat]:
                holds = core.world.holders.get(thing) == seat
                is_left = thing in self.spared or thing in self.refused
                is_kept = holds or is_left or thing not in wanted
                if reasons[seat] != "left" and is_kept:
                    continue
                if reasons[seat] == "left" or self.spared.get(thing) == seat:
                    # Nobody is left who could see to it instead.
                    self.spared.pop(thing, None)
                heir = None if holds else self._heir(core, thing, reasons)
                if heir is None and reasons[seat] != "left":
                    # Whoever may come back keeps what nobody else can do.
                    continue
                self.owner[thing] = heir
                self.by_request.pop(thing, None)
                if thing in wanted:
                    heirs[thing] = heir
                    if heir is None:
                        self._left_by[thing] = seat
            if heirs:
                found.append(Inherited(seat, reasons[seat], heirs))
        return found

    def _follow_hands(self, core: SessionCore) -> None:
        """Let people see to what they have taken into the hand, whoever was to do so before.

        When they leave it is among what they leave, and others take it.
        """
        for thing, holder in core.world.holders.items():
            if holder in self.seats or self.owner.get(thing) in (None, holder):
                continue
            numbers = self.goals_of(thing)
            if numbers and all(self.can(core, holder, n) for n in numbers):
                self.owner[thing] = holder

    def _find_owners(self, core: SessionCore, without: Iterable[str]) -> list[Inherited]:
        """Give what nobody could see to to whoever is there again."""
        found = []
        for thing, seat in list(self._left_by.items()):
            if self.owner.get(thing) is not None or not self.goals_of(thing):
                del self._left_by[thing]
            elif core.world.holders.get(thing) is None:
                heir = self._heir(core, thing, without)
                if heir is not None:
                    del self._left_by[thing]
                    self.owner[thing] = heir
                    found.append(Inherited(seat, "left", {thing: heir}))
        return found

    def _heir(self, core: SessionCore, thing: str, without: Iterable[str]) -> str | None:
        """Return who is to see to a thing whose owner does not; None: nobody here can."""
        numbers = self.goals_of(thing)
        if not numbers:
            return None
        among = [s for s in there(core) if s not in without]
        kinds = {seat: core.world.bodies[seat].kind for seat in among}
        if any(self.goals[n].for_people for n in numbers):
            able = [s for s in among if kinds[s] == "human"]
            # Robots alone begin what they can begin.
            if not able and not self.goals[numbers[0]].for_people:
                able = among
        else:
            able = among

        here = core.view.pose(thing).position

        def rank(seat: str) -> tuple[bool, bool, bool, float, float]:
            seated, mine = core.seats[seat], self.seats
            is_done = seated.finished and seat not in mine
            load = sum(
                length_m(core, self.goals[n])
                for n in self.open
                if self.owner.get(self.goals[n].thing) == seat
            )
            away_m = math.dist(core.world.agents[seat].position, here)
            return (is_done, is_away(core, seat), seat not in mine, load, away_m)

        order = sorted(able, key=lambda s: self.seats.index(s) if s in self.seats else len(able))
        return min(order, key=rank, default=None)

    def reached(self, number: int) -> None:
        self.open.discard(number)

    def missed(self, number: int) -> bool:
        """Take note of a failed try; return whether the seat is to give it up."""
        self._tries[number] = self._tries.get(number, 0) + 1
        ways = self.goals[number].ways
        ways.append(ways.pop(0))
        return self._tries[number] >= TRIES


def shares(core: SessionCore, goals: list[Goal], seats: list[str]) -> dict[str, str | None]:
    """Share things out among all who play; states go to human bodies, the rest by length of way.

    The longest first, to whoever has least so far; where that is alike, to people. What somebody
    holds is theirs. None: nobody's body can do it.
    """
    load = dict.fromkeys(seats, 0.0)
    kinds = {seat: core.world.bodies[seat].kind for seat in seats}
    order = sorted(seats, key=lambda s: (bool(core.seats[s].policy), kinds[s] != "human"))
    lengths: dict[str, float] = {}
    for goal in goals:
        lengths[goal.thing] = lengths.get(goal.thing, 0.0) + length_m(core, goal)
    for_people = {g.thing for g in goals if g.for_people}
    owner: dict[str, str | None] = {}
    for thing in sorted(lengths, key=lambda t: (t not in for_people, -lengths[t])):
        able = [s for s in order if thing not in for_people or kinds[s] == "human"]
        if not able:
            # Robots alone put away what can be put away.
            able = [] if all(g.for_people for g in goals if g.thing == thing) else order
        holder = core.world.holders.get(thing)
        chosen = holder if holder in able else min(able, key=lambda s: load[s], default=None)
        owner[thing] = chosen
        if chosen is not None:
            load[chosen] += lengths[thing]
    return owner


def ends_in_put(goal: Goal) -> bool:
    """Tell whether a goal is about where a thing lies."""
    return isinstance(goal.ways[0][-1], Put)


def length_m(core: SessionCore, goal: Goal) -> float:
    """Return the way that a goal takes (m), as the crow flies."""
    put = next((step for step in goal.ways[0] if isinstance(step, Put)), None)
    if put is None or put.target not in core.surfaces.of:
        return HANDLING_M * (2 if any(isinstance(s, Change) for s in goal.ways[0]) else 1)
    start = core.view.pose(goal.thing).position
    return HANDLING_M + math.dist(start, core.view.pose(put.target).position)
