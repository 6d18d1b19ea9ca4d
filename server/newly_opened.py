"""Studies that a server takes up beside those that it starts with.

They are opened while it runs, or are earlier versions that people were in when it started.
"""

from __future__ import annotations

import asyncio

import structlog

from matchmaking.study import Study, StudyError
from matchmaking.study.opening_rules import PREFLIGHT
from matchmaking.study_key import StudyKey
from server.research.studies.opening import CannotOpenError, check_may_go_on
from server.robots.policy_spec import RobotError
from server.store import DatabaseError
from server.store.studies import opened_version
from server.store.study_models import StudyRunRow
from server.store.study_runs import all_runs, key_of
from server.store.visits import live_visits, study_key_of
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
        """Take up the studies that are open and not yet known here; drop those of preflights."""
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
        for opened in list(self._state.studies):
            name = opened.study.name
            if name.startswith(PREFLIGHT) and name not in seen:
                self._state.studies.drop(name)

    async def resume(self) -> None:
        """Take up again the earlier versions of studies that visits are still in.

        Call it before the lobby starts: it puts people back who wait in one of them.
        """
        state = self._state
        current = {opened.study.name: opened.study.key for opened in state.studies}
        async with state.database.transaction() as db:
            keys = {study_key_of(visit) for visit in await live_visits(db, current)}
            earlier = {key: await opened_version(db, key) for key in keys - set(current.values())}
        for key, study in earlier.items():
            if study is None:
                log.error("study.version_lost", study=key.name, version=key.version)
                continue
            try:
                await self._let_go_on(study)
            except (StudyError, RobotError) as error:
                log.error("study.not_taken_up", study=study.name, reason=str(error))

    async def _let_go_on(self, study: Study) -> None:
        """Make everything behind the first page know a study. Raises StudyError, RobotError."""
        state = self._state
        state.teams.take_up(study)
        state.sessions.take_up(study)
        await state.lobby.take_up(study)

    async def _take_up(self, run: StudyRunRow) -> None:
        state = self._state
        try:
            study = await asyncio.to_thread(check_may_go_on, run, state.settings)
            await self._let_go_on(study)
            # People are let in last.
            state.studies.take_up(study)
        except (CannotOpenError, StudyError, RobotError) as error:
            self._refused.add(key_of(run))
            log.error("study.not_taken_up", study=run.study, reason=str(error))
            return
        log.info("study.taken_up", study=run.study, version=run.version, mode=run.mode)
