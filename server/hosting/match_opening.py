"""Opening of a match: its session runs in the host and its rows are stored, or neither.

The host goes first: a session without rows admits nobody, so nothing happens in it. Then one
transaction stores the match (`server.store.matches`). Where a commit may or may not have succeeded,
this finds out before anything else is decided, however long the database is away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

import structlog

from server.hosting.hosted_session import HostError
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.store.attempts import ATTEMPT_S, attempt, retry_pauses
from server.store.database import Database
from server.store.matches import MatchRecord, MatchRefusedError, match_is_stored, store_match

log = structlog.get_logger(__name__)


class OpeningHost(Protocol):
    """Host that an opening asks for a session."""

    async def open(
        self, spec: SessionSpec, episode: EpisodeSpec, *, people: Mapping[str, str]
    ) -> object: ...


class Patience(NamedTuple):
    """Times for which an opening is patient (s)."""

    host_s: float = 120.0
    """Longest answer of the host; it has limits of its own, which are shorter."""
    attempt_s: float = ATTEMPT_S
    keep_s: float = 20.0
    """Time for which an open session waits for its rows; then people go back into the queue."""
    discard_s: float = 20.0
    """Longest answer of the host that is told to close a session again."""
    pauses: Callable[[], Iterator[float]] = retry_pauses
    """Function for the pauses between attempts."""


class MatchOpening:
    """Opener of matches; ``is_broken`` tells that a session which is being opened cannot go on."""

    def __init__(
        self,
        database: Database,
        host: OpeningHost,
        now: Callable[[], datetime],
        is_broken: Callable[[str], bool],
        patience: Patience,
    ) -> None:
        self._database, self._host, self._now = database, host, now
        self._is_broken, self._patience = is_broken, patience

    async def open(self, record: MatchRecord) -> None:
        """Open the session of a match and store the match; return when both are done.

        Raises HostError or MatchRefusedError: nothing is stored then, nor will be, and the caller
        closes the session in the host, if it is there.
        """
        people = {a.seat_id: a.participant_id for a in record.match.assignments}
        try:
            opening = self._host.open(record.spec, record.episode, people=people)
            await attempt(opening, self._patience.host_s)
        except Exception as error:
            raise HostError(f"the session could not be opened: {error}") from error
        await self._store(record)

    async def _store(self, record: MatchRecord) -> None:
        session_id = record.spec.session_id
        now = asyncio.get_running_loop().time
        give_up_at, is_first = now() + self._patience.keep_s, True
        for pause_s in self._patience.pauses():
            is_wanted = now() < give_up_at and not self._is_broken(session_id)
            try:
                if is_wanted:
                    await attempt(self._store_once(record), self._patience.attempt_s)
                    return
                # The last attempt may have succeeded without our having been told.
                if not is_first and await attempt(
                    self._is_stored(record), self._patience.attempt_s
                ):
                    return
            except MatchRefusedError:
                raise
            except Exception as error:
                log.warning("match.not_stored", session=session_id, reason=repr(error))
            else:
                raise HostError("the match could not be stored, and its session is given up")
            is_first = False
            await asyncio.sleep(pause_s)

    async def _store_once(self, record: MatchRecord) -> None:
        async with self._database.transaction() as db:
            await store_match(db, record, self._now())

    async def _is_stored(self, record: MatchRecord) -> bool:
        async with self._database.transaction() as db:
            return await match_is_stored(db, record)
