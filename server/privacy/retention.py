"""Retention: what is kept longer than its kind may be is found, and removed for good.

Each kind has a setting of its own. Whatever is removed stands in the operators' log, with how much
it was, in the transaction in which it goes; a removal that breaks off is taken up by the next. The
keys of people of whom nothing is kept any more go with them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from server.recording.removal import remove_recording
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.batches import batches
from server.store.operator_acts import note_act
from server.store.outdated import (
    loose_people,
    outdated_open_sessions,
    outdated_study_sessions,
    remove_drafts,
    remove_identities,
    remove_loose_rows,
    remove_people,
    remove_problem_reports,
    remove_sessions,
    remove_sign_ins,
    remove_study_answers,
    unmark_people,
)
from server.store.recordings import note_removal

BATCH = 50
"""Sessions or people that are removed in one transaction."""
THE_SERVER = "server"
"""Name in the operators' log of a removal that nobody asked for."""

log = structlog.get_logger(__name__)


class Kind(StrEnum):
    """Kind of data with a limit of its own, by the name of its setting."""

    OPEN_PLAY = "keep_open_play_days"
    DRAFTS = "keep_drafts_days"
    PROBLEM_REPORTS = "keep_problem_reports_days"
    IDENTITIES = "keep_identities_days"
    STUDY_ANSWERS = "keep_study_answers_days"
    STUDY_RECORDINGS = "keep_study_recordings_days"
    SIGN_INS = "keep_sign_ins_days"

    @property
    def variable(self) -> str:
        """Environment variable of its setting."""
        return f"COHABIT_{self.upper()}"

    @property
    def words(self) -> str:
        """Name of the kind, for people."""
        return _WORDS[self]

    def days(self, settings: Settings) -> float:
        """Return the days for which it is kept; 0: without an end."""
        return float(getattr(settings, self))


_WORDS: Final[Mapping[Kind, str]] = {
    Kind.OPEN_PLAY: "sessions and people of open play",
    Kind.DRAFTS: "fields that were filled in and not sent",
    Kind.PROBLEM_REPORTS: "reports of problems",
    Kind.IDENTITIES: "ids at recruiters, of studies that are over",
    Kind.STUDY_ANSWERS: "answers, of studies that are over",
    Kind.STUDY_RECORDINGS: "recordings, of studies that are over",
    Kind.SIGN_INS: "sign-ins of operators that have ended",
}
_REMOVALS: Final[
    Mapping[Kind, Callable[[AsyncSession, datetime], Awaitable[Mapping[str, int]]]]
] = {
    Kind.DRAFTS: remove_drafts,
    Kind.PROBLEM_REPORTS: remove_problem_reports,
    Kind.IDENTITIES: remove_identities,
    Kind.STUDY_ANSWERS: remove_study_answers,
    Kind.SIGN_INS: remove_sign_ins,
}


