"""LLaMAR's ablation without a Verifier.

What the evaluator counts as done takes the place of what a model claims. It reads the evaluator, so
it is privileged, and has a name of its own as a policy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from episodes.evaluation.constraints import Recorded
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.seat_options import SeatOptions
from server.robots.playing.thinkers import Thinker
from server.robots.policies.llamar.policy import Llamar
from server.sessions.core import SessionCore
from server.sessions.intents import Intent

_RELATIONS = {
    "is_on_top": "on",
    "is_inside": "within",
    "is_in_room": "in",
    "is_next_to": "next to",
    "is_on_floor": "on the floor",
    "is_clustered": "together",
}


class CompletedSubtasks:
    """The oracle itself: the completed subtasks of the session that it was last shown."""

    def __init__(self) -> None:
        self._core: SessionCore | None = None

    def look(self, core: SessionCore) -> None:
        """Take note of the session that the next answers are about."""
        self._core = core

    def __call__(self) -> tuple[str, ...]:
        return () if self._core is None else completed(self._core)


class OraclePlayer(PolicyPlayer):
    """A player of `llamar` that shows the session to the oracle that its policy was built with."""

    def __init__(
        self,
        seat: str,
        policy: Llamar,
        oracle: CompletedSubtasks,
        thinker: Thinker,
        seating: SeatOptions | None = None,
    ) -> None:
        super().__init__(seat, policy, thinker, seating)
        self._oracle = oracle

    def intents(self, core: SessionCore) -> list[Intent]:
        self._oracle.look(core)
        return super().intents(core)


def completed(core: SessionCore) -> tuple[str, ...]:
    """List what the task asks for and has been brought about so far, in sentences.

    The names are those of planners' graphs. As in the paper's checkers what was once counted
    stays so.
    """
    wanted = core.task.evaluation_propositions
    return tuple(
        _sentence(wanted[outcome.original].function_name, outcome.satisfied_with, core)
        for outcome in core.verdict().propositions
        if outcome.satisfied and outcome.satisfied_with
    )


def _sentence(predicate: str, recorded: Recorded, core: SessionCore) -> str:
    """Put a satisfied proposition in words: ``cup_1 is on table_3``, ``cup_1 is clean``."""
    names = core.names.graph
    things, *others = (
        " and ".join(names.get(handle, handle) for handle in _handles(value))
        for value in recorded.values()
    )
    how = _RELATIONS.get(predicate) or predicate.removeprefix("is_").replace("_", " ")
    return " ".join((things, "is", how, *others))


def _handles(recorded: Any) -> Iterable[str]:
    """Yield the handles in a recorded argument.

    It is one, or several where the evaluator asks for several, in groups where things cluster.
    """
    if isinstance(recorded, str):
        yield recorded
    else:
        for inner in recorded:
            yield from _handles(inner)
