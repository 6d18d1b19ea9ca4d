"""Who does what next: goals against what is known, without a model.

Pure: the next move follows from the view and from what was done, nothing else. Things that the
partner holds are the partner's; what only a person can do is asked for; what is not known yet is
looked for where such things usually are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from episodes.catalogue.classes import OBJECT_CLASSES
from episodes.names import floor_key
from episodes.poses import Vec3
from episodes.worldgraph import Place, WorldGraph
from server.robots.policies.cohab.meaning import (
    PLACES,
    STATES,
    Goal,
    class_in,
    classes_of,
    known_things,
    places_of,
)
from server.robots.policy import PolicyView

TRIES = 3
USUAL_M = 6.0
"""A place where a thing is usual is worth so much of a detour for each kind that is missing."""
SAID_M = 15.0
"""And a place where the instruction says that it is."""
MOST_DOORS = 8
OPENING_M = 4.0
"""What opening something costs, beside the way."""
PARTNER_WEIGHT = 0.5
"""How much being near to the partner makes an errand the partner's (metres per metre)."""
WET = ("clean", "filled")
_VERB = {"clean": "Clean", "filled": "Fill", "powered_on": "PowerOn", "powered_off": "PowerOff"}
_ASKING = {
    "clean": "wash the {0}",
    "filled": "fill the {0}",
    "powered_on": "switch on the {0}",
    "powered_off": "switch off the {0}",
}


class Move(NamedTuple):
    """A call to make, or (``ask``) something to ask the partner for; ``goal`` is what it is for
    (-1: looking around)."""

    call: str = ""
    ask: str = ""
    goal: int = -1
    thing: str = ""


@dataclass
class Memory:
    """What the planner itself has done and tried."""

    beside: set[tuple[int, str]] = field(default_factory=set)
    """Goals of being next to each other that were reached, with the thing."""
    failed: dict[tuple[int, str], int] = field(default_factory=dict)
    explored: list[str] = field(default_factory=list)
    """Room ids."""
    opened: set[str] = field(default_factory=set)
    """Furniture of which nothing more can be opened."""
    asked: set[tuple[int, str]] = field(default_factory=set)


