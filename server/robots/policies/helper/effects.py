"""Effects of an episode's calls that no graph shows."""

from __future__ import annotations

from collections.abc import Mapping

from server.robots.policies.helper.program_parser import Line
from server.robots.policies.helper.steps import Step, holds
from server.robots.policy import PolicyView


class Effects:
    """Effects of one body's own calls."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        """Furniture that was opened, the latest last."""
        self._beside: set[frozenset[str]] = set()
        """Pairs that were put next to each other, as long as neither was put elsewhere."""

    def note(self, step: Step) -> None:
        """Record a call that has succeeded."""
        if step.tool == "Open":
            self.opened.append(step.thing)
        if step.place:
            self._beside = {pair for pair in self._beside if step.thing not in pair}
            if step.beside:
                self._beside.add(frozenset((step.thing, step.beside)))

    def hold(self, view: PolicyView, line: Line, keys: Mapping[str, str]) -> bool:
        """Tell whether what a line is for has come about, as far as is known."""
        return holds(view, line, keys, self._beside)
