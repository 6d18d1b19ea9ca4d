"""Waits as their pages show them: place in line, others, time left, and a sentence."""

from __future__ import annotations

from typing import NamedTuple

from matchmaking.queue import Queue
from matchmaking.tickets import ASKED, LIVE, Ticket
from server.lobby.contracts import Say, SessionOpener
from server.lobby.lobby_rules import LobbyRules
from server.lobby.lobby_status import Wait, begins_at, places, status_text
from server.wire.lobby_messages import LobbyStatus


class StudyStay(NamedTuple):
    """Stay of somebody in the lobby of a study, as operators see it; times in seconds."""

    ticket_id: str
    study: str
    state: str
    waited_s: float
    left_s: float
    may_be_sent_on: bool


class Waits:
    """View of a queue for the pages of those who wait in it."""

    def __init__(self, queue: Queue, rules: LobbyRules, sessions: SessionOpener) -> None:
        self._queue, self._rules, self._sessions = queue, rules, sessions

    def status(
        self, ticket: Ticket, now: float, free: int, opening_s: float, say: Say
    ) -> LobbyStatus:
        """Return what a ticket's page shows, in the language that ``say`` has.

        ``free`` is the number of homes that may open, ``opening_s`` the seconds for which its
        session has been opening.
        """
        wait = self._wait(ticket, free, opening_s)
        begins = begins_at(wait)
        wait = wait._replace(is_due=begins is not None and begins <= now)
        # Who waits alone, and then has a group, would know that the partner is a program.
        return LobbyStatus(
            wait.position,
            len(self._queue) if wait.study is None else 0,
            max(0.0, now - ticket.joined_at),
            status_text(wait, say),
            places(wait, self._rules.title_of, say),
            self._queue.may_begin(ticket.ticket_id),
            max(0.0, self._queue.deadline(ticket) - now) if wait.study is not None else -1.0,
            max(0.0, (wait.ready_until or 0.0) - now),
            -1.0 if begins is None or wait.is_due else begins - now,
        )

    def of_studies(self, now: float) -> list[StudyStay]:
        """Return the stays in the lobbies of studies, the longest first."""
        mine = [(t, t.study) for t in self._queue if t.study is not None and t.state in LIVE]
        return [
            StudyStay(
                t.ticket_id,
                study.name,
                str(t.state),
                now - t.joined_at,
                max(0.0, self._queue.deadline(t) - now),
                t.state not in ASKED and t.sent_on_at is None,
            )
            for t, study in sorted(mine, key=lambda stay: stay[0].joined_at)
        ]

    def _wait(self, ticket: Ticket, free: int, opening_s: float) -> Wait:
        offer = self._rules.offers.of(ticket.pool)
        # Each page asks every second, and only these are told who else is here, or their place.
        is_told = offer is not None and bool(ticket.team or ticket.code)
        is_counted = ticket.study is None
        answers = self._rules.answers
        return Wait(
            ticket,
            offer,
            self._queue.group(ticket.ticket_id) if is_told else [ticket],
            self._queue.position(ticket.ticket_id) if is_counted else 0,
            is_full=free <= 0,
            is_paused=self._sessions.is_paused(),
            busy_s=self._sessions.busy_s(),
            answers=offer is None or all(map(answers, offer.team.policies.values())),
            fill_answers=offer is not None and bool(offer.fill) and answers(offer.fill),
            opening_s=opening_s,
            study=self._rules.study_of(ticket.pool),
            ready_until=self._queue.ready_until(ticket.ticket_id),
        )
