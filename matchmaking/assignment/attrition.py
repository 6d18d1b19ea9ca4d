"""Attrition by the condition that people were assigned to, as a CONSORT diagram counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from matchmaking.assignment.ledger import Ledger, State
from matchmaking.assignment.records import Stage


class Flow(NamedTuple):
    """Places of an arm by what became of them."""

    drawn: int
    """All that ever were drawn."""
    given_up: int
    begun: int
    """All that ever began."""
    completed: int
    lost: int
    reasons: Mapping[str, int]
    """Number of places left, before or after the beginning, by reason."""

    @property
    def under_way(self) -> int:
        """Places whose end is not known yet."""
        return self.drawn - self.given_up - self.completed - self.lost

    @property
    def attrition(self) -> float:
        """Share of places that were lost among those that began; 0 where none began."""
        return self.lost / self.begun if self.begun else 0.0


def flows(ledger: Ledger, stage: Stage = "match") -> dict[tuple[str, str], Flow]:
    """Return the flow of each stratum and arm, whatever condition people really had."""
    states: dict[tuple[str, str], Counter[State]] = {}
    reasons: dict[tuple[str, str], Counter[str]] = {}
    for drawn, state in zip(ledger.places, ledger.states, strict=True):
        if drawn.stage != stage:
            continue
        key = (drawn.stratum, drawn.arm)
        states.setdefault(key, Counter())[state] += 1
        if drawn.place in ledger.reasons:
            reasons.setdefault(key, Counter())[ledger.reasons[drawn.place]] += 1
    return {
        key: Flow(
            drawn=counted.total(),
            given_up=counted[State.GIVEN_UP],
            begun=counted[State.BEGUN] + counted[State.COMPLETED] + counted[State.LOST],
            completed=counted[State.COMPLETED],
            lost=counted[State.LOST],
            reasons=dict(reasons.get(key, {})),
        )
        for key, counted in sorted(states.items())
    }
