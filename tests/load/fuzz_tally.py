"""Counts of what came of hostile messages, by where they went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

ANSWER_S = 60.0
"""Seconds after which an answer does not come any more: the server gives up a form after 20."""
MOST_KEPT = 20
"""Surprises told in full."""


class Tally:
    """Outcomes by surface, and the surprises: what the protocol does not say."""

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.surprises: list[str] = []
        self.surprised = 0

    def count(self, surface: str, outcome: str, messages: int = 1) -> None:
        """Count messages that ended as the protocol says."""
        if messages:
            self.outcomes[surface, outcome] += messages

    def surprise(self, surface: str, what: str, about: object) -> None:
        """Count a message that did not, and keep what it was."""
        self.outcomes[surface, f"SURPRISE: {what}"] += 1
        self.surprised += 1
        if len(self.surprises) < MOST_KEPT:
            self.surprises.append(f"{surface}: {what}: {str(about)[:300]}")

    @property
    def messages(self) -> int:
        return sum(self.outcomes.values())

    def told(self) -> dict[str, object]:
        """Return it as JSON can hold it."""
        rows = [[*key, count] for key, count in sorted(self.outcomes.items())]
        return {"outcomes": rows, "surprises": self.surprises, "surprised": self.surprised}

    def add(self, told: dict[str, object]) -> None:
        """Add what another process has told."""
        rows, surprises, surprised = told["outcomes"], told["surprises"], told["surprised"]
        assert isinstance(rows, list)
        assert isinstance(surprises, list)
        assert isinstance(surprised, int)
        for surface, outcome, count in rows:
            self.outcomes[surface, outcome] += count
        self.surprises += surprises
        self.surprised += surprised

    def table(self) -> Iterable[str]:
        """Yield the lines of a table."""
        for (surface, outcome), count in sorted(self.outcomes.items()):
            yield f"{surface:12} | {count:7} | {outcome}"
