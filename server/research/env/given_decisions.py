"""A policy whose decisions are given from outside, and the thinker that waits for them.

The player of a policy (`PolicyPlayer`) asks it as it asks any other: with the same view, the same
refusals and the same records. Nothing here runs an event loop: `decide` stops at its one ``await``,
and goes on there when the decision is given.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import Any

from server.robots.policy import Decision, Policy, PolicyView


class _Given:
    """Promise of a decision that `decide` awaits: its value is sent to the coroutine."""

    def __await__(self) -> Generator[None, Decision, Decision]:
        return (yield)


class GivenPolicy(Policy):
    """A policy that shows its view and waits for a decision from outside."""

    def __init__(self) -> None:
        self.view: PolicyView | None = None
        """The view that it was asked with last; None before the first time."""

    async def decide(self, view: PolicyView) -> Decision:
        self.view = view
        return await _Given()


class GivenThought:
    """A thought that is ready once its decision was given."""

    def __init__(self, deciding: Coroutine[Any, Any, Decision]) -> None:
        self._deciding = deciding
        self._decision: Decision | None = None
        self._dropped = False
        deciding.send(None)

    @property
    def waits(self) -> bool:
        """Whether a decision is waited for."""
        return self._decision is None and not self._dropped

    def give(self, decision: Decision) -> None:
        """Decide. Raises ValueError where nobody waits for a decision."""
        if not self.waits:
            raise ValueError("expected a seat that waits for a decision, this one does not")
        try:
            self._deciding.send(decision)
        except StopIteration as made:
            self._decision = made.value

    def ready(self, tick: int) -> bool:
        return self._decision is not None

    def result(self) -> Decision:
        assert self._decision is not None
        return self._decision

    def cancel(self) -> None:
        self._dropped = True
        self._deciding.close()

    def is_over(self) -> bool:
        return not self.waits


class GivenThinker:
    """The thinker of one seat that is played from outside."""

    def __init__(self) -> None:
        self.thought: GivenThought | None = None
        """The thought that was started last."""

    def start(self, deciding: Coroutine[Any, Any, Decision], tick: int) -> GivenThought:
        self.thought = GivenThought(deciding)
        return self.thought

    @property
    def waits(self) -> bool:
        """Whether the seat waits for a decision."""
        return self.thought is not None and self.thought.waits
