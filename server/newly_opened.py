"""Studies that were opened while the server runs: taken up without a restart."""

from __future__ import annotations

import asyncio

import structlog

from matchmaking.study import StudyError
from matchmaking.study.study_key import StudyKey
from server.research.studies.opening import CannotOpenError, check_unchanged
from server.robots.policy_spec import RobotError
from server.store import DatabaseError
from server.store.study_models import StudyRunRow
from server.store.study_runs import all_runs, key_of
from server.web.application_state import ApplicationState

ROUND_S = 20.0

log = structlog.get_logger(__name__)


class NewlyOpened:
    """Watch for studies that are opened; run `watch` in a task."""

    def __init__(self, state: ApplicationState) -> None:
        self._state = state
        self._refused: set[StudyKey] = set()
        """Studies that this server cannot take up; the next one that starts tries again."""

    async def watch(self) -> None:
        """Look for them now and then; runs until cancelled."""
        while True:
            await asyncio.sleep(ROUND_S)
            try:
                await self.look()
            except DatabaseError as error:
                if count := self._state.log_throttle.count("studies.no_database"):
                    log.warning("studies.no_database", reason=str(error), count=count)
            except Exception as error:
                # One look that fails must not be the last.
                log.error("studies.look_failed", reason=repr(error))

    async def look(self) -> None:
        """Take up the studies that are open and not yet known here."""
        async with self._state.database.transaction() as db:
            runs = await all_runs(db)
        seen: set[str] = set()
        for run in runs:
            key = key_of(run)
            if run.study in seen:
                continue
            seen.add(run.study)
            known = self._state.studies.get(run.study)
            is_known = known is not None and known.study.key == key
            if run.closed_at is None and not is_known and key not in self._refused:
                await self._take_up(run)

    async def _take_up(self, run: StudyRunRow) -> None:
        state = self._state
        try:
            study = await asyncio.to_thread(check_unchanged, run, state.settings.data_dir)
            # People are let in last, once everything behind the first page knows the study.
            state.teams.take_up(study)
            state.sessions.take_up(study)
            await state.lobby.take_up(study)
            state.studies.take_up(study)
        except (CannotOpenError, StudyError, RobotError) as error:
            self._refused.add(key_of(run))
            log.error("study.not_taken_up", study=run.study, reason=str(error))
            return
        log.info("study.taken_up", study=run.study, version=run.version, mode=run.mode)
