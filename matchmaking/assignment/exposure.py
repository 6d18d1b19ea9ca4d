"""Exposure: what each participant has met, so that nothing is met twice that must be new."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Exposure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An episode that a participant began."""

    participant_id: str
    house: str
    task_id: str
    partners: tuple[str, ...]
    """Participants and policies in the other seats."""
    condition: str
    try_index: int
    at: float


class Exposures:
    """Record of exposures, asked by participant."""

    def __init__(self, exposures: Iterable[Exposure] = ()) -> None:
        self._by_person: dict[str, list[Exposure]] = {}
        for exposure in exposures:
            self.add(exposure)

    def add(self, exposure: Exposure) -> None:
        """Add an episode that began."""
        self._by_person.setdefault(exposure.participant_id, []).append(exposure)

    def of(self, participant_id: str) -> tuple[Exposure, ...]:
        """Return the exposures of a participant, in their order."""
        return tuple(self._by_person.get(participant_id, ()))

    def tasks(self, people: Iterable[str]) -> frozenset[str]:
        """Return the tasks that any of them has met."""
        return frozenset(e.task_id for person in people for e in self.of(person))

    def houses(self, people: Iterable[str]) -> frozenset[str]:
        """Return the houses that any of them has been in."""
        return frozenset(e.house for person in people for e in self.of(person))

    def partners(self, participant_id: str) -> frozenset[str]:
        """Return those whom a participant has met."""
        return frozenset(partner for e in self.of(participant_id) for partner in e.partners)
