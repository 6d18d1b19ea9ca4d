"""Where a thing is looked for, and in which order: what is known, where the program says, where the
partner or the Locator says, then the rest of the home; no room twice without new evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.robots.policies.helper.binding import fitting, is_floor, nearest_first, room_of
from server.robots.policies.helper.language import Declared
from server.robots.policies.helper.steps import Step
from server.robots.policy import PolicyView

MOST_OPENED = 8
"""So often one piece of furniture is opened: it may have that many doors and drawers."""
LANDMARKS = 3


@dataclass
class Search:
    """For what one name stands for. ``stage`` is what was asked last."""

    declared: Declared
    places: list[str] = field(default_factory=list)
    """Still to be looked at: rooms, and furniture that may be shut."""
    landmarks: bool = False
    asked: bool = False
    located: bool = False
    swept: bool = False
    looked: int = 0
    """Places looked at beyond those that anybody named."""


class Searching:
    """All searches of an episode, and what has been looked at."""

    def __init__(self, most: int) -> None:
        """``most``: so many places are looked at without a hint before a thing is given up."""
        self._most = most
        self.explored: set[str] = set()
        """Room ids."""
        self.looked_into: set[str] = set()
        """Furniture of which nothing more can be opened."""
        self.given_up: set[tuple[str, str]] = set()
        """Word and landmark."""
        self._searches: dict[str, Search] = {}
        self._opened: dict[str, int] = {}

    def of(self, declared: Declared) -> Search:
        found = self._searches.get(declared.name)
        if found is None or found.declared != declared:
            found = self._searches[declared.name] = Search(declared)
        return found

    def is_given_up(self, declared: Declared) -> bool:
        return (declared.word, declared.near) in self.given_up

    def forget(self) -> None:
        """New evidence: what could not be found may be looked for again."""
        self.given_up.clear()
        self._searches.clear()

    # Places

    def suggest(self, view: PolicyView, search: Search, keys: Sequence[str]) -> None:
        """Look at these next, as far as there is something new to see."""
        new = [p for k in keys for p in self._places(view, k)]
        search.places = list(dict.fromkeys([*new, *search.places]))

    def landmarks_of(self, view: PolicyView, declared: Declared) -> list[str]:
        if not declared.near:
            return []
        return list(nearest_first(view, fitting(view.graph, declared.near))[:LANDMARKS])

    def sweep(self, view: PolicyView, search: Search) -> None:
        """The rest of the home: rooms first, then what can be opened, near to the landmark and
        then near to the body."""
        graph = view.graph
        home = {room_of(graph, k) for k in self.landmarks_of(view, search.declared)}
        rooms = [r.room_id for r in graph.scene.rooms if r.room_id not in self.explored]
        shut = [f for f in graph.articulated if f in graph.rooms and f not in self.looked_into]
        shut = sorted(nearest_first(view, shut), key=lambda f: room_of(graph, f) not in home)
        left = self._most - search.looked
        search.places += [*nearest_first(view, rooms), *shut][: max(0, left)]
        search.looked = self._most
        search.swept = True

    def _places(self, view: PolicyView, key: str) -> list[str]:
        graph = view.graph
        known = graph.objects.get(key)
        if known is not None:
            key = known.place.key
        if key in graph.articulated:
            return [] if key in self.looked_into else [key]
        room = room_of(graph, key) if key in graph.rooms else key
        is_room = any(r.room_id == room for r in graph.scene.rooms)
        return [room] if is_room and room not in self.explored else []

    # Looking

    def step(self, view: PolicyView, search: Search) -> Step | None:
        """The next call of a search; None: no places are left."""
        graph = view.graph
        while search.places:
            place = search.places[0]
            if place not in graph.rooms:
                if place in self.explored:
                    search.places.pop(0)
                    continue
                return Step("Explore", place, inserted=True)
            if place in self.looked_into or is_floor(graph, place):
                search.places.pop(0)
                continue
            last = view.history[-1] if view.history else None
            name = graph.names.graph[place]
            at_it = last is not None and last.text in (f"Navigate[{name}]", f"Open[{name}]")
            return Step("Open" if at_it else "Navigate", place, inserted=True)
        return None

    def note(self, step: Step, succeeded: bool) -> None:
        """What became of any call, of a search or not."""
        if step.tool == "Explore":
            # A room that cannot be walked through is not tried again either.
            self.explored.add(step.thing)
        elif step.tool == "Open":
            count = self._opened[step.thing] = self._opened.get(step.thing, 0) + 1
            if not succeeded or count >= MOST_OPENED:
                self.looked_into.add(step.thing)
        elif step.tool == "Navigate" and not succeeded:
            self.looked_into.add(step.thing)
