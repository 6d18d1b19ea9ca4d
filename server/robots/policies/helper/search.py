"""Search for things: where each is looked for, and in which order.

First come places that are known, then where the program says, then where the partner or the Locator
says, then the rest of the home; no room twice without new evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.robots.policies.helper.name_binding import fitting, is_floor, nearest_first, room_of
from server.robots.policies.helper.program_parser import Declared
from server.robots.policies.helper.steps import Step
from server.robots.policy import PolicyView
from server.skills.call import Call

MOST_OPENED = 8
"""Most openings of one piece of furniture: it may have that many doors and drawers."""
LANDMARKS = 3


@dataclass
class Search:
    """Search for what one name stands for; the flags tell which hints have been used."""

    declared: Declared
    places: list[str] = field(default_factory=list)
    """Places still to be looked at: rooms, and furniture that may be shut."""
    landmarks: bool = False
    asked: bool = False
    located: bool = False
    swept: bool = False
    looked: int = 0
    """Number of places looked at beyond those that anybody named."""


class Searches:
    """All searches of an episode, and what has been looked at."""

    def __init__(self, most: int, views: int) -> None:
        """Make searches with their limits.

        ``most`` is the number of places that are looked at without a hint before a thing is given
        up, ``views`` the number of sides from which a place that somebody named is looked at.
        """
        self._most = most
        self._most_views = views
        self.explored: set[str] = set()
        """Ids of rooms that were looked through."""
        self.looked_into: set[str] = set()
        """Furniture of which nothing more can be opened."""
        self.given_up: set[tuple[str, str]] = set()
        """Word and landmark of each thing that was given up."""
        self._searches: dict[str, Search] = {}
        self._opened_all: set[str] = set()
        self._shut_again: set[str] = set()
        self._views: dict[str, int] = {}
        """Number of times that a place may still be looked at."""
        self._from: dict[str, str] = {}
        """Furniture to go to first, so as to come to a place from another side."""
        self._turned: dict[tuple[str, str], int] = {}

    def of(self, declared: Declared) -> Search:
        found = self._searches.get(declared.name)
        if found is None or found.declared != declared:
            found = self._searches[declared.name] = Search(declared)
        return found

    def is_given_up(self, declared: Declared) -> bool:
        return (declared.word, declared.near) in self.given_up

    def forget(self) -> None:
        """Forget what could not be found: there is new evidence, so it may be looked for again."""
        self.given_up.clear()
        self._searches.clear()

    # Places

    def suggest(self, view: PolicyView, search: Search, keys: Sequence[str]) -> None:
        """Look at these places next, as far as there is something new to see."""
        new = [p for k in keys for p in self._places(view, k)]
        for place in new:
            self._views.setdefault(place, self._most_views)
        search.places = list(dict.fromkeys([*new, *search.places]))

    def landmarks_of(self, view: PolicyView, declared: Declared) -> list[str]:
        if not declared.near:
            return []
        return list(nearest_first(view, fitting(view.graph, declared.near))[:LANDMARKS])

    def sweep(self, view: PolicyView, search: Search) -> None:
        """Add the rest of the home: rooms first, then what can be opened.

        What can be opened comes near to the landmark first, and then near to the body.
        """
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
        room = room_of(graph, key) if key in graph.rooms else key
        is_furniture = key in graph.rooms and not is_floor(graph, key)
        places = [key] if is_furniture and key not in self.looked_into else []
        is_room = any(r.room_id == room for r in graph.scene.rooms)
        return [*places, room] if is_room and room not in self.explored else places

    # Looking

    def step(self, view: PolicyView, search: Search) -> Step | None:
        """Return the next call of a search; None: no places are left."""
        while search.places:
            place = search.places[0]
            is_room = place not in view.graph.rooms
            if place in (self.explored if is_room else self.looked_into):
                search.places.pop(0)
            elif is_room:
                return Step("Explore", place, inserted=True)
            elif (step := self._look(view, place)) is not None:
                return step
        return None

    def _look(self, view: PolicyView, place: str) -> Step | None:
        """Return the next call at one piece of furniture: go there, open it bit by bit, shut it."""
        name = view.graph.names.graph[place]
        last = view.history[-1].call if view.history else None
        if place in self._from:
            aside = self._from[place]
            if last != Call.of("Navigate", view.graph.names.graph[aside]):
                return Step("Navigate", aside, inserted=True)
            del self._from[place]
            return Step("Navigate", place, inserted=True)
        if last not in [Call.of(tool, name) for tool in ("Navigate", "Open", "Close")]:
            return Step("Navigate", place, inserted=True)
        if place in view.graph.articulated and place not in self._shut_again:
            return Step("Close" if place in self._opened_all else "Open", place, inserted=True)
        # It has been seen from here; perhaps there is more to see from another side.
        left = self._views[place] = self._views.get(place, 1) - 1
        aside = self._aside(view, place)
        if left <= 0 or not aside:
            self.looked_into.add(place)
            return None
        self._from[place] = aside
        for over in (self._opened_all, self._shut_again):
            over.discard(place)
        for tool in ("Open", "Close"):
            self._turned.pop((tool, place), None)
        return None

    def _aside(self, view: PolicyView, place: str) -> str:
        """Return other furniture of the room, in turn."""
        graph = view.graph
        among = [f for f in graph.furniture_of(graph.rooms[place]) if f != place]
        return among[self._views.get(place, 0) % len(among)] if among else ""

    def note(self, step: Step, succeeded: bool) -> None:
        """Record what became of any call, whether it was part of a search or not."""
        if step.tool == "Explore":
            # A room that cannot be walked through is not tried again either.
            self.explored.add(step.thing)
        elif step.tool in ("Open", "Close"):
            count = self._turned[step.tool, step.thing] = (
                self._turned.get((step.tool, step.thing), 0) + 1
            )
            if not succeeded or count >= MOST_OPENED:
                # What is shut again no longer hides what is below it.
                over = self._opened_all if step.tool == "Open" else self._shut_again
                over.add(step.thing)
        elif step.tool == "Navigate" and not succeeded:
            self.looked_into.add(step.thing)
            for place in [p for p, aside in self._from.items() if aside == step.thing]:
                del self._from[place]
