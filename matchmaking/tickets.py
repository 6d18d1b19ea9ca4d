"""Tickets: one stay of one participant in the lobby, and how it may go on."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from matchmaking.study_key import StudyKey


class Wish(StrEnum):
    """Company with which the participant wants to play."""

    SOLO = "solo"
    PERSON = "person"
    INVITE = "invite"
    """The people with the same invitation code."""
    ROBOT = "robot"
    """A robot that a policy drives; the ticket names it."""
    STUDY = "study"
    """The condition that a study gives; the ticket's ``study`` says which version of which."""


class State(StrEnum):
    ARRIVING = "arriving"
    """The ticket was made by a form; the lobby page has not said hello yet."""
    WAITING = "waiting"
    """Present: the only state in which a ticket is matched."""
    DROPPED = "dropped"
    """The page's socket is gone; the place is kept for the grace."""
    PROPOSED = "proposed"
    """A group is there, and all of it are asked whether they are ready."""
    READY = "ready"
    """The ticket's participant is ready; somebody else of the group is waited for."""
    MATCHED = "matched"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """The ticket waited longer than the lobby lets anybody wait."""
    UNREADY = "unready"
    """A group was there, and the participant did not say in time to be ready."""
    OVER_RECRUITED = "over_recruited"
    """All conditions of the study were full before the ticket was matched."""
    NO_TASKS = "no_tasks"
    """A group was there, and the participant had met too many of the study's tasks."""
    NOT_OPENED = "not_opened"
    """A group of a study was there, no session could be opened, and the wait is over for good."""
    UNOPENED = "unopened"
    """A group was there, and no session could be opened; the participant may join again."""
    ELSEWHERE = "elsewhere"
    """A group was there, and the participant played in another session."""
    GONE = "gone"
    """The page did not come back within the grace (or never came)."""
    STOPPED = "stopped"
    """The server was stopped, or died, while the ticket had its place."""


class Event(StrEnum):
    APPEARED = "appeared"
    VANISHED = "vanished"
    CANCEL = "cancel"
    GRACE_OVER = "grace_over"
    WAIT_OVER = "wait_over"
    MATCH = "match"
    MATCH_FAILED = "match_failed"
    """The session could not be opened: back to the same place in the queue."""
    PROPOSE = "propose"
    CONFIRM = "confirm"
    READY_OVER = "ready_over"
    """The time to be ready is over, and the participant was not."""
    GROUP_FELL = "group_fell"
    """The group was not ready, or lost somebody: back to the front of the queue."""
    ALL_FULL = "all_full"


ASKED = frozenset({State.PROPOSED, State.READY})
"""States of a ticket whose group is asked whether it is ready."""
LIVE = frozenset({State.ARRIVING, State.WAITING, State.DROPPED}) | ASKED
"""States of a ticket that has a place in the queue."""
ABSENT = frozenset({State.ARRIVING, State.DROPPED})
"""Live, but nobody is there: these run out at ``absent_until``."""

TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.ARRIVING, Event.APPEARED): State.WAITING,
    (State.ARRIVING, Event.CANCEL): State.CANCELLED,
    (State.ARRIVING, Event.GRACE_OVER): State.GONE,
    # Only of those whom an operator let go.
    (State.ARRIVING, Event.WAIT_OVER): State.EXPIRED,
    (State.WAITING, Event.VANISHED): State.DROPPED,
    (State.WAITING, Event.CANCEL): State.CANCELLED,
    (State.WAITING, Event.WAIT_OVER): State.EXPIRED,
    (State.WAITING, Event.MATCH): State.MATCHED,
    (State.DROPPED, Event.APPEARED): State.WAITING,
    (State.DROPPED, Event.CANCEL): State.CANCELLED,
    (State.DROPPED, Event.GRACE_OVER): State.GONE,
    (State.DROPPED, Event.WAIT_OVER): State.EXPIRED,
    (State.MATCHED, Event.MATCH_FAILED): State.WAITING,
    (State.WAITING, Event.PROPOSE): State.PROPOSED,
    (State.PROPOSED, Event.CONFIRM): State.READY,
    (State.PROPOSED, Event.READY_OVER): State.UNREADY,
    # Who goes away is not ready any more, and may come back and say so again.
    (State.PROPOSED, Event.VANISHED): State.PROPOSED,
    (State.PROPOSED, Event.APPEARED): State.PROPOSED,
    (State.READY, Event.VANISHED): State.PROPOSED,
    (State.READY, Event.APPEARED): State.READY,
    (State.READY, Event.MATCH): State.MATCHED,
    **{(state, Event.GROUP_FELL): State.WAITING for state in sorted(ASKED)},
    **{(state, Event.CANCEL): State.CANCELLED for state in sorted(ASKED)},
    (State.ARRIVING, Event.ALL_FULL): State.OVER_RECRUITED,
    (State.WAITING, Event.ALL_FULL): State.OVER_RECRUITED,
    (State.DROPPED, Event.ALL_FULL): State.OVER_RECRUITED,
}
"""Every transition there is; anything else is refused."""


