"""World graph (house - room - furniture - object - agents) under PARTNR's names.

Rooms and furniture never change, so only what is believed of objects is kept per agent. The same
structure serves both observabilities: a full graph is one that has just observed everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Literal, NamedTuple

from episodes.names import Names, floor_key
from episodes.poses import Vec3
from episodes.scene import Catalogue, Room, Scene, split_receptacle_id
from episodes.seats import PAIR, Seat
from episodes.world import FLOOR, WorldState


class Place(NamedTuple):
    """Place of an object: ``key`` is a furniture handle, `floor_key`, a seat, or empty."""

    kind: Literal["furniture", "agent", "unknown"]
    key: str = ""


UNKNOWN = Place("unknown")


class Known(NamedTuple):
    """Belief about one object."""

    place: Place
    states: tuple[tuple[str, bool], ...] = ()


class WorldGraph:
    """Knowledge of one planner. ``objects`` is by handle, in the order in which they were found.

    ``seats`` are those of the session, in its order: the first is agent 0.
    """

    def __init__(
        self, scene: Scene, catalogue: Catalogue, names: Names, seats: Sequence[Seat] = PAIR
    ) -> None:
        self.seats = tuple(seats)
        self.scene = scene
        self.names = names
        self.objects: dict[str, Known] = {}
        self.furniture_states: dict[str, tuple[tuple[str, bool], ...]] = {}
        """Believed states of furniture that can be clean, on …"""
        self.agents: dict[str, str] = {}
        """Room id of every seat whose body is known; empty where it is in none."""
        self.rooms: dict[str, str] = {}
        """Room id by furniture handle or `floor_key`, floors before the furniture of their room."""
        for room in scene.rooms:
            self.rooms[floor_key(room.room_id)] = room.room_id
            for furniture in scene.furniture:
                if furniture.room_id == room.room_id:
                    self.rooms[furniture.handle] = room.room_id
        templates = {f.handle: catalogue.templates[f.template] for f in scene.furniture}
        self.faucets = tuple(h for h in self.rooms if h in templates and templates[h].faucet)
        self.articulated = frozenset(h for h, t in templates.items() if t.parts)

    def copy(self) -> WorldGraph:
        """Return a copy to be shown, which later observations of this graph do not change.

        It has names only for what is known.
        """
        other = copy(self)
        known = {r.room_id for r in self.scene.rooms} | set(self.rooms) | set(self.objects)
        other.names = Names(
            {k: name for k, name in self.names.graph.items() if k in known},
            {k: label for k, label in self.names.labels.items() if k in known},
        )
        other.objects = dict(self.objects)
        other.furniture_states = dict(self.furniture_states)
        other.agents = dict(self.agents)
        return other

    def furniture_of(self, room_id: str) -> list[str]:
        """Return the furniture of a room, its floor first."""
        return [f for f, room in self.rooms.items() if room == room_id]

    def find(self, name: str) -> str | None:
        """Look up the room id, furniture, floor or object of a name; None if it is not there.

        Objects that the agent has not found cannot be named.
        """
        for key in (*(r.room_id for r in self.scene.rooms), *self.rooms, *self.objects):
            if self.names.graph[key] == name:
                return key
        return None

    def room_at(self, point: Vec3) -> str:
        """Return the id of the room around a point, or nothing."""
        room = _room_at(self.scene, point)
        return "" if room is None else room.room_id

    def held(self, seat: str) -> str | None:
        """Return what is believed to be in a hand."""
        return next((h for h, k in self.objects.items() if k.place == Place("agent", seat)), None)

    # Observing

    def observe(self, world: WorldState, handles: Iterable[str]) -> None:
        """Merge in how the objects among ``handles`` are now; leave other handles out.

        Follows the order of the objects in the world, so that the graph does not depend on
        how a set iterates.
        """
        wanted = frozenset(handles)
        states = _states_of(world)
        for handle in world.objects:
            if handle in wanted:
                self._learn(handle, Known(self._place(world, handle), states.get(handle, ())))
        for handle in self.rooms:
            if handle in wanted and handle in states:
                self.furniture_states[handle] = states[handle]

    def observe_agents(self, world: WorldState) -> None:
        """Merge in where the bodies are: PARTNR's graphs always have all."""
        for seat, pose in world.agents.items():
            self.agents[seat] = self.room_at(pose.position)

    def observe_all(self, world: WorldState) -> None:
        """Merge in everything: full observability."""
        self.observe(world, (*world.objects, *self.rooms))
        self.observe_agents(world)

    def observe_views(
        self, world: WorldState, seen: Mapping[str, Iterable[str]], watchers: Iterable[str]
    ) -> None:
        """Merge in what the seats ``watchers`` see, and what they hold: partial observability.

        PARTNR gives the robot both views, the human its own only under asymmetry.
        """
        for seat in watchers:
            held = world.held.get(seat)
            self.observe(world, (*seen.get(seat, ()), *(() if held is None else (held,))))
        self.observe_agents(world)

    # Updates after actions that succeeded, one's own or the other agent's

    def picked(self, handle: str, seat: str) -> None:
        self._learn(handle, Known(Place("agent", seat), self._states(handle)))

    def placed(self, handle: str, furniture: str) -> None:
        """Note a placement on a furniture handle or `floor_key`. Raises KeyError for others."""
        if furniture not in self.rooms:
            raise KeyError(furniture)
        self._learn(handle, Known(Place("furniture", furniture), self._states(handle)))

    def moved(self, world: WorldState, handle: str) -> None:
        """Note where an object has been put, whether or not anybody sees it there."""
        self._learn(handle, Known(self._place(world, handle), self._states(handle)))

    def changed(self, handle: str, state: str, value: bool) -> None:
        """Note that a state was set. Nothing happens for an object that is not known."""
        if handle in self.rooms:
            states = dict(self.furniture_states.get(handle, ())) | {state: value}
            self.furniture_states[handle] = tuple(sorted(states.items()))
            return
        known = self.objects.get(handle)
        if known is not None:
            states = dict(known.states) | {state: value}
            self.objects[handle] = Known(known.place, tuple(sorted(states.items())))

    def _states(self, handle: str) -> tuple[tuple[str, bool], ...]:
        known = self.objects.get(handle)
        return () if known is None else known.states

    def _learn(self, handle: str, known: Known) -> None:
        if known.place.kind == "agent":
            # A hand holds one thing: what was believed in it has been put down somewhere unseen.
            previous = self.held(known.place.key)
            if previous is not None and previous != handle:
                self.objects[previous] = Known(UNKNOWN, self.objects[previous].states)
        self.objects[handle] = known

    def _place(self, world: WorldState, handle: str) -> Place:
        under = handle
        # Each object of a stack is on the next; the bound ends a world that goes round in a circle.
        for _ in world.objects:
            if (seat := world.holders.get(under)) is not None:
                return Place("agent", seat)
            support = world.supports.get(under)
            if support is None:
                return UNKNOWN
            if support == FLOOR:
                room = _room_at(self.scene, world.pose(under).position)
                return UNKNOWN if room is None else Place("furniture", floor_key(room.room_id))
            if support not in world.objects:
                furniture = split_receptacle_id(support)[0] if "|" in support else support
                return Place("furniture", furniture) if furniture in self.rooms else UNKNOWN
            under = support
        return UNKNOWN


def _states_of(world: WorldState) -> dict[str, tuple[tuple[str, bool], ...]]:
    found: dict[str, tuple[tuple[str, bool], ...]] = {}
    for (handle, state), value in sorted(world.states.items()):
        found[handle] = (*found.get(handle, ()), (state, value))
    return found


def _room_at(scene: Scene, point: Vec3) -> Room | None:
    for room in scene.rooms:
        if room.floor_y - 0.1 <= point[1] <= room.floor_y + room.height and room.contains(point):
            return room
    return None
