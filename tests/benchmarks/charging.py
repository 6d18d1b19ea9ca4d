"""Charging the time of models to the bodies that wait for them."""

from __future__ import annotations

from typing import NamedTuple

from server.robots.playing.thinkers import Thought
from server.robots.policy import Decision


class Later(NamedTuple):
    """A decision that is made, and counts at a tick."""

    made: Thought
    at: int

    def ready(self, tick: int) -> bool:
        return tick >= self.at

    def is_over(self) -> bool:
        return self.made.is_over()

    def result(self) -> Decision:
        return self.made.result()

    def cancel(self) -> None:
        self.made.cancel()
