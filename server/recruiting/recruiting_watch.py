"""Watch over recruiting: what studies spend, when they pause, and what the operator is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.recruiting_limits import Cause, Course, Spending, after_pause, cause_of_pause
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.study_key import StudyKey
from server.recruiting.earnings import earnings_of
from server.recruiting.open_studies import OpenStudies, OpenStudy
from server.recruiting.operator_notices import Notice, OperatorNotices
from server.store import Database, DatabaseError
from server.store.study_pauses import (
    add_pause,
    note_told,
    pause_of,
    resumed_at,
    untold_pauses,
    untold_troubles,
)
from server.store.visit_models import VisitRow
from server.store.visits import study_key_of, visits_in_mode

log = structlog.get_logger(__name__)

ROUND_S = 10.0


class Closure(StrEnum):
    """Reason why a study takes nobody now."""

    PAUSED = "paused"
    """Pause of its recruiting, until somebody takes it up again."""
    FULL = "full"
    """Groups that go on may need all places that are left, or visits all the money."""
    COMPLETE = "complete"
    """Groups of all conditions are there: nobody else is wanted."""


class RecruitingWatch:
    """Watch over the recruiting of studies; run `watch` in a task.

    ``longest_wait_s`` tells how long somebody of a study has been waiting in the lobby,
    ``fault_of`` why no groups are formed for one; empty: they are. ``is_full`` tells whether one
    has all the groups that it wants; None: nobody knows. ``are_all_taken`` tells whether groups
    that go on have all its places.
    """

    def __init__(
        self,
        database: Database,
        studies: OpenStudies,
        longest_wait_s: Callable[[StudyKey], float],
        fault_of: Callable[[StudyKey], str],
        is_full: Callable[[StudyKey], bool | None],
        are_all_taken: Callable[[StudyKey], bool],
        notices: OperatorNotices,
        now: Callable[[], datetime],
    ) -> None:
        self._database, self._studies, self._notices = database, studies, notices
        self._longest_wait_s, self._fault_of, self._now = longest_wait_s, fault_of, now
        self._is_full, self._are_all_taken = is_full, are_all_taken
        self.spending: dict[str, Spending] = {}
        """Money of each study that pays, as it was at the last look."""
        self._owed: dict[str, int] = {}
        """Amounts of visits that have ended, which stay as they are."""
        self._news, self._looking = asyncio.Event(), asyncio.Lock()

    async def closure_of(self, db: AsyncSession, study: Study) -> Closure | None:
        """Return why a study takes nobody now; None: the next one is welcome.

        Whoever begins a visit asks this in the study's turn, so that no two pass the cap together.
        """
        if self._is_full(study.key):
            return Closure.COMPLETE
        pause = await pause_of(db, study.name, study.mode)
        # A pause of a version that was full may not have been ended yet.
        if self._fault_of(study.key) or (pause is not None and pause.cause != Cause.COMPLETE):
            return Closure.PAUSED
        if self._are_all_taken(study.key):
            return Closure.FULL
        if not study.pay.is_paid:
            return None
        visits = await visits_in_mode(db, study.name, study.mode)
        return None if (await self._spending(db, visits)).takes_another(study) else Closure.FULL

    async def pause(
        self,
        study: Study,
        cause: Cause,
        text: str,
        note: Callable[[AsyncSession], None] | None = None,
    ) -> bool:
        """Let a study take nobody for a reason that was found elsewhere; one that is paused stays.

        ``note`` logs it in the same transaction. Returns whether it is new. Raises DatabaseError.
        """
        async with self._looking, self._database.transaction() as db:
            if await pause_of(db, study.name, study.mode) is not None:
                return False
            add_pause(db, study.name, study.mode, cause, text, self._now())
            if note is not None:
                note(db)
            log.warning("study.paused", study=study.name, cause=str(cause), reason=text)
        self.wake()
        return True

    def wake(self) -> None:
        """Look now: there is something to tell."""
        self._news.set()

    async def watch(self) -> None:
        """Look after all studies; runs until cancelled."""
        if len(self._studies) and not self._notices.has_channels:
            log.warning(
                "operator.no_channel",
                hint="set COHABIT_OPERATOR_MAIL or COHABIT_OPERATOR_WEBHOOK to be told of pauses "
                "and of what people report; `cohabit study problems` lists them",
            )
        while True:
            self._news.clear()
            try:
                await self.look()
            except DatabaseError as error:
                log.warning("recruiting.no_database", reason=str(error))
            except Exception as error:
                # One look that fails must not be the last.
                log.error("recruiting.look_failed", reason=repr(error))
            try:
                await asyncio.wait_for(self._news.wait(), ROUND_S)
            except TimeoutError:
                continue

    async def look(self) -> None:
        """Look once at all studies, then tell the operator what they do not know."""
        async with self._looking:
            # A study may be opened meanwhile.
            for opened in tuple(self._studies):
                async with self._database.transaction() as db:
                    await self._pause_if_needed(db, opened)
            await self._tell()

    async def _pause_if_needed(self, db: AsyncSession, opened: OpenStudy) -> None:
        study = opened.study
        visits = await visits_in_mode(db, study.name, study.mode)
        spending = await self._spending(db, visits)
        if study.pay.is_paid:
            self.spending[study.name] = spending
        if (pause := await pause_of(db, study.name, study.mode)) is not None:
            if pause.cause != Cause.COMPLETE or self._is_full(study.key) is not False:
                return
            # Another version has larger targets.
            pause.resumed_at = self._now()
            log.info("study.takes_people_again", study=study.name)
            await db.flush()
        since = await resumed_at(db, study.name, study.mode)
        ended = [v for v in visits if v.ended_at is not None]
        ended.sort(key=lambda visit: (visit.ended_at, visit.visit_id))
        endings = [
            Ending(v.ending)
            for v in ended
            # What failed in an earlier version may be what this one mends.
            if v.ending is not None
            and study_key_of(v) == study.key
            and (since is None or (v.ended_at or since) > since)
        ]
        course = Course(
            spending,
            endings,
            self._longest_wait_s(study.key),
            # One that is closed invites nobody anyway, and its data may be gone for good.
            "" if opened.is_closed else self._fault_of(study.key),
            not opened.is_closed and bool(self._is_full(study.key)),
        )
        if (found := cause_of_pause(study, course)) is not None:
            cause, text = found
            add_pause(db, study.name, study.mode, cause, text, self._now())
            log.warning("study.paused", study=study.name, cause=str(cause), reason=text)

    async def _spending(self, db: AsyncSession, visits: list[VisitRow]) -> Spending:
        spent, most = 0, list[int | None]()
        for visit in visits:
            owed = self._owed.get(visit.visit_id)
            if owed is None:
                opened = await self._studies.of_visit(db, visit)
                if opened is None:
                    most.append(None)
                    continue
                earned = await earnings_of(db, visit, opened.study, self._now())
                if earned is None:
                    most.append(opened.study.most_of_a_visit)
                    continue
                owed = self._owed[visit.visit_id] = earned.owed.total
            spent += owed
        known = [amount for amount in most if amount is not None]
        return Spending(spent, sum(known) if len(known) == len(most) else None)

    async def _tell(self) -> None:
        if not self._notices.has_channels:
            return
        names = [opened.study.name for opened in self._studies]
        async with self._database.transaction() as db:
            pauses = await untold_pauses(db, names)
            troubles = await untold_troubles(db, names)
        for pause in pauses:
            is_full = pause.cause == Cause.COMPLETE
            done = "takes nobody new" if is_full else "has paused its recruiting"
            notice = Notice(
                f"Study {pause.study} {done}",
                f"{pause.text}. Those who take part go on; nobody new begins. "
                f"{_capitalised(after_pause(pause.cause, pause.study))}.",
                {
                    "id": f"pause-{pause.study}-{pause.paused_at:%Y%m%dT%H%M%S.%f}",
                    "study": pause.study,
                    "cause": pause.cause,
                },
            )
            if await self._notices.tell(notice):
                async with self._database.transaction() as db:
                    await note_told(db, pause, self._now())
        for trouble, study in troubles:
            notice = Notice(
                f"Somebody in study {study} has a problem",
                trouble.text,
                {
                    "id": f"report-{trouble.visit_id}-{trouble.trouble_id}",
                    "study": study,
                    "visit": trouble.visit_id,
                    "place": trouble.place,
                    "session": trouble.session_id or "",
                },
            )
            if await self._notices.tell(notice):
                async with self._database.transaction() as db:
                    await note_told(db, trouble, self._now())


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
