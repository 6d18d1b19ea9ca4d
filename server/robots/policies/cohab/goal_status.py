"""Goal status in one view: which things are meant, what holds, what may be done."""

from __future__ import annotations

from functools import cached_property

from episodes.names import floor_key
from episodes.worldgraph import Known, WorldGraph
from server.robots.policies.cohab.instruction_goals import (
    PLACES,
    STATES,
    Goal,
    known_things,
    places_of,
)
from server.robots.policies.cohab.moves import Memory


class GoalStatus:
    """Goals compared with a world graph.

    Made anew for each decision; `settle` records in the memory what has been reached.
    """

    def __init__(self, goals: tuple[Goal, ...], memory: Memory, graph: WorldGraph) -> None:
        self.goals = goals
        self.memory = memory
        self.graph = graph
        self.things = [self._things_of(goal) for goal in goals]
        """Handles that each goal may be about, by the goal's position."""
        self.places = [places_of(graph, goal) for goal in goals]
        self.satisfying: list[list[str]] = []
        for number in range(len(goals)):
            self.satisfying.append(self._satisfying(number))

    def _things_of(self, goal: Goal) -> list[str]:
        found = known_things(self.graph, goal.things)
        if goal.what in STATES:
            names = self.graph.names.graph
            said = {self.graph.find(name) for name in goal.found_in}
            for word in goal.things:
                for furniture, room in self.graph.rooms.items():
                    is_kind = names[furniture].rpartition("_")[0] == word
                    is_there = not said or room in said
                    if names[furniture] == word or (is_kind and is_there):
                        found.append(furniture)
        return found

    # What holds

    def needed(self, number: int) -> int:
        """Return how many things a goal needs.

        A complete list of names caps it: where more were asked for than there are names, all of
        them are needed.
        """
        goal = self.goals[number]
        if all(self.graph.find(word) is not None for word in goal.things):
            return min(goal.number, max(1, len(self.things[number])))
        return goal.number

    def reached(self, number: int) -> bool:
        """Tell whether a goal holds now."""
        return len(self.satisfying[number]) >= self.needed(number)

    def settled(self, number: int) -> bool:
        """Tell whether nothing is left to do for a goal.

        It holds now, or it did before its things were wanted elsewhere.
        """
        return self.reached(number) or (number in self.memory.once and self._superseded(number))

    def is_open(self, number: int) -> bool:
        """Tell whether a goal is unsettled and everything that has to come first is reached."""
        after = self.goals[number].after
        return not self.settled(number) and all(
            a in self.memory.once or self.reached(a) for a in after
        )

    def is_done(self) -> bool:
        return all(self.settled(n) for n in range(len(self.goals)))

    def settle(self) -> None:
        """Record which goals have been reached by now."""
        for number, goal in enumerate(self.goals):
            if self.reached(number) and all(a in self.memory.once for a in goal.after):
                self.memory.once.add(number)

    def _superseded(self, number: int) -> bool:
        """Tell whether a later goal takes the same things elsewhere."""
        if self.goals[number].what not in PLACES:
            return False
        return any(
            rival.what in PLACES
            and number in rival.after
            and set(self.things[number]) & set(self.things[other])
            for other, rival in enumerate(self.goals)
        )

    def _satisfying(self, number: int) -> list[str]:
        goal = self.goals[number]
        found = [t for t in self.things[number] if self.holds(number, t)]
        if not goal.one_place or goal.what not in PLACES:
            return found
        piles = [[t for t in found if self.place(t) == self.place(one)] for one in found]
        return max(piles, key=len, default=[])

    def holds(self, number: int, thing: str) -> bool:
        """Tell whether a goal is true of one thing, ties to earlier goals included."""
        goal, known = self.goals[number], self.graph.objects.get(thing)
        if goal.what in STATES:
            states = self.graph.furniture_states.get(thing, ())
            return STATES[goal.what] in (states if known is None else known.states)
        if goal.what == "next_to":
            return any(
                n == number and t == thing and self._are_together(t, other)
                for n, t, other in self.memory.beside
            )
        place = self.place(thing)
        if not place:
            return False
        if place not in self.places[number]:
            return False
        return place in self._tied(number, range(number), [place])

    def place(self, thing: str) -> str:
        """Return the furniture or floor that a thing is on; empty in a hand or where unknown."""
        known: Known | None = self.graph.objects.get(thing)
        return known.place.key if known is not None and known.place.kind == "furniture" else ""

    def is_lost(self, thing: str) -> bool:
        """Tell whether a thing has been seen but is no longer where it was."""
        known = self.graph.objects.get(thing)
        return known is not None and known.place.kind == "unknown"

    def is_wanted(self, thing: str) -> bool:
        """Tell whether some goal is about a thing, or about what is next to it."""
        return any(
            thing in self.things[number] or (goal.beside and thing in self.references(number, ""))
            for number, goal in enumerate(self.goals)
        )

    def _are_together(self, thing: str, other: str) -> bool:
        """Tell whether both are still on the same furniture.

        What is not an object stays where it is.
        """
        if other not in self.graph.objects:
            return self.place(thing) != ""
        return self.place(thing) == self.place(other) != ""

    # Where things may go

    def allowed(self, number: int) -> list[str]:
        """Return the places that ties leave to a goal, given what has been put down and chosen."""
        goal, memory = self.goals[number], self.memory
        places = self._tied(number, range(len(self.goals)), self.places[number])
        if goal.one_place and places:
            there = [self.place(t) for t in self.satisfying[number]]
            chosen = there[0] if there else memory.chosen.get(number, "")
            return [chosen] if chosen in places else places
        return places

    def _tied(self, number: int, others: range, places: list[str]) -> list[str]:
        left = list(places)
        for other in others:
            if other == number:
                continue
            rival = self.goals[other]
            taken = [self.place(t) for t in self._held_of(other)]
            same = other in self.goals[number].same_as or number in rival.same_as
            if same and taken:
                left = [p for p in left if p in taken]
            elif same:
                left = [p for p in left if p in self.places[other]] or left
            elif self._are_apart(number, other):
                left = [p for p in left if p not in taken]
        return left

    def _are_apart(self, one: int, other: int) -> bool:
        return other in self.goals[one].apart_from or one in self.goals[other].apart_from

    def _held_of(self, number: int) -> list[str]:
        """Return the things that satisfy a goal, as far as that has been worked out."""
        return self.satisfying[number] if number < len(self.satisfying) else []

    def alike(self, number: int) -> list[int]:
        """Return the other goals about where the same things go at the same time."""
        mine = self.goals[number]
        return [
            n
            for n, goal in enumerate(self.goals)
            if n != number and goal.what in PLACES and set(goal.things) == set(mine.things)
            if number not in goal.after and n not in mine.after
        ]

    def tied(self, number: int) -> set[int]:
        """Return the goals whose things go to the same place as a goal's, or to another one."""
        mine, ties = self.goals[number], ("same_as", "apart_from")
        return {
            n
            for n, goal in enumerate(self.goals)
            if any(n in getattr(mine, tie) or number in getattr(goal, tie) for tie in ties)
        }

    def has_choice(self, number: int) -> bool:
        """Tell whether the first thing put down for a goal decides where others have to go."""
        goal = self.goals[number]
        tied = {n for n in self.tied(number) if not self._are_apart(n, number)}
        if len(self.places[number]) < 2 or (not tied and not goal.one_place):
            return False
        return not any(self.satisfying[n] for n in {number, *tied})

    # Next to each other

    def references(self, number: int, thing: str) -> list[str]:
        """Return what a thing may stand next to for a goal: furniture, or known things."""
        word = self.goals[number].beside
        key = self.graph.find(word)
        if key is not None and key in self.graph.rooms:
            return [key]
        return [t for t in known_things(self.graph, (word,)) if t != thing]

    def put_beside(self, thing: str, other: str) -> None:
        """Record that two things stand next to each other now, which a graph does not show."""
        for number, goal in enumerate(self.goals):
            if goal.what != "next_to":
                continue
            for one, two in ((thing, other), (other, thing)):
                if one in self.things[number] and two in self.references(number, one):
                    self.memory.beside.add((number, one, two))

    def put_down(self, thing: str, place: str) -> None:
        """Record a thing that somebody who knows the goals has put down at ``place``.

        If what it belongs next to stands there too, the two are taken to stand next to each other.
        """
        for number, goal in enumerate(self.goals):
            if goal.what == "next_to":
                for one in self.things[number]:
                    for two in self.references(number, one):
                        there = place in (two, self.place(one if two == thing else two))
                        if thing in (one, two) and there:
                            self.memory.beside.add((number, one, two))

    # Whose a thing is

    def is_taken(self, number: int, thing: str) -> bool:
        """Tell whether a thing already counts for another goal, at a place that this one lacks."""
        goal = self.goals[number]
        if goal.what not in PLACES or thing not in self.graph.objects:
            return False
        return any(
            rival.what in PLACES
            and other != number
            and other not in goal.after
            and (
                self._are_apart(number, other)
                or not set(self.places[other]) & set(self.places[number])
            )
            and thing in self.satisfying[other]
            for other, rival in enumerate(self.goals)
        )

    @cached_property
    def missing(self) -> list[int]:
        """Number of things that each goal still lacks, by the goal's position."""
        return [
            max(0, self.needed(n) - len(self.satisfying[n])) if self.is_open(n) else 0
            for n in range(len(self.goals))
        ]

    def is_floor(self, place: str) -> bool:
        return place in self.graph.rooms and place == floor_key(self.graph.rooms[place])
