"""Owner task of the lobby: the only one that changes the queue.

Others put requests into its inbox and wait for the answer, so nothing here needs a lock. Times are
the event loop's, which tests replace with a virtual clock. The database and the opening of sessions
are slow, so they run in tasks of their own and report back through the same inbox.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

import structlog

from matchmaking.matchmakers import Match, Matchmaker, fifo, with_robots_that_answer
from matchmaking.queue import Limits, Queue
from matchmaking.tickets import LIVE, State, Ticket, Wish
from server.lobby.ticket_outcomes import (
    CLOSED_BY_STATE,
    COULD_NOT_OPEN,
    GOING_AWAY,
    Closed,
    Matched,
    Outcome,
    StartError,
    status_text,
)
from server.wire.lobby_messages import LobbyStatus

log = structlog.get_logger(__name__)
T = TypeVar("T")

ROUND_S = 1.0
"""Longest time (s) between two rounds, whatever the deadlines."""
FIRST_RETRY_S = 1.0
MOST_ATTEMPTS = 3


class SessionOpener(Protocol):
    """Opener of sessions; `server.hosting.session_manager.SessionManager`."""

    def free_places(self) -> int:
        """Return how many more sessions may open now."""
        ...

    async def start(self, match: Match, seed: int, n_waiting: int) -> str:
        """Open the session of a match and return its id; it is stored then, and ready.

        Raises an exception where that fails.
        """
        ...


class Records(Protocol):
    """Store of the ends of stays."""

    async def ticket_ended(self, ticket_id: str, state: State) -> None: ...


class LobbyRules(NamedTuple):
    """The rules that decide who is paired with whom, and how long people wait."""

    limits: Limits = Limits()
    matchmaker: Matchmaker = fifo
    robot_answers: Callable[[str], bool] = lambda _name: True
    """Function that tells whether the policy of a name can be played with now."""
    robot_after_s: Callable[[], float | None] = lambda: None
    """Function for the wait (s) after which the matchmaker offers a policy now; None: never."""


DEFAULT_RULES = LobbyRules()


class Lobby:
    """The lobby of a server; call `start` first and `stop` at the end."""

    def __init__(
        self,
        sessions: SessionOpener,
        records: Records,
        rules: LobbyRules = DEFAULT_RULES,
        rng: Random | None = None,
    ) -> None:
        self._sessions, self._records = sessions, records
        matchmaker = with_robots_that_answer(rules.matchmaker, rules.robot_answers)
        self._queue = Queue(rules.limits, matchmaker)
        self._robot_answers = rules.robot_answers
        self._robot_after_s = rules.robot_after_s
        self._rng = rng or Random()
        self._inbox: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._outcomes: dict[str, asyncio.Future[Outcome]] = {}
        self._connections: dict[str, tuple[int, str]] = {}
        """Connection that is the presence of a ticket, and its tab, by ticket."""
        self._attempts: dict[str, int] = {}
        self._last_connection = 0
        self._starting = 0
        self._retry_at = 0.0
        self._owner: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_open = True
        self._is_finished = False

    # Life

    async def start(self) -> None:
        self._owner = asyncio.create_task(self._own(), name="lobby")

    async def stop(self) -> None:
        """Form no more matches, send everybody away with kind words, wait for what runs."""
        if self._owner is None:
            return
        await self._ask(self._close)
        while self._tasks:
            await asyncio.gather(*self._tasks)
        # The last request, so that what the tasks reported is still done. Cancelling could lose it.
        await self._ask(self._finish)
        owner, self._owner = self._owner, None
        await owner

    # Requests

    async def join(
        self, ticket_id: str, participant_id: str, wish: Wish, code: str = "", robot: str = ""
    ) -> Ticket:
        """Take a place in the queue, or return the participant's present one for the same wish.

        A ticket with another wish is cancelled. Raises InviteError for a full invitation,
        StartError when the lobby is closed.
        """
        return await self._ask(lambda: self._join(ticket_id, participant_id, wish, code, robot))

    async def connect(self, ticket_id: str, tab: str, take_over: bool = False) -> int | None:
        """Note that the ticket's page is here; return a number for `disconnect`.

        None if another tab is here. The same tab takes over from its old connection (it was
        reloaded), another one only when it says so.
        """
        return await self._ask(lambda: self._connect(ticket_id, tab, take_over))

    async def disconnect(self, ticket_id: str, connection: int) -> None:
        """Note that a socket is gone.

        A connection that was taken over changes nothing.
        """
        await self._ask(lambda: self._disconnect(ticket_id, connection))

    async def cancel(self, ticket_id: str) -> bool:
        return await self._ask(lambda: self._cancel(ticket_id))

    def wake(self) -> None:
        """Look now rather than at the next round: a place may be free."""
        self._inbox.put_nowait(lambda: None)

    # Questions; the event loop runs one thing at a time, so they may look at the queue.

    def ticket(self, ticket_id: str) -> Ticket | None:
        return self._queue.get(ticket_id)

    def ticket_of(self, participant_id: str) -> Ticket | None:
        return self._queue.of(participant_id)

    def holders(self, code: str) -> list[Ticket]:
        return self._queue.holders(code)

    def waiting(self) -> int:
        return len(self._queue)

    def outcome(self, ticket_id: str) -> asyncio.Future[Outcome] | None:
        """Return the future that is resolved when the stay ends.

        Wait for it shielded: others wait too.
        """
        return self._outcomes.get(ticket_id)

    def owns(self, ticket_id: str, connection: int) -> bool:
        """Tell whether this connection still is the ticket's presence."""
        return self._connections.get(ticket_id, (0, ""))[0] == connection

    def status(self, ticket_id: str) -> LobbyStatus | None:
        """Return what the ticket's page shows now; None if it has left the lobby."""
        ticket = self._queue.get(ticket_id)
        if ticket is None:
            return None
        guest_is_here = bool(ticket.code) and len(self._queue.holders(ticket.code)) == 2
        position = self._queue.position(ticket_id)
        return LobbyStatus(
            position,
            len(self._queue),
            max(0.0, self._now() - ticket.joined_at),
            status_text(
                ticket.wish,
                ticket.state,
                position,
                guest_is_here=guest_is_here,
                is_full=self._free() <= 0,
                robot_answers=self._robot_answers(ticket.robot),
                robot_after_s=self._robot_after_s(),
            ),
        )

    # The owner

    async def _own(self) -> None:
        while not self._is_finished:
            try:
                request = await asyncio.wait_for(self._inbox.get(), self._pause())
            except TimeoutError:
                request = None
            if request is not None:
                request()
            while not self._inbox.empty():
                self._inbox.get_nowait()()
            try:
                self._round()
            except Exception:
                # One bad round must not close the lobby for everybody.
                log.exception("lobby.round_failed")

    async def _ask(self, act: Callable[[], T]) -> T:
        if self._is_finished:
            # Nobody reads the inbox any more, and nothing is left to get in the way of.
            return act()
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def request() -> None:
            if answer.cancelled():
                return
            try:
                answer.set_result(act())
            except Exception as error:
                answer.set_exception(error)

        self._inbox.put_nowait(request)
        return await answer

    def _pause(self) -> float:
        deadline = self._queue.next_deadline()
        if deadline is None:
            return ROUND_S
        return min(ROUND_S, max(0.0, deadline - self._now()))

    def _round(self) -> None:
        now = self._now()
        for ticket in self._queue.sweep(now):
            self._ended(ticket.ticket_id, ticket.state)
        if not self._is_open or now < self._retry_at:
            return
        waiting = len(self._queue)
        seed = self._rng.getrandbits(31)
        for match in self._queue.pair(now, Random(seed), self._free()):
            self._starting += 1
            self._run(self._open(match, self._rng.getrandbits(31), waiting))

    async def _open(self, match: Match, seed: int, waiting: int) -> None:
        try:
            session_id = await self._sessions.start(match, seed, waiting)
        except Exception as error:
            log.warning("lobby.match_failed", tickets=match.ticket_ids, reason=repr(error))
            self._inbox.put_nowait(lambda: self._match_failed(match))
        else:
            log.info("lobby.matched", tickets=match.ticket_ids, session=session_id)
            self._inbox.put_nowait(lambda: self._match_opened(match, session_id))

    def _match_opened(self, match: Match, session_id: str) -> None:
        self._starting -= 1
        self._queue.settle(match)
        for ticket_id in match.ticket_ids:
            self._resolve(ticket_id, Matched(session_id))

    def _match_failed(self, match: Match) -> None:
        self._starting -= 1
        self._queue.give_back(match)
        for ticket_id in match.ticket_ids:
            attempts = self._attempts[ticket_id] = self._attempts.get(ticket_id, 0) + 1
            if not self._is_open:
                self._drop(ticket_id, GOING_AWAY)
            elif attempts >= MOST_ATTEMPTS:
                self._drop(ticket_id, COULD_NOT_OPEN)
            elif ticket_id not in self._connections:
                # Its page went away while the session was being opened.
                self._queue.vanish(ticket_id, self._now())
        self._retry_at = self._now() + FIRST_RETRY_S

    # What requests do

    def _join(
        self, ticket_id: str, participant_id: str, wish: Wish, code: str, robot: str
    ) -> Ticket:
        if not self._is_open:
            raise StartError(GOING_AWAY.text)
        mine = self._queue.of(participant_id)
        if mine is not None and mine.pool != (wish, code, robot) and mine.state in LIVE:
            self._cancel(mine.ticket_id)
        if mine is not None and mine.state is State.MATCHED:
            return mine
        ticket = self._queue.join(ticket_id, participant_id, wish, self._now(), code, robot)
        if ticket.ticket_id not in self._outcomes:
            self._outcomes[ticket.ticket_id] = asyncio.get_running_loop().create_future()
        return ticket

    def _connect(self, ticket_id: str, tab: str, take_over: bool) -> int | None:
        _, present = self._connections.get(ticket_id, (0, tab))
        if present != tab and not take_over:
            return None
        self._last_connection += 1
        self._connections[ticket_id] = (self._last_connection, tab)
        self._queue.appear(ticket_id)
        return self._last_connection

    def _disconnect(self, ticket_id: str, connection: int) -> None:
        if self.owns(ticket_id, connection):
            del self._connections[ticket_id]
            self._queue.vanish(ticket_id, self._now())

    def _cancel(self, ticket_id: str) -> bool:
        if not self._queue.cancel(ticket_id):
            return False
        self._ended(ticket_id, State.CANCELLED)
        return True

    def _close(self) -> None:
        self._is_open = False
        for ticket in list(self._queue):
            if ticket.state in LIVE:
                self._drop(ticket.ticket_id, GOING_AWAY)

    def _finish(self) -> None:
        self._is_finished = True

    def _drop(self, ticket_id: str, closed: Closed) -> None:
        """Take a ticket out for a reason of ours, not of the person."""
        if self._queue.cancel(ticket_id):
            self._run(self._end_stay(ticket_id, State.GONE, closed))

    def _ended(self, ticket_id: str, state: State) -> None:
        log.info("lobby.left", ticket=ticket_id, state=str(state))
        self._run(self._end_stay(ticket_id, state, CLOSED_BY_STATE[state]))

    async def _end_stay(self, ticket_id: str, state: State, closed: Closed) -> None:
        try:
            await self._records.ticket_ended(ticket_id, state)
        finally:
            # Told after it is stored, so that a page that asks then reads the same.
            self._inbox.put_nowait(lambda: self._resolve(ticket_id, closed))

    def _resolve(self, ticket_id: str, outcome: Outcome) -> None:
        future = self._outcomes.pop(ticket_id, None)
        if future is not None and not future.done():
            future.set_result(outcome)
        self._connections.pop(ticket_id, None)
        self._attempts.pop(ticket_id, None)

    def _free(self) -> int:
        return self._sessions.free_places() - self._starting

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.exception("lobby.task_failed")
