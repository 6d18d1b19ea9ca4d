"""The action panels: what each seat can do with what it has selected, told when it changes."""

from __future__ import annotations

from collections.abc import Iterable

from episodes.rules import RuleProfile, available
from episodes.world import AgentMoved, Change
from server.sessions.events import Action, Selection
from server.sessions.rule_view import SessionRuleView
from server.sessions.state import EpisodeState

PAUSE_TICKS = 6
"""The ticks between two looks at actions while bodies walk: they cost rays."""


class Selections:
    """The panels of all seats, kept up to date."""

    def __init__(self, state: EpisodeState, view: SessionRuleView, profile: RuleProfile) -> None:
        self._state = state
        self._view = view
        self._profile = profile
        self._told: dict[str, Selection] = {}
        self._due: dict[str, int] = {}
        self._looked: dict[str, int] = {}
        for seat, seated in state.seats.items():
            if seated.selection is not None:
                self.select(seat)

    @property
    def waiting(self) -> bool:
        """Whether somebody's panel may be out of date."""
        return bool(self._due)

    def select(self, seat: str) -> None:
        """Note that a seat has selected something else: it is told at the end of this tick."""
        self._told.pop(seat, None)
        self._due[seat] = 0

    def updates(self, changes: Iterable[Change], acted: bool) -> list[Selection]:
        """Return the panels that changed with this tick's changes."""
        tick = self._state.tick
        selecting = [
            seat
            for seat, seated in self._state.seats.items()
            if seated.selection is not None and seated.selection.target is not None
        ]
        if not selecting and not self._due:
            return []
        walked = {c.seat for c in changes if type(c) is AgentMoved}
        for seat in selecting:
            if acted:
                self._due[seat] = tick
            elif seat in walked:
                self._due.setdefault(seat, self._looked.get(seat, 0) + PAUSE_TICKS)
        found = []
        for seat in [s for s, due in self._due.items() if due <= tick]:
            del self._due[seat]
            self._looked[seat] = tick
            selection = self._look(seat)
            if selection is not None and self._told.get(seat) != selection:
                self._told[seat] = selection
                found.append(selection)
        return found

    def _look(self, seat: str) -> Selection | None:
        selected = self._state.seats[seat].selection
        if selected is None:
            return None
        actions: tuple[Action, ...] = ()
        if selected.target is not None:
            actions = tuple(
                Action(*a)
                for a in available(self._profile, self._view, seat, selected.target, selected.part)
            )
        return Selection(seat, selected.target, selected.part, actions)
