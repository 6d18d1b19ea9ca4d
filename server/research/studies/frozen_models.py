"""Watch over the models of studies: the robots that people meet are those that were frozen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

import structlog

from matchmaking.recruiting_limits import Cause
from matchmaking.study import Study
from server.research.studies.model_readings import (
    changes_since,
    frozen_models,
    keep,
    read_models_of,
)
from server.research.studies.model_users import models_asked
from server.robots.models import ModelError
from server.robots.serving.served_model import Change, ServedModel
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.model_readings import add_reading, readings_of
from server.store.study_pauses import add_pause, pause_of

ROUND_S = 600.0
"""Seconds between two looks at what costs a model server nothing."""
DAY = timedelta(hours=24)
"""Time between two readings with the fixed questions."""

log = structlog.get_logger(__name__)


class FrozenModels:
    """Watch that reads the models of open studies once a day; run `watch` in a task.

    ``studies`` yields those that invite people. One whose robots have become others pauses, and
    ``on_pause`` is called.
    """

    def __init__(
        self,
        database: Database,
        studies: Callable[[], Iterable[Study]],
        settings: Settings,
        on_pause: Callable[[], None],
        now: Callable[[], datetime],
    ) -> None:
        self._database, self._studies, self._settings = database, studies, settings
        self._on_pause, self._now = on_pause, now

    async def watch(self) -> None:
        """Look now and then; runs until cancelled."""
        while True:
            for study in list(self._studies()):
                try:
                    await self.look(study)
                except DatabaseError as error:
                    log.warning("study_models.no_database", reason=str(error))
                except Exception as error:
                    # One look that fails must not be the last.
                    log.error("study_models.look_failed", study=study.name, reason=repr(error))
            await asyncio.sleep(ROUND_S)

    async def look(self, study: Study) -> None:
        """Look at the models of a study: at all of them once a day, at what is cheap always."""
        if not models_asked(study):
            return
        async with self._database.transaction() as db:
            frozen = await frozen_models(db, study.key)
            rows = await readings_of(db, study.key)
        if not frozen:
            # It was opened before models were read.
            return
        read = [row.at for row in rows if row.reading is not None]
        is_due = not read or self._now() - read[-1] >= DAY
        try:
            models = await read_models_of(study, self._settings, facts_only=not is_due)
            if not is_due and _others(changes_since(frozen, models)):
                models, is_due = await read_models_of(study, self._settings), True
        except ModelError as error:
            if is_due:
                await self._note_silence(study, rows[-1].at, str(error))
            return
        if is_due:
            await self._note(study, models, changes_since(frozen, models))

    async def _note(
        self, study: Study, models: Iterable[ServedModel], changes: Mapping[str, Change]
    ) -> None:
        others = _others(changes)
        async with self._database.transaction() as db:
            keep(db, study.key, "daily", models, changes, self._now())
            is_paused = await pause_of(db, study.name, study.mode) is not None
            if others and not is_paused:
                add_pause(db, study.name, study.mode, Cause.MODEL, "; ".join(others), self._now())
        for name, change in changes.items():
            if change.text:
                log.warning("study.model_differs", study=study.name, model=name, how=change.text)
        if others and not is_paused:
            log.warning("study.paused", study=study.name, cause=str(Cause.MODEL))
            self._on_pause()

    async def _note_silence(self, study: Study, last: datetime, reason: str) -> None:
        """Store once a day that a model could not be read."""
        if self._now() - last < DAY:
            return
        log.warning("study.model_not_read", study=study.name, reason=reason)
        async with self._database.transaction() as db:
            add_reading(db, study.key, "daily", self._now(), text=f"could not be read: {reason}")


def _others(changes: Mapping[str, Change]) -> list[str]:
    """Return what makes another robot of each model that is one, in words."""
    return [
        f"the model {name} is not what it was at the opening ({change.text})"
        for name, change in changes.items()
        if change.is_another
    ]
