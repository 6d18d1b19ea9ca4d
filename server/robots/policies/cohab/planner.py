"""Planner without a model: who does what next, from goals and what is known.

What the partner carries or is busy with is the partner's; what only a person can do is asked for;
the rest goes to whoever is nearer. What is not known yet is looked for where it is likely.
"""

from __future__ import annotations

from collections.abc import Iterable

from episodes.names import floor_key
from episodes.poses import Vec3
from server.robots.policies.cohab.goal_status import GoalStatus
from server.robots.policies.cohab.instruction_goals import PLACES, STATES, Goal
from server.robots.policies.cohab.moves import NO_GOAL, Memory, Move
from server.robots.policies.cohab.partner_model import Partners
from server.robots.policies.cohab.search import look_around, look_for
from server.robots.policies.cohab.settings import CohabSettings
from server.robots.policies.shared.walking_distances import Ways
from server.robots.policy import PolicyView
from server.skills.call import Call

DEFAULTS = CohabSettings()
TRIES = 3
CARRY_WEIGHT = 0.3
"""Weight of the way with a thing against the way to it: somebody has to walk it in any case."""
PARTNER_WEIGHT = 0.6
"""Metres by which each metre between the partner and a thing makes the errand cheaper for this
seat."""
PARTNER_FAR_M = 10.0
"""Distance of the partner beyond which more makes no difference (m)."""
HEADING_M = 8.0
"""Extra cost of an errand that the partner is walking to (m)."""
ORDER_M = 1.5
"""Detour that a later goal is worth for each goal before it (m): a partner at work is likely to
begin with what is asked for first."""
NEAR_M = 3.0
"""Distance within which this seat waits beside a thing instead of walking up to it (m)."""
WET = ("clean", "filled")
_TOOLS = {"clean": "Clean", "filled": "Fill", "powered_on": "PowerOn", "powered_off": "PowerOff"}
_ASKING = {
    "clean": "wash the {0}",
    "filled": "fill the {0}",
    "powered_on": "switch on the {0}",
    "powered_off": "switch off the {0}",
}
_SURFACES = ("table", "counter", "bed", "couch", "bench", "stand", "chest_of_drawers", "shelves")
"""Furniture classes for things that any furniture of a room will do for, the surest first."""


