"""Lookup of the thing that a name of a program stands for."""

from __future__ import annotations

from server.robots.policies.helper.name_binding import Binder, is_near
from server.robots.policies.helper.partner_requests import moved_by_partner
from server.robots.policies.helper.program_parser import Declared
from server.robots.policies.helper.search import Search, Searches
from server.robots.policies.helper.steps import Step
from server.robots.policies.helper.subgoals import Ask, Locate, Subgoal
from server.robots.policy import PolicyView


class ThingLookup:
    """Lookup that binds names to known things, and searches for the others."""

    def __init__(self, binder: Binder, searches: Searches, *, asks_which: bool) -> None:
        self._binder = binder
        self._searches = searches
        self._asks_which = asks_which
        self._which_asked: set[str] = set()

    def find(
        self, view: PolicyView, subgoal: Subgoal, declared: Declared
    ) -> str | Step | Ask | Locate | None:
        """Return what a name stands for, or what to do to find it; None: it was not found."""
        bound = self._binder.bound.get(declared.name)
        if bound is not None and bound in view.graph.names.graph:
            return bound
        found = self._binder.candidates(view, declared)
        if found and not is_elsewhere(view, declared, found[0]):
            is_open = declared.name not in self._which_asked and found[0] in view.graph.objects
            if len(found) > 1 and self._asks_which and is_open:
                self._which_asked.add(declared.name)
                return Ask(declared, "which", tuple(found))
            return self._binder.key(view, declared)
        if found:
            # It was said to be elsewhere: look there, and take this one if nothing is there.
            step = self._searches.step(view, self._landmarks(view, declared))
            return self._binder.key(view, declared) if step is None else step
        return self.search(view, subgoal, declared)

    def search(
        self, view: PolicyView, subgoal: Subgoal, declared: Declared
    ) -> Step | Ask | Locate | None:
        """Return the next thing to do to find something; None: nothing more can be tried."""
        if self._searches.is_given_up(declared):
            return None
        search = self._landmarks(view, declared)
        if declared.every and (declared.near or subgoal.settled):
            # Some were found, or where they are was said: nobody is bothered for more.
            search.asked = True
            search.located = search.located or bool(declared.near and subgoal.settled)
        while True:
            step = self._searches.step(view, search)
            if step is not None:
                return step
            if not search.asked:
                search.asked = True
                return Ask(declared, "where")
            if not search.located:
                search.located = True
                return Locate(declared)
            if search.swept or (declared.every and subgoal.settled):
                break
            self._searches.sweep(view, search)
        self._searches.given_up.add((declared.word, declared.near))
        return None

    def _landmarks(self, view: PolicyView, declared: Declared) -> Search:
        search = self._searches.of(declared)
        if not search.landmarks:
            search.landmarks = True
            self._searches.suggest(view, search, self._searches.landmarks_of(view, declared))
        return search


def is_elsewhere(view: PolicyView, declared: Declared, key: str) -> bool:
    """Tell whether a thing is not where it was said to be, unmoved by the partner."""
    if not declared.near or key not in view.graph.objects:
        return False
    return not is_near(view.graph, key, declared.near) and key not in moved_by_partner(view)