class TransitionError(Exception):
    """An event came in a state that does not know it."""

    def __init__(self, ticket_id: str, state: State, event: Event) -> None:
        super().__init__(f"ticket {ticket_id} is {state}: {event} does not apply")
        self.ticket_id, self.state, self.event = ticket_id, state, event


class Ticket(msgspec.Struct, frozen=True):
    """A stay in the lobby. Times are seconds on one clock of the caller's choice."""

    ticket_id: str
    participant_id: str
    wish: Wish
    joined_at: float
    state: State = State.ARRIVING
    code: str = ""
    """The invitation that brings tickets together (wish ``invite``)."""
    robot: str = ""
    """The policy that is to play the robot (wish ``robot``)."""
    team: str = ""
    """Name of the team that is asked for; empty: a pair, or what the wish says."""
    study: StudyKey | None = None
    """The study that gives the condition (wish ``study``)."""
    seat: str = ""
    """Place that the invitation's link named; empty: any."""
    wants_to_begin: bool = False
    """Whether it does not wait for more people than the least."""
    sent_on_at: float | None = None
    """Time from which it waits no longer, because an operator said so; None: as long as others."""
    is_first: bool = False
    """Whether it stands before those who came earlier, because its group was not ready."""
    rtt_ms: float | None = None
    """Median of the round trips to the server; None: not measured."""
    back_by: float | None = None
    """Time until which those who waited with it may come back after a restart: its wait is not over
    before; None: nothing was restarted."""
    unopened: int = 0
    """Earlier stays for which no session could be opened, since the participant had one."""
    met: frozenset[str] = frozenset()
    """Participants with whom this one has played, where nobody is to meet again."""
    absent_until: float | None = None
    """Time at which an absent ticket loses its place; of one that is asked whether it is ready,
    until when it may be away."""
    appeared_at: float | None = None
    """Time at which its page was here first; None: it has not been."""

    def on(self, event: Event, absent_until: float | None = None) -> Ticket:
        """Return the ticket after ``event``. Raises TransitionError if it does not apply."""
        state = TRANSITIONS.get((self.state, event))
        if state is None:
            raise TransitionError(self.ticket_id, self.state, event)
        return msgspec.structs.replace(
            self,
            state=state,
            absent_until=absent_until if state in ABSENT or state is State.PROPOSED else None,
        )

    def restored(self, back_by: float) -> Ticket:
        """Return the ticket as another process finds it: its page has not come back yet."""
        return msgspec.structs.replace(
            self,
            state=State.DROPPED,
            appeared_at=self.here_since,
            absent_until=back_by,
            back_by=back_by,
        )

    @property
    def here_since(self) -> float:
        """Time from which somebody can be with it; before its page came, that of its form."""
        return self.joined_at if self.appeared_at is None else self.appeared_at

    def yoked_until(self, wait_s: float, longest_s: float) -> float:
        """Return when it has been here for ``wait_s``, or its wait is over (``longest_s``).

        Whose page came late has less than that until anybody's wait is over.
        """
        waited = self._let_go_by(self.here_since + min(wait_s, longest_s))
        return min(waited, self.deadline(longest_s))

    def deadline(self, wait_s: float) -> float:
        """Return when its wait is over, where anybody may wait ``wait_s``."""
        waited = self._let_go_by(self.joined_at + wait_s)
        return waited if self.back_by is None else max(waited, self.back_by)

    def _let_go_by(self, waited_at: float) -> float:
        """Return the end of a wait, or the time from which somebody lets it wait no longer."""
        return waited_at if self.sent_on_at is None else min(waited_at, self.sent_on_at)

    @property
    def pool(self) -> Pool:
        """Key of the tickets that want the same: an invitation, a robot, a team, or a study."""
        return Pool(self.wish, self.code, self.robot, self.team, self.study)

    @property
    def place(self) -> Place:
        return Place(not self.is_first, self.joined_at, self.ticket_id)


class Pool(NamedTuple):
    """Key of people who want the same."""

    wish: Wish
    code: str = ""
    robot: str = ""
    team: str = ""
    study: StudyKey | None = None

    @staticmethod
    def of_study(key: StudyKey) -> Pool:
        """Return the pool of a version of a study: people of another are never in it."""
        return Pool(Wish.STUDY, study=key)


class Place(NamedTuple):
    """Position in the queue's order: ids decide between tickets of one instant."""

    is_behind: bool
    """Whether those who come first of all, whenever they joined, stand before it."""
    joined_at: float
    ticket_id: str