class Planner:
    """Planner over one reading of the instruction."""

    def __init__(
        self,
        goals: tuple[Goal, ...],
        memory: Memory,
        ways: Ways,
        partners: Partners,
        settings: CohabSettings = DEFAULTS,
    ) -> None:
        self.goals = goals
        self.memory = memory
        self.ways = ways
        self.partners = partners
        self.settings = settings

    def status(self, view: PolicyView) -> GoalStatus:
        """Return how the goals stand, with what the partner has put next to each other."""
        status = GoalStatus(self.goals, self.memory, view.graph)
        for thing, name in self.partners.arrangements():
            if status.place(thing) and status.place(thing) == view.graph.find(name):
                status.put_down(thing, status.place(thing))
                # Who goes on to what comes later has seen to what comes first.
                for number, goal in enumerate(self.goals):
                    if thing in status.satisfying[number]:
                        self.memory.once.update(goal.after)
        status = GoalStatus(self.goals, self.memory, view.graph)
        status.settle()
        return status

    def next_move(self, view: PolicyView, status: GoalStatus) -> Move | None:
        """Return the next move; None where this seat can do nothing now."""
        look_around(view, status, self.ways, self.partners)
        moves = self._all_moves(view, status)
        held = view.graph.held(view.seat)
        mine = [
            m
            for m in moves
            if m.call and (m.thing == held or not (held or self._waits(view, status, m.goal)))
        ]
        # Who chooses a place for others too does that last: the partner may have chosen already.
        fixed = [m for m in mine if m.thing == held or not status.has_choice(m.goal)]
        if fixed:
            return self._cheapest(status, fixed, view)
        if held is not None:
            return self._put_away(view, status, held)
        asks = [m for m in moves if m.ask and (m.goal, m.thing) not in self.memory.asked]
        if asks:
            return asks[0]
        # What is behind doors is left to whoever is at work, and may know where it is.
        opens = self.settings.opens == "always" or not self.partners.knows_more(view)
        prior = self.settings.prior
        looking = look_for(view, status, self.ways, self.partners, opens, prior=prior)
        if looking is not None and not looking.opens:
            return looking
        if mine:
            return self._cheapest(status, mine, view)
        return looking or self._ahead(view, status)

    def _waits(self, view: PolicyView, status: GoalStatus, number: int) -> bool:
        """Tell whether a goal's place depends on what the partner has just put down or carries.

        The partner may think better of it.
        """
        return any(
            self.partners.is_busy_with(view, thing) or self.partners.carries(view, thing)
            for other in status.tied(number)
            for thing in status.things[other]
        )

    def errands(self, view: PolicyView, status: GoalStatus) -> list[Move]:
        """Return every call that this seat could make for a goal now."""
        moves = self._all_moves(view, status)
        return [m for m in moves if m.call and not status.has_choice(m.goal)]

    # What could be done

    def _all_moves(self, view: PolicyView, status: GoalStatus) -> list[Move]:
        return [m for n in range(len(self.goals)) for m in self._moves(view, status, n)]

    def _moves(self, view: PolicyView, status: GoalStatus, number: int) -> Iterable[Move]:
        satisfying = status.satisfying[number]
        candidates = [t for t in status.things[number] if t not in satisfying]
        under_way = sum(self.partners.carries(view, t) for t in candidates)
        # What the partner carries for a goal is as good as there.
        if status.missing[number] <= under_way:
            return
        for thing in candidates:
            if self.partners.holds(view, thing) or status.is_lost(thing):
                continue
            if status.is_taken(number, thing):
                continue
            if self._is_left_to_partner(view, status, number, thing):
                continue
            if self.memory.failed[number, thing] < TRIES:
                move = self._way(view, status, number, thing)
            else:
                move = self._request(status, number, thing)
            if move is not None:
                yield move

    def _is_left_to_partner(
        self, view: PolicyView, status: GoalStatus, number: int, thing: str
    ) -> bool:
        """Tell whether a thing is the partner's: busy with it, or about to wash or fill it."""
        if thing not in self.memory.undone and self.partners.is_busy_with(view, thing):
            return True
        tools = {t.name for t in view.tools}
        return self.goals[number].what not in STATES and any(
            goal.what in WET
            and _TOOLS[goal.what] not in tools
            and thing in status.things[other]
            and thing not in status.satisfying[other]
            and number not in goal.after
            and not status.settled(other)
            for other, goal in enumerate(self.goals)
        )

    def _way(self, view: PolicyView, status: GoalStatus, number: int, thing: str) -> Move | None:
        """Return the next call that brings one thing where a goal wants it."""
        goal = self.goals[number]
        if goal.what in STATES:
            return self._change(view, status, number, thing)
        if goal.what == "next_to":
            return self._join(view, status, number, thing)
        places = self._places(status, number, thing)
        if not places:
            return None
        place = places[self.memory.failed[number, thing] % len(places)]
        beside = next((t for t in self._company(status, thing) if status.place(t) in places), None)
        if beside is not None:
            place = status.place(beside)
        relation = "within" if goal.what == "within" else "on"
        return self._carry(view, status, number, thing, place, relation, beside)

    def _join(self, view: PolicyView, status: GoalStatus, number: int, thing: str) -> Move | None:
        """Return the call that puts a thing next to what it belongs to, once that is in place."""
        mine = [
            status.places[other]
            for other, goal in enumerate(self.goals)
            if goal.what in PLACES and thing in status.things[other]
        ]
        for other in status.references(number, thing):
            rooms = status.graph.rooms
            place = floor_key(rooms[other]) if other in rooms else status.place(other)
            if place and (not mine or any(place in places for places in mine)):
                return self._carry(view, status, number, thing, place, "on", other)
        return None

    def _places(self, status: GoalStatus, number: int, thing: str) -> list[str]:
        """Return where a thing may go for a goal, the nearest to it first."""
        goal, ways = self.goals[number], self.ways
        places = status.allowed(number)
        # What can be reached by putting it down once is not done in two goes.
        for other in status.alike(number):
            also = status.allowed(other)
            places = [p for p in places if p in also] or places
        start = ways.places.get(status.place(thing))
        if goal.what == "in_room" and not all(status.is_floor(p) for p in places):
            # Something is put on furniture there, not on the floor.
            places = [p for p in places if not status.is_floor(p)]
        if start is not None:
            places.sort(key=lambda p: ways.metres(start, ways.places[p]))
        if goal.what == "in_room":
            places.sort(key=lambda p: _surface_rank(status, p))
        return places

    def _company(self, status: GoalStatus, thing: str) -> Iterable[str]:
        """Return what a thing that is put down anyhow is to stand next to."""
        for number, goal in enumerate(self.goals):
            if goal.what != "next_to" or not status.missing[number]:
                continue
            if thing in status.things[number]:
                yield from status.references(number, thing)
            for one in status.things[number]:
                if thing in status.references(number, one):
                    yield one

    def _carry(
        self,
        view: PolicyView,
        status: GoalStatus,
        number: int,
        thing: str,
        place: str,
        relation: str,
        beside: str | None,
    ) -> Move:
        names = status.graph.names.graph
        near = "" if beside is None else names[beside]
        verb = "Rearrange"
        if self.partners.are_paired_off and next(iter(self._company(status, thing)), None):
            # Somebody else may bring what it belongs beside: that is seen when it is put down.
            is_held = view.graph.held(view.seat) == thing
            at, verb = (names[place], "Place") if is_held else (names[thing], "Pick")
            if not _is_at(view, at):
                return Move(Call.of("Navigate", at), "", number, thing)
            if not is_held:
                return Move(Call.of("Pick", at), "", number, thing)
        call = Call.putting(verb, names[thing], relation, names[place], near)
        return Move(call, "", number, thing)

    def _request(self, status: GoalStatus, number: int, thing: str) -> Move | None:
        """Return the request to the partner for what was tried in vain."""
        goal, names = self.goals[number], status.graph.names
        label = names.labels.get(thing, names.graph[thing])
        if goal.what in STATES:
            return Move(None, _ASKING[goal.what].format(label), number, thing)
        places = status.allowed(number)
        if goal.what == "next_to" or not places:
            return None
        where = names.labels.get(places[0], names.graph[places[0]])
        into = "into" if goal.what == "within" else "on"
        return Move(None, f"put the {label} {into} the {where}", number, thing)

    def _ahead(self, view: PolicyView, status: GoalStatus) -> Move | None:
        """Return a walk to what is to be carried once the partner has done what comes before."""
        waiting = [
            Move(Call.of("Navigate", view.graph.names.graph[thing]), "", NO_GOAL, thing)
            for number in range(len(self.goals))
            if not status.settled(number) and not status.missing[number]
            for thing in status.things[number]
            if thing not in status.satisfying[number]
            and status.place(thing)
            and not self.partners.is_busy_with(view, thing)
        ]
        if not waiting:
            return None
        best = self._cheapest(status, waiting, view)
        away = self.ways.metres(view.position, self.ways.places[status.place(best.thing)])
        return best if away > NEAR_M else None

    # States

    def _change(self, view: PolicyView, status: GoalStatus, number: int, thing: str) -> Move:
        """Return the next move towards washing, filling or switching a thing.

        A body that has no such skill asks the partner.
        """
        graph, goal = view.graph, self.goals[number]
        tool, name = _TOOLS[goal.what], graph.names.graph[thing]
        if tool not in {t.name for t in view.tools}:
            label = graph.names.labels.get(thing, name)
            return Move(None, _ASKING[goal.what].format(label), number, thing)
        at, wanted = name, tool
        if goal.what in WET and thing in graph.objects:
            if graph.held(view.seat) != thing:
                wanted = "Pick"
            elif graph.faucets:
                places = self.ways.places
                at = graph.names.graph[
                    min(graph.faucets, key=lambda f: self.ways.metres(view.position, places[f]))
                ]
        call = Call.of(wanted, name) if _is_at(view, at) else Call.of("Navigate", at)
        return Move(call, "", number, thing)

    def _put_away(self, view: PolicyView, status: GoalStatus, held: str) -> Move:
        """Return a call that puts down what is held without a goal, on the nearest furniture."""
        names, ways = view.graph.names.graph, self.ways
        places = [f for f in view.graph.rooms if not status.is_floor(f)]
        places.sort(key=lambda f: ways.metres(view.position, ways.places[f]))
        place = places[self.memory.failed[NO_GOAL, held] % len(places)]
        call = Call.putting("Rearrange", names[held], "on", names[place])
        return Move(call, "", NO_GOAL, held)

    # Costs

    def _cheapest(self, status: GoalStatus, moves: list[Move], view: PolicyView) -> Move:
        """Return the move with the shortest way, away from partners and what they walk to."""
        if self.partners.are_paired_off:
            moves = self._own_part(status, moves, view)
        theirs = self.partners.likely_next(status, [m.thing for m in moves])
        return min(moves, key=lambda m: self._cost(status, m, view, theirs))

    def _own_part(self, status: GoalStatus, moves: list[Move], view: PolicyView) -> list[Move]:
        """Leave out what is nearer to one of several partners, as long as something remains.

        The nearest body and thing are paired off first, then the next of both; equal ways go by the
        order of the seats. Bodies that plan alike so agree without a word.
        """
        held = view.graph.held(view.seat)
        if any(m.thing == held for m in moves):
            return moves
        free = {**self.partners.free(view), view.seat: view.position}
        things = list(dict.fromkeys(m.thing for m in moves))
        for_people = {m.thing for m in moves if m.goal != NO_GOAL and self._is_state(m)}
        robots = {p.seat for p in view.partners if p.kind == "robot"}
        pairs = sorted(
            (self.ways.metres(free[seat], self._at(status, thing, view)), seat, number)
            for seat in free
            for number, thing in enumerate(things)
            if not (seat in robots and thing in for_people)
        )
        taken: set[int] = set()
        served: set[str] = set()
        for _, seat, number in pairs:
            if seat in served or number in taken:
                continue
            if seat == view.seat:
                return [m for m in moves if m.thing == things[number]]
            served.add(seat)
            taken.add(number)
        return moves

    def _is_state(self, move: Move) -> bool:
        return self.goals[move.goal].what in STATES

    def _at(self, status: GoalStatus, thing: str, view: PolicyView) -> Vec3:
        return self.ways.places.get(status.place(thing) or thing, view.position)

    def _cost(self, status: GoalStatus, move: Move, view: PolicyView, theirs: set[str]) -> float:
        there = self._at(status, move.thing, view)
        cost = self.ways.metres(view.position, there) + HEADING_M * (move.thing in theirs)
        if self.partners.is_active(view):
            cost -= ORDER_M * move.goal
        if move.call is not None and move.call.place:
            place = view.graph.find(move.call.place)
            if place is not None:
                cost += CARRY_WEIGHT * self.ways.metres(there, self.ways.places[place])
        if away := [self.ways.metres(p, there) for p in self.partners.positions]:
            cost -= PARTNER_WEIGHT * min(*away, PARTNER_FAR_M)
        return cost


def _is_at(view: PolicyView, name: str) -> bool:
    """Tell whether the body has just walked to a thing or a piece of furniture."""
    last = view.history[-1] if view.history else None
    return last is not None and last.succeeded and last.call == Call.of("Navigate", name)


def _surface_rank(status: GoalStatus, place: str) -> int:
    kind = status.graph.names.graph[place].rpartition("_")[0]
    return _SURFACES.index(kind) if kind in _SURFACES else len(_SURFACES)
