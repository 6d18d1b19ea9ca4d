"""Matches: groups that get a session, each with the decision that formed it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from episodes.teams import Team
from matchmaking.assignment.group_plan import GroupPlan
from matchmaking.study_key import StudyKey

MOST_CANDIDATES = 20
"""Most candidates that a decision names; it counts the others."""


class Assignment(msgspec.Struct, frozen=True):
    """Seat of a participant in a match."""

    ticket_id: str
    participant_id: str
    seat_id: str


class Candidate(msgspec.Struct, frozen=True):
    """Ticket that was looked at for a group."""

    ticket_id: str
    wait_s: float
    rtt_ms: float | None
    against: str
    """Reason why it is not in the group; empty: it is."""
    ready_s: float | None = None
    """Time after the question at which its person was ready; None: they were not asked."""


class Decision(msgspec.Struct, frozen=True):
    """Account of how a group was formed, for the log and the researcher."""

    reason: str
    """Reason why it begins: ``full``, ``fewer_after_wait``, or ``deadline_`` and the outcome."""
    n_waiting: int
    """People who were there to be matched."""
    n_candidates: int
    candidates: tuple[Candidate, ...]
    """Members of the group and the first of the others, in the queue's order; at most
    `MOST_CANDIDATES`."""
    loads: Mapping[str, float] = {}
    """Load of each condition at that moment, as a share of its target."""
    held_s: float = 0.0
    """Time for which its people were all here and no session was free."""

    @property
    def waits_s(self) -> tuple[float, ...]:
        """Waits of each of the group until it was there; for a session is waited beside that."""
        waits_s = (c.wait_s for c in self.candidates if not c.against)
        return tuple(max(wait_s - self.held_s, 0.0) for wait_s in waits_s)

    @property
    def others_ready_s(self) -> tuple[float, ...]:
        """Times after the question at which all the others of each of the group were ready.

        None for people who begin alone, or were not asked.
        """
        times = [c.ready_s for c in self.candidates if not c.against and c.ready_s is not None]
        if len(times) < 2:
            return ()
        return tuple(max([*times[:n], *times[n + 1 :]]) for n in range(len(times)))

    def answered(self, ready_s: Mapping[str, float]) -> Decision:
        """Return the account with the times at which people were ready, by ticket."""
        candidates = (
            msgspec.structs.replace(c, ready_s=ready_s.get(c.ticket_id)) for c in self.candidates
        )
        return msgspec.structs.replace(self, candidates=tuple(candidates))


class Match(msgspec.Struct, frozen=True):
    """A group that gets a session.

    ``matchmaker`` names what formed it; the people sit as drawn, and the team says who plays the
    other bodies.
    """

    matchmaker: str
    assignments: tuple[Assignment, ...]
    team: Team
    study: StudyKey | None = None
    """Study that it belongs to; None: open play."""
    cell: str = ""
    """Condition of that study; empty: none, because it was not formed as one."""
    is_substituted: bool = False
    """Whether a policy has a place that the condition has for a person."""
    decision: Decision | None = None
    place: int | None = None
    """Place of the ledger that it was drawn for; None: it has no condition."""
    plan: GroupPlan | None = None
    """Conditions with their tasks, once these are dealt; None: the session chooses its tasks."""

    @property
    def ticket_ids(self) -> tuple[str, ...]:
        return tuple(a.ticket_id for a in self.assignments)