class Planner:
    """Plans over one reading of the instruction."""

    def __init__(self, goals: tuple[Goal, ...], memory: Memory) -> None:
        self.goals = goals
        self.memory = memory

    # How things stand

    def is_reached(self, graph: WorldGraph, number: int) -> bool:
        """Whether a goal holds, as far as is known."""
        goal = self.goals[number]
        return len(self._satisfying(graph, number)) >= min(goal.number, self._wanted(graph, goal))

    def _wanted(self, graph: WorldGraph, goal: Goal) -> int:
        """All of them where more were asked for than a complete list of names has."""
        if all(graph.find(word) is not None for word in goal.things):
            return max(1, len(known_things(graph, goal.things)))
        return goal.number

    def _satisfying(self, graph: WorldGraph, number: int) -> list[str]:
        goal = self.goals[number]
        return [
            thing for thing in self._things(graph, goal) if self._holds(graph, number, goal, thing)
        ]

    def _things(self, graph: WorldGraph, goal: Goal) -> list[str]:
        found = known_things(graph, goal.things)
        if goal.what in STATES:
            found += [k for w in goal.things if (k := graph.find(w)) in graph.rooms and k]
        return found

    def _holds(self, graph: WorldGraph, number: int, goal: Goal, thing: str) -> bool:
        if goal.what in STATES:
            state, value = STATES[goal.what]
            states = graph.furniture_states.get(thing, ())
            if thing in graph.objects:
                states = graph.objects[thing].states
            return (state, value) in states
        if goal.what == "next_to":
            return (number, thing) in self.memory.beside
        place = graph.objects[thing].place
        if place.kind != "furniture":
            return False
        if goal.what == "in_room":
            rooms = {graph.find(w) for w in goal.where}
            return graph.rooms[place.key] in rooms or place.key in rooms
        return place.key in places_of(graph, goal)

    def is_done(self, graph: WorldGraph) -> bool:
        return all(self.is_reached(graph, n) for n in range(len(self.goals)))

    def _is_open(self, graph: WorldGraph, number: int) -> bool:
        """Not reached, and nothing that has to come first is missing."""
        return not self.is_reached(graph, number) and all(
            self.is_reached(graph, n) for n in self.goals[number].after
        )

    def put_beside(self, graph: WorldGraph, thing: str, other: str | None) -> None:
        """Two things stand next to each other now: a graph does not tell."""
        if other is None:
            return
        for number, goal in enumerate(self.goals):
            if goal.what != "next_to":
                continue
            things = known_things(graph, goal.things)
            references = [*known_things(graph, (goal.beside,)), graph.find(goal.beside)]
            for one, two in ((thing, other), (other, thing)):
                if one in things and two in references:
                    self.memory.beside.add((number, one))

    # What to do

    def next_move(self, view: PolicyView) -> Move | None:
        """None: nothing that this seat could do now."""
        graph = view.graph
        open_goals = [n for n in range(len(self.goals)) if self._is_open(graph, n)]
        moves = [m for n in open_goals for m in self._moves(view, n)]
        mine = [m for m in moves if m.call]
        if mine:
            return min(mine, key=lambda m: self._cost(view, m))
        if held := graph.held(view.seat):
            return self._put_away(view, held)
        asks = [m for m in moves if m.ask and (m.goal, m.thing) not in self.memory.asked]
        if asks:
            return asks[0]
        return self._explore(view, open_goals)

    def _moves(self, view: PolicyView, number: int) -> Iterable[Move]:
        graph, goal = view.graph, self.goals[number]
        missing = goal.number - len(self._satisfying(graph, number))
        if missing <= 0:
            return
        for thing in self._things(graph, goal):
            if self._holds(graph, number, goal, thing):
                continue
            if self.memory.failed.get((number, thing), 0) >= TRIES:
                continue
            if self._is_with_partner(view, thing):
                # What the partner carries is on its way somewhere.
                missing -= 1
                continue
            if self._is_taken(graph, number, thing):
                continue
            yield from self._ways(view, number, goal, thing)

    def _is_taken(self, graph: WorldGraph, number: int, thing: str) -> bool:
        """Whether a thing already counts for another goal of the same kind, at another place."""
        goal = self.goals[number]
        if goal.what not in PLACES:
            return False
        for other, rival in enumerate(self.goals):
            if other == number or rival.what not in PLACES or other in goal.after:
                continue
            if set(rival.where) & set(goal.where) or thing not in graph.objects:
                continue
            if thing in known_things(graph, rival.things) and self._holds(
                graph, other, rival, thing
            ):
                return True
        return False

    def _is_with_partner(self, view: PolicyView, thing: str) -> bool:
        known = view.graph.objects.get(thing)
        return known is not None and known.place.kind == "agent" and known.place.key != view.seat

    def _ways(self, view: PolicyView, number: int, goal: Goal, thing: str) -> Iterable[Move]:
        graph = view.graph
        name = graph.names.graph[thing]
        if goal.what in STATES:
            yield from self._change(view, number, goal, thing)
        elif goal.what == "next_to":
            beside = self._beside(graph, goal.beside, thing)
            place = None if beside is None else self._place_of(graph, beside)
            if beside is not None and place is not None:
                yield from self._carry(view, number, name, place, "on", graph.names.graph[beside])
        else:
            relation = "within" if goal.what == "within" else "on"
            places = [p for p in places_of(graph, goal) if self._fits(graph, goal, p)]
            beside = self._wanted_beside(graph, goal, thing)
            if beside is not None and self._place_of(graph, beside) in places:
                place = self._place_of(graph, beside)
                assert place is not None
                yield from self._carry(
                    view, number, name, place, relation, graph.names.graph[beside]
                )
            tried = self.memory.failed.get((number, thing), 0)
            places.sort(key=lambda p: math.dist(self._where(graph, thing), _at(graph, p)))
            if places:
                place = places[tried % len(places)]
                yield from self._carry(view, number, name, place, relation, "")

    def _fits(self, graph: WorldGraph, goal: Goal, place: str) -> bool:
        # "In the kitchen" is on something there before it is on its floor.
        return goal.what != "in_room" or place != floor_key(graph.rooms[place])

    def _wanted_beside(self, graph: WorldGraph, goal: Goal, thing: str) -> str | None:
        """What a thing that is put down anyhow is to stand next to."""
        for rival in self.goals:
            if rival.what != "next_to":
                continue
            if thing in known_things(graph, rival.things):
                return self._beside(graph, rival.beside, thing)
            if thing in known_things(graph, (rival.beside,)):
                others = [t for t in known_things(graph, rival.things) if t != thing]
                return others[0] if others else None
        return None

    def _beside(self, graph: WorldGraph, word: str, thing: str) -> str | None:
        key = graph.find(word)
        if key is not None and key in graph.rooms:
            return key
        return next((t for t in known_things(graph, (word,)) if t != thing), None)

    def _place_of(self, graph: WorldGraph, key: str) -> str | None:
        if key in graph.rooms:
            return floor_key(graph.rooms[key])
        place = graph.objects[key].place
        return place.key if place.kind == "furniture" else None

    def _carry(
        self, view: PolicyView, number: int, name: str, place: str, relation: str, beside: str
    ) -> Iterable[Move]:
        graph = view.graph
        near = f"next_to, {beside}" if beside else "none, none"
        call = f"Rearrange[{name}, {relation}, {graph.names.graph[place]}, {near}]"
        thing = graph.find(name)
        assert thing is not None
        yield Move(call, "", number, thing)

    # States

    def _change(self, view: PolicyView, number: int, goal: Goal, thing: str) -> Iterable[Move]:
        graph = view.graph
        name = graph.names.graph[thing]
        tools = {t.name for t in view.tools}
        if _VERB[goal.what] not in tools:
            label = graph.names.labels.get(thing, name)
            yield Move("", _ASKING[goal.what].format(label), number, thing)
            return
        wet = goal.what in WET and thing in graph.objects
        if not wet:
            near = view.history and view.history[-1].text == f"Navigate[{name}]"
            ready = near and view.history[-1].succeeded
            call = f"{_VERB[goal.what]}[{name}]" if ready else f"Navigate[{name}]"
            yield Move(call, "", number, thing)
        elif graph.held(view.seat) != thing:
            last = view.history[-1] if view.history else None
            ready = last is not None and last.succeeded and last.text == f"Navigate[{name}]"
            yield Move(f"Pick[{name}]" if ready else f"Navigate[{name}]", "", number, thing)
        elif graph.faucets:
            tap = min(graph.faucets, key=lambda f: math.dist(view.position, _at(graph, f)))
            tap_name = graph.names.graph[tap]
            last = view.history[-1]
            ready = last.succeeded and last.text == f"Navigate[{tap_name}]"
            call = f"{_VERB[goal.what]}[{name}]" if ready else f"Navigate[{tap_name}]"
            yield Move(call, "", number, thing)

    def _put_away(self, view: PolicyView, held: str) -> Move:
        """What is in the hand and has no goal of its own any more: on the nearest furniture."""
        graph = view.graph
        names = graph.names.graph
        places = [f for f in graph.rooms if f != floor_key(graph.rooms[f])]
        places.sort(key=lambda f: math.dist(view.position, _at(graph, f)))
        tried = self.memory.failed.get((-1, held), 0)
        place = places[tried % len(places)]
        call = f"Rearrange[{names[held]}, on, {names[place]}, none, none]"
        return Move(call, "", -1, held)

    # Looking for things

    def _explore(self, view: PolicyView, open_goals: list[int]) -> Move | None:
        """The room to look around in, or the closed furniture to open, in which what is missing
        is most likely."""
        graph = view.graph
        wanted, said = self._missing(graph, open_goals)
        if not wanted:
            return None
        if (last := self._half_open(view)) is not None:
            return last
        options: list[tuple[float, Move]] = []
        for room in graph.scene.rooms:
            usual = sum(room.class_name in OBJECT_CLASSES[c].rooms for c in wanted)
            bonus = USUAL_M * usual + SAID_M * (room.room_id in said)
            if room.room_id not in self.memory.explored:
                away = math.dist(view.position, _at(graph, floor_key(room.room_id)))
                call = f"Explore[{graph.names.graph[room.room_id]}]"
                options.append((away - bonus, Move(call, "", -1, room.room_id)))
                continue
            for furniture in graph.furniture_of(room.room_id):
                if furniture not in graph.articulated or furniture in self.memory.opened:
                    continue
                name = graph.names.graph[furniture]
                kind = name.rpartition("_")[0]
                likely = sum(
                    kind in OBJECT_CLASSES[c].furniture_in(room.class_name) for c in wanted
                )
                cost = math.dist(view.position, _at(graph, furniture)) + OPENING_M - bonus
                cost -= USUAL_M * likely + SAID_M * (furniture in said)
                options.append((cost, Move(f"Navigate[{name}]", "", -1, furniture)))
        return min(options, key=lambda o: o[0])[1] if options else None

    def _missing(self, graph: WorldGraph, open_goals: list[int]) -> tuple[set[str], set[str]]:
        """The classes of what is not known yet, and where it is said to be."""
        wanted: set[str] = set()
        said: set[str] = set()
        for number in open_goals:
            goal = self.goals[number]
            if len(known_things(graph, goal.things)) < goal.number:
                words = [w for w in goal.things if graph.find(w) is None]
            elif goal.beside and graph.find(goal.beside) is None:
                words = [goal.beside] if not known_things(graph, (goal.beside,)) else []
            else:
                continue
            found = {c for w in words for c in classes_of(w) if c in OBJECT_CLASSES}
            if found:
                wanted |= found
                said |= {key for name in goal.found_in if (key := graph.find(name)) is not None}
        return wanted, said | {graph.rooms[key] for key in said if key in graph.rooms}

    def _half_open(self, view: PolicyView) -> Move | None:
        """What the body stands at and has not opened to the last door."""
        last = view.history[-1] if view.history else None
        if last is None or not last.succeeded:
            return None
        verb, _, name = last.text.rstrip("]").partition("[")
        key = view.graph.find(name)
        if verb not in ("Navigate", "Open") or key not in view.graph.articulated:
            return None
        if key is None or key in self.memory.opened:
            return None
        if [past.text for past in view.history[-MOST_DOORS:]].count(last.text) == MOST_DOORS:
            # Under PARTNR's rules what is open opens again and again.
            self.memory.opened.add(key)
            return None
        return Move(f"Open[{name}]", "", -1, key)

    # Costs

    def _cost(self, view: PolicyView, move: Move) -> tuple[bool, float]:
        """What is in the hand first; then the shortest way, away from the partner."""
        graph = view.graph
        held = graph.held(view.seat)
        there = self._where(graph, move.thing)
        cost = math.dist(view.position, there)
        for seat, room in graph.agents.items():
            if seat != view.seat and room:
                away = math.dist(_at(graph, floor_key(room)), there)
                cost -= PARTNER_WEIGHT * min(away, 8.0)
        return (held is not None and held != move.thing, cost)

    def _where(self, graph: WorldGraph, thing: str) -> Vec3:
        known = graph.objects.get(thing)
        if known is None:
            return _at(graph, thing)
        if known.place == Place("agent", known.place.key) or not known.place.key:
            return (0.0, 0.0, 0.0)
        return _at(graph, known.place.key)


def _at(graph: WorldGraph, key: str) -> Vec3:
    """About where furniture, or the floor of a room, is."""
    for furniture in graph.scene.furniture:
        if furniture.handle == key:
            return furniture.pose.position
    for room in graph.scene.rooms:
        if key in (room.room_id, floor_key(room.room_id)):
            xs, zs = [x for x, _ in room.polygon], [z for _, z in room.polygon]
            return (sum(xs) / len(xs), room.floor_y, sum(zs) / len(zs))
    return (0.0, 0.0, 0.0)


def class_names_of(graph: WorldGraph) -> list[str]:
    """The classes of the objects that are known."""
    return sorted({class_in(graph, h) for h in graph.objects})
