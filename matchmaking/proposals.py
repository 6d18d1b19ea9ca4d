"""Proposals: groups that are asked whether they are ready."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from matchmaking.matches import Match


class Proposal:
    """A group that is asked whether it is ready; it begins ``after_s`` later at the earliest."""

    def __init__(self, match: Match, now: float, ready_s: float, after_s: float) -> None:
        self.match, self.until = match, now + ready_s
        self.begins_at = now + min(after_s, ready_s)
        self._asked_at = now
        self._ready_s: dict[str, float] = {}

    def confirm(self, ticket_id: str, now: float) -> None:
        """Note that somebody of the group is ready."""
        self._ready_s[ticket_id] = now - self._asked_at

    @property
    def answered(self) -> Match:
        """Match of the group, with the times at which its people were ready."""
        decision = self.match.decision
        if decision is None:
            return self.match
        return replace(self.match, decision=decision.answered(self._ready_s))


class Proposals:
    """Groups that are asked now, and those that fell because not all were ready."""

    def __init__(self) -> None:
        self._asked: list[Proposal] = []
        self._fallen: list[Match] = []

    def __iter__(self) -> Iterator[Proposal]:
        return iter(tuple(self._asked))

    def __len__(self) -> int:
        return len(self._asked)

    def of(self, ticket_id: str) -> Proposal | None:
        """Return what somebody is asked; None: nothing."""
        return next((p for p in self._asked if ticket_id in p.match.ticket_ids), None)

    def ask(self, proposal: Proposal) -> None:
        self._asked.append(proposal)

    def begin(self, proposal: Proposal) -> Match:
        """Take out a group whose people are ready, and return it with their answers."""
        self._asked.remove(proposal)
        return proposal.answered

    def fall(self, proposal: Proposal) -> None:
        """Take out a group that does not begin."""
        self._asked.remove(proposal)
        self._fallen.append(proposal.answered)

    def fallen(self) -> list[Match]:
        """Return the groups that fell since the last call, with the answers that there were."""
        found, self._fallen = self._fallen, []
        return found
