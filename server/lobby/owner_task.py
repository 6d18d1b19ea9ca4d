"""Owner task of the lobby: the only one that changes the queue.

Others put requests into its inbox and wait for the answer, so nothing here needs a lock. Times are
the event loop's, which tests replace with a virtual clock, or ``rate`` times as fast. The database
and the opening of sessions are slow, so they run in tasks of their own and report back through the
same inbox. A ticket's row is stored before it can be matched, and what people are told of its end
is what its row says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, TypeVar

import structlog

from matchmaking.due_instants import next_change
from matchmaking.matches import Match
from matchmaking.matchmakers.first_come import FirstCome
from matchmaking.queue import Queue
from matchmaking.study import Study
from matchmaking.study_key import StudyKey
from matchmaking.tickets import LIVE, Pool, State, Ticket
from server.lobby.contracts import Records, Say, SessionOpener
from server.lobby.decision_log import told_of
from server.lobby.failed_openings import FIRST_RETRY_S, FailedOpenings, ending_of
from server.lobby.inbox import Inbox, done, log_failure
from server.lobby.lobby_rules import LobbyRules
from server.lobby.presences import Presences
from server.lobby.stay_tally import StayTally
from server.lobby.study_draws import DrawRecords, NoTasksError, StudyDraws
from server.lobby.ticket_outcomes import (
    COULD_NOT_JOIN,
    GOING_AWAY,
    NOTHING_NEW,
    PLAYS_ELSEWHERE,
    Closed,
    Matched,
    Outcome,
    StartError,
    closed_by,
)
from server.lobby.waits import StudyStay, Waits
from server.store.matches import MatchRefusedError
from server.wall_clock import wall_s
from server.wire.lobby_messages import LobbyStatus

log = structlog.get_logger(__name__)
T = TypeVar("T")

ROUND_S = 1.0
"""Longest time (s) between two rounds, whatever the deadlines."""
STOP_S = 10.0
"""Longest time (s) that `Lobby.stop` waits for a database that is away."""


class Lobby:
    """The lobby of a server; call `start` first and `stop` at the end."""

    def __init__(
        self,
        sessions: SessionOpener,
        records: Records,
        rules: LobbyRules | None = None,
        rng: Random | None = None,
        draws: DrawRecords | None = None,
        rate: float = 1.0,
    ) -> None:
        self._sessions, self._records, self._rate = sessions, records, rate
        self.rules = rules = rules or LobbyRules()
        first_come = FirstCome(rules.offers, rules.answers)
        self._queue = Queue(rules.limits, first_come, rules.offers, rules.groups)
        self.study_draws = StudyDraws(rules, draws, self._queue.places, wall_s, sessions)
        self.tally = StayTally()
        self._waits = Waits(self._queue, rules, sessions)
        self._rng = rng or Random()
        self._inbox = Inbox()
        self._outcomes: dict[str, asyncio.Future[Outcome]] = {}
        self._presences = Presences()
        self._failed = FailedOpenings()
        self._storing: dict[str, asyncio.Task[None]] = {}
        """Tasks that store the beginning of a stay, by ticket."""
        self._opening_since: dict[str, float] = {}
        """Time since when a ticket's session has been opening."""
        self._leaving: set[str] = set()
        """Tickets whose people want to leave while their session is being opened."""
        self._starting, self._retry_at = 0, 0.0
        self._owner: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None]
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_open, self._is_finished = True, False

    # Life

    async def start(self) -> None:
        """Begin, with the stays that were not over when the last process ended."""
        # Reading the ledgers takes a while, which is none of the time to come back.
        await self.study_draws.start()
        for ticket in await self._records.live_tickets(self._now()):
            self._queue.restore(ticket, self._now())
            self._outcomes[ticket.ticket_id] = asyncio.get_running_loop().create_future()
        self._watch = asyncio.create_task(self.study_draws.watch(self.wake), name="draws")
        self._owner = asyncio.create_task(self._own(), name="lobby")

    async def stop(self) -> None:
        """Form no more matches, tell everybody to come back; stays go on in the next process."""
        if self._owner is None:
            return
        await self._ask(self._close)
        self._watch.cancel()
        await asyncio.gather(self._watch, return_exceptions=True)
        give_up_at = self._now() + STOP_S * self._rate
        while self._tasks and (left_s := give_up_at - self._now()) > 0:
            await asyncio.wait(self._tasks, timeout=left_s / self._rate)
        for task in self._tasks:
            # The database is away. The next process reads there what became of these.
            task.cancel()
        # The last request, so that what the tasks reported is still done. Cancelling could lose it.
        await self._ask(self._finish)
        # Somebody else may have been told to stop it at the same time.
        owner, self._owner = self._owner, None
        if owner is not None:
            await asyncio.wait({owner})

    async def take_up(self, study: Study) -> None:
        """Form groups for a study too, or another version of it. Raises StudyError."""
        groups = self.rules.take_up(study)
        await self.study_draws.take_up(study)
        self._queue.take_up(groups)
        self.wake()

    # Requests

    async def join(
        self,
        ticket_id: str,
        participant_id: str,
        pool: Pool,
        seat: str = "",
        *,
        rtt_ms: float | None = None,
    ) -> Ticket:
        """Take a place in the queue, or return the participant's present one for the same wish.

        ``rtt_ms`` is the median of the participant's round trips, where it was measured. A ticket
        with another wish is cancelled. The ticket is stored when this returns. Raises InviteError
        for an invitation or a ``seat`` of it that has no room, StartError when the lobby is closed,
        NoGroupsError for a study that forms none, and what the store raises: there is no ticket.
        """
        ticket = await self._ask(lambda: self._join(ticket_id, participant_id, pool, seat, rtt_ms))
        if ticket.ticket_id in self._storing:
            await asyncio.shield(self._storing[ticket.ticket_id])
        return ticket

    async def connect(self, ticket_id: str, tab: str, take_over: bool = False) -> int | None:
        """Note that the ticket's page is here; return a number for `disconnect`.

        None if another tab is here. The same tab takes over from its old connection (it was
        reloaded), another one only when it says so.
        """
        await self._begun(ticket_id)
        return await self._ask(lambda: self._connect(ticket_id, tab, take_over))

    async def disconnect(self, ticket_id: str, connection: int) -> None:
        """Note that a socket is gone.

        A connection that was taken over changes nothing.
        """
        await self._ask(lambda: self._disconnect(ticket_id, connection))

    async def cancel(self, ticket_id: str) -> bool:
        """End a stay; return False if it has ended, or its session is being opened.

        If that session does not open, the stay ends then.
        """
        return await self._ask(lambda: self._cancel(ticket_id))

    async def begin_now(self, ticket_id: str) -> bool:
        """Wait for nobody else of an invitation; False where that may not be said (yet)."""
        return await self._ask(lambda: self._queue.begin_now(ticket_id))

    async def confirm(self, ticket_id: str) -> bool:
        """Say that somebody is ready; False where nobody asks (any more)."""
        return await self._ask(lambda: self._queue.confirm(ticket_id, self._now()))

    async def send_on(self, ticket_id: str) -> bool:
        """Let somebody of a study wait no longer; False where they do not wait (any more)."""
        return await self._ask(lambda: self._queue.send_on(ticket_id, self._now()))

    def wake(self) -> None:
        """Look now rather than at the next round: a place may be free."""
        self._inbox.put(lambda: None)

    # Questions; the event loop runs one thing at a time, so they may look at the queue.

    def ticket(self, ticket_id: str) -> Ticket | None:
        return self._queue.get(ticket_id)

    def ticket_of(self, participant_id: str) -> Ticket | None:
        return self._queue.of(participant_id)

    def holders(self, code: str) -> list[Ticket]:
        return self._queue.holders(code)

    def waiting(self) -> int:
        return len(self._queue)

    def longest_wait_s(self, study: StudyKey) -> float:
        """Return for how long somebody has been waiting for a group of a study; 0: nobody is."""
        here = (t for t in self._queue if t.state is not State.MATCHED)
        mine = (t.joined_at for t in here if t.study == study)
        return self._now() - min(mine, default=self._now())

    def outcome(self, ticket_id: str) -> asyncio.Future[Outcome] | None:
        """Return the future of the end of a stay; wait for it shielded: others wait too."""
        return self._outcomes.get(ticket_id)

    async def ended(self, ticket_id: str) -> Outcome:
        """Return how a stay ended that is not in the queue any more, once that is stored."""
        outcome = self._outcomes.get(ticket_id)
        if outcome is not None:
            return await asyncio.shield(outcome)
        return await self._records.outcome_of(ticket_id)

    def owns(self, ticket_id: str, connection: int) -> bool:
        """Tell whether this connection still is the ticket's presence."""
        return self._presences.owns(ticket_id, connection)

    def status(self, ticket_id: str, say: Say) -> LobbyStatus | None:
        """Return what the ticket's page shows now; None if it has left the lobby.

        ``say`` has its texts in the language of whoever waits.
        """
        ticket, now = self._queue.get(ticket_id), self._now()
        if ticket is None:
            return None
        opening_s = now - self._opening_since.get(ticket_id, now)
        return self._waits.status(ticket, now, self._free(), opening_s, say)

    def study_stays(self) -> list[StudyStay]:
        return self._waits.of_studies(self._now())

    def problems(self) -> list[str]:
        """Return sentences on what keeps people from being matched."""
        ended = ["the lobby has ended, and matches nobody: restart the server"]
        return (ended if self._has_ended() else []) + self.study_draws.problems()

    def _has_ended(self) -> bool:
        return self._owner is not None and self._owner.done()

    # The owner

    async def _own(self) -> None:
        pause_s = ROUND_S
        while not self._is_finished:
            await self._inbox.serve(pause_s, "lobby.request_failed")
            pause_s = self._pause() if done(self._round, "lobby.round_failed") else ROUND_S
            for ticket in self._queue.moved():
                self._keep(asyncio.create_task(self._records.ticket_moved(ticket)))
            for match in self._queue.proposals.fallen():
                log.info("lobby.group_fell", **told_of(match))

    async def _ask(self, act: Callable[[], T]) -> T:
        if self._is_finished or self._has_ended():
            # Nobody reads the inbox any more, and nothing is left to get in the way of.
            return act()
        return await self._inbox.ask(act)

    def _pause(self) -> float:
        deadline = next_change(self._queue, self._now())
        if deadline is None:
            return ROUND_S
        # Before groups are tried again, nobody's wait is over.
        left_s = max(deadline, self._retry_at) - self._now()
        return min(ROUND_S, max(0.0, left_s) / self._rate)

    def _round(self) -> None:
        now = self._now()
        for ticket_id in self._storing:
            self._queue.await_arrival(ticket_id, now)
        if not self._is_open:
            return
        waiting, rng = len(self._queue), Random(self._rng.getrandbits(31))
        free = self._free() if now >= self._retry_at else None
        for found in self._queue.round(now, rng, free):
            if isinstance(found, Match):
                self._open(found, self._rng.getrandbits(31), waiting)
            else:
                self._ended(found, found.state)

    def _open(self, match: Match, seed: int, waiting: int) -> None:
        self._starting += 1
        self._opening_since.update(dict.fromkeys(match.ticket_ids, self._now()))
        opening = asyncio.create_task(self.study_draws.start_match(match, seed, waiting))
        opening.add_done_callback(lambda _: self._inbox.put(lambda: self._opened(match, opening)))
        self._keep(opening)

    def _opened(self, match: Match, opening: asyncio.Task[str]) -> None:
        if opening.cancelled():
            # Undecided, so the tickets stay where they are: guessing could match them twice.
            return
        self._starting -= 1
        for ticket_id in match.ticket_ids:
            self._opening_since.pop(ticket_id, None)
        if (error := opening.exception()) is not None:
            log.warning("lobby.match_failed", tickets=match.ticket_ids, reason=repr(error))
            self._match_failed(match, error)
            return
        session_id = opening.result()
        log.info("lobby.matched", session=session_id, **told_of(match))
        people = [self._queue.get(ticket_id) for ticket_id in match.ticket_ids]
        self.tally.note(State.MATCHED, people, self._now())
        self.study_draws.begin(match)
        self._queue.settle(match)
        for ticket_id in match.ticket_ids:
            self._resolve(ticket_id, Matched(session_id))

    def _match_failed(self, match: Match, error: BaseException) -> None:
        self._queue.give_back(match)
        refused = error.ticket_ids if isinstance(error, MatchRefusedError) else frozenset()
        for ticket_id in match.ticket_ids:
            if not refused:
                self._failed.note(ticket_id)
            if ticket_id in refused and isinstance(error, NoTasksError):
                self._drop(ticket_id, NOTHING_NEW, State.NO_TASKS)
            elif ticket_id in refused:
                self._drop(ticket_id, PLAYS_ELSEWHERE, State.ELSEWHERE)
            elif ticket_id in self._leaving:
                self._cancel(ticket_id)
            elif not self._is_open:
                # The stay goes on in the next process.
                continue
            elif ticket := self._failed.given_up(self._queue.get(ticket_id)):
                is_late = self._queue.is_late(ticket_id, self._now())
                self._drop(ticket_id, *ending_of(ticket, is_late))
            elif ticket_id not in self._presences:
                # Its page went away while the session was being opened.
                self._queue.vanish(ticket_id, self._now())
        if not refused:
            # Where somebody was refused the others are as good as ever.
            self._retry_at = self._now() + FIRST_RETRY_S * self._rate

    # What requests do

    def _join(
        self, ticket_id: str, participant_id: str, pool: Pool, seat: str, rtt_ms: float | None
    ) -> Ticket:
        if not self._is_open:
            raise StartError("the lobby is closed")
        mine = self._queue.of(participant_id)
        if mine is not None and mine.pool != pool and mine.state in LIVE:
            self._cancel(mine.ticket_id)
        if mine is not None and mine.state is State.MATCHED:
            return mine
        self.study_draws.check(pool.study)
        n_waiting = len(self._queue)
        ticket = self._queue.join(ticket_id, participant_id, pool, self._now(), seat, rtt_ms)
        if ticket.ticket_id not in self._outcomes:
            self._outcomes[ticket.ticket_id] = asyncio.get_running_loop().create_future()
            storing = asyncio.create_task(self._store(ticket, n_waiting))
            self._storing[ticket.ticket_id] = storing
            self._keep(storing)
        return ticket

    async def _store(self, ticket: Ticket, n_waiting: int) -> None:
        try:
            past = await self._records.ticket_joined(ticket, n_waiting)
        except Exception:
            self._inbox.put(lambda: self._drop(ticket.ticket_id, COULD_NOT_JOIN))
            raise
        # Before its page can be here, and so before anybody can be matched with it.
        self._inbox.put(lambda: self._queue.note_past(ticket.ticket_id, *past))
        self._storing.pop(ticket.ticket_id, None)

    def _connect(self, ticket_id: str, tab: str, take_over: bool) -> int | None:
        connection = self._presences.take(ticket_id, tab, take_over)
        if connection is not None:
            self._queue.appear(ticket_id, self._now())
        return connection

    def _disconnect(self, ticket_id: str, connection: int) -> None:
        if self.owns(ticket_id, connection):
            self._presences.forget(ticket_id)
            self._queue.vanish(ticket_id, self._now())

    def _cancel(self, ticket_id: str) -> bool:
        ticket = self._queue.get(ticket_id)
        if ticket is None:
            return False
        if not self._queue.cancel(ticket_id):
            self._leaving.add(ticket_id)
            return False
        self._ended(ticket, State.CANCELLED)
        return True

    def _close(self) -> None:
        self._is_open = False

    def _finish(self) -> None:
        self._is_finished = True
        for ticket_id in list(self._outcomes):
            self._resolve(ticket_id, GOING_AWAY)

    def _drop(self, ticket_id: str, closed: Closed, state: State = State.GONE) -> None:
        """Take a ticket out for a reason of ours, not of the person."""
        ticket = self._queue.get(ticket_id)
        if ticket is not None and self._queue.cancel(ticket_id):
            self._keep(asyncio.create_task(self._end_stay(ticket, state, closed)))

    def _ended(self, ticket: Ticket, state: State) -> None:
        log.info("lobby.left", ticket=ticket.ticket_id, state=str(state))
        ending = self._end_stay(ticket, state, closed_by(state, ticket.wish))
        self._keep(asyncio.create_task(ending))

    async def _end_stay(self, ticket: Ticket, state: State, closed: Closed) -> None:
        # Told after it is stored, so that a page that asks then reads the same.
        await self._begun(ticket.ticket_id)
        now, before = self._now(), await self._records.ticket_ended(ticket, state)
        if before is None:
            self.tally.note(state, (ticket,), now)
        self._inbox.put(lambda: self._resolve(ticket.ticket_id, before or closed))

    async def _begun(self, ticket_id: str) -> None:
        """Wait until the beginning of a stay is stored, or could not be."""
        if ticket_id in self._storing:
            await asyncio.wait({self._storing[ticket_id]})

    def _resolve(self, ticket_id: str, outcome: Outcome) -> None:
        future = self._outcomes.pop(ticket_id, None)
        if future is not None and not future.done():
            future.set_result(outcome)
        for kept in (self._storing, self._opening_since):
            kept.pop(ticket_id, None)
        for forgetful in (self._presences, self._failed):
            forgetful.forget(ticket_id)
        self._leaving.discard(ticket_id)

    def _free(self) -> int:
        return self._sessions.free_places() - self._starting

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(partial(log_failure, "lobby.task_failed"))

    def _now(self) -> float:
        return asyncio.get_running_loop().time() * self._rate