@dataclass
class Removal:
    """Removal of one kind: how much went, or would go, and of which sessions."""

    kind: Kind
    counts: Counter[str] = field(default_factory=Counter)
    sessions: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Sessions whose files could not be removed; the next run tries again."""

    @property
    def is_empty(self) -> bool:
        return not (self.counts.total() or self.sessions)

    @property
    def text(self) -> str:
        """Amount that goes, in words."""
        counts = {"recordings": len(self.sessions), **self.counts}
        return ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "nothing"


class _NotMeantError(Exception):
    """End of a transaction that was only tried."""


class Retention:
    """Remover of what is kept too long; ``now`` is the clock that ages are told by."""

    def __init__(self, settings: Settings, database: Database, now: Callable[[], datetime]) -> None:
        self._settings, self._database, self._now = settings, database, now

    async def due(self) -> list[Removal]:
        """Return what a run would remove now, kind by kind. Raises DatabaseError.

        It is what the run itself does, in a transaction that is taken back.
        """
        found = []
        for kind in self._limited():
            removal, before = Removal(kind), self._before(kind)
            try:
                async with self._database.transaction() as db:
                    removal.sessions = await self._sessions(db, kind, before)
                    if kind is Kind.OPEN_PLAY:
                        for batch in batches(removal.sessions, BATCH):
                            await remove_sessions(db, batch)
                    removal.counts.update(await self._remove_rows(db, kind, before))
                    if kind is Kind.OPEN_PLAY:
                        removal.counts["people"] = len(await loose_people(db, before))
                    raise _NotMeantError
            except _NotMeantError:
                found.append(removal)
        return found

    async def run(self, who: str = THE_SERVER) -> list[Removal]:
        """Remove what is due, kind by kind; return what went.

        Raises DatabaseError, and once all kinds are done the first other error of any.
        """
        removals, failed = [], None
        for kind in self._limited():
            try:
                removals.append(await self._run(kind, who))
            except DatabaseError:
                raise
            except Exception as error:
                # What is wrong with one kind of data keeps no other longer.
                log.error("retention.kind_failed", kind=kind, reason=repr(error))
                failed = failed or error
        if failed is not None:
            raise failed
        return removals

    def _limited(self) -> list[Kind]:
        # What has ended needs no days to be gone.
        return [kind for kind in Kind if kind.days(self._settings) > 0]

    def _before(self, kind: Kind) -> datetime:
        return self._now() - timedelta(days=kind.days(self._settings))

    async def _run(self, kind: Kind, who: str) -> Removal:
        removal, before = Removal(kind), self._before(kind)
        async with self._database.transaction() as db:
            due = await self._sessions(db, kind, before)
        for batch in batches(due, BATCH):
            await self._remove_batch(kind, batch, removal, who)
        async with self._database.transaction() as db:
            rows = await self._remove_rows(db, kind, before)
            removal.counts.update(rows)
            if any(rows.values()):
                self._note(db, kind, who, Removal(kind, Counter(rows)))
        if kind is Kind.OPEN_PLAY:
            while n := await self._remove_people(kind, before, who):
                removal.counts["people"] += n
        if not removal.is_empty:
            log.info("retention.removed", kind=kind, what=removal.text)
        return removal

    async def _remove_people(self, kind: Kind, before: datetime, who: str) -> int:
        """Remove some people of whom nothing else is kept, with their keys; return how many."""
        async with self._database.transaction() as db:
            await unmark_people(db, before, BATCH)
        async with self._database.transaction() as db:
            n = await remove_people(db, before, BATCH)
            if n:
                self._note(db, kind, who, Removal(kind, Counter(people=n)))
        return n

    async def _remove_batch(
        self, kind: Kind, batch: Sequence[str], removal: Removal, who: str
    ) -> None:
        """Remove the recordings of some sessions, and in open play the sessions with them.

        The note that they are removed comes first: after a crash the archivist removes the files
        by it, and the next run the rows.
        """
        async with self._database.transaction() as db:
            for session_id in batch:
                await note_removal(db, session_id, self._now())
        gone = []
        for session_id in batch:
            path, archive = self._settings.log_path(session_id), self._settings.archive_dir
            try:
                await asyncio.to_thread(remove_recording, path, archive)
            except OSError as error:
                log.error("recording.not_removed", session=session_id, reason=str(error))
                removal.left.append(session_id)
            else:
                gone.append(session_id)
        async with self._database.transaction() as db:
            if kind is Kind.OPEN_PLAY:
                await remove_sessions(db, gone)
            if gone:
                self._note(db, kind, who, Removal(kind, sessions=gone))
        removal.sessions += gone

    async def _sessions(self, db: AsyncSession, kind: Kind, before: datetime) -> list[str]:
        member = self._settings.member
        if kind is Kind.OPEN_PLAY:
            return await outdated_open_sessions(db, before, member)
        if kind is Kind.STUDY_RECORDINGS:
            return await outdated_study_sessions(db, before, member)
        return []

    async def _remove_rows(
        self, db: AsyncSession, kind: Kind, before: datetime
    ) -> Mapping[str, int]:
        if kind is Kind.OPEN_PLAY:
            return await remove_loose_rows(db, before)
        if kind is Kind.STUDY_RECORDINGS:
            return {}
        return await _REMOVALS[kind](db, before)

    def _note(self, db: AsyncSession, kind: Kind, who: str, removal: Removal) -> None:
        detail = f"{removal.text} ({kind.variable}={kind.days(self._settings):g})"
        note_act(db, who, "retention", kind.words, self._now(), detail=detail)
