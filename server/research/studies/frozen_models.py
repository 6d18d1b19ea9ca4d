"""Watch over the models of studies: the robots that people meet are those that were frozen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import structlog

from matchmaking.recruiting_limits import Cause
from matchmaking.study import Study
from server.research.studies.model_readings import (
    changes_since,
    frozen_models,
    keep,
    model_of,
    read_models_of,
    told_error,
)
from server.research.studies.model_users import models_asked
from server.robots.models import ModelError
from server.robots.serving.model_reading import NoSuchModelError
from server.robots.serving.served_model import Change, ServedModel
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.model_readings import add_reading, readings_of
from server.store.study_pauses import resumed_at

ROUND_S = 600.0
"""Seconds between two looks at what costs a model server nothing."""
DAY = timedelta(hours=24)
"""Time between two readings with the fixed questions."""

log = structlog.get_logger(__name__)


class FrozenModels:
    """Watch that reads the models of open studies once a day; run `watch` in a task.

    ``studies`` yields those that invite people. For one whose robots have become others ``pause``
    is called, with the reason.
    """

    def __init__(
        self,
        database: Database,
        studies: Callable[[], Iterable[Study]],
        settings: Settings,
        pause: Callable[[Study, Cause, str], Awaitable[object]],
        now: Callable[[], datetime],
    ) -> None:
        self._database, self._studies, self._settings = database, studies, settings
        self._pause, self._now = pause, now

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
        """Look at the models of a study: at all of them once a day, at what is cheap always.

        All is read at once where something cheap differs from the last reading, and where people
        were let in again since.
        """
        if not models_asked(study):
            return
        async with self._database.transaction() as db:
            frozen = await frozen_models(db, study.key)
            rows = await readings_of(db, study.key)
            resumed = await resumed_at(db, study.name, study.mode)
        if not frozen:
            # It was opened before models were read.
            return
        last = {model.asked: (row.at, model) for row in rows if (model := model_of(row))}
        read_at = max(at for at, _ in last.values())
        is_due = self._now() - read_at >= DAY or (resumed is not None and resumed > read_at)
        facts: Sequence[ServedModel] = ()
        try:
            facts = await self._read(study, facts_only=True)
            since = changes_since([model for _, model in last.values()], facts)
            if not is_due and not any(change.facts for change in since.values()):
                return
            models = await self._read(study)
            if _answer_otherwise(changes_since(frozen, models)):
                # Beside the calls of those who play, a single answer may round differently.
                models = await self._read(study)
        except NoSuchModelError as error:
            await self._note_silence(study, rows[-1].at, told_error(error))
            await self._pause(study, Cause.MODEL, told_error(error))
            return
        except ModelError as error:
            changes = changes_since(frozen, facts)
            if any(change.facts for change in changes.values()):
                # That it is another one is known, though it answers nothing.
                await self._note(study, facts, changes)
            else:
                await self._note_silence(study, rows[-1].at, told_error(error))
            return
        await self._note(study, models, changes_since(frozen, models))

    async def _read(self, study: Study, *, facts_only: bool = False) -> list[ServedModel]:
        return await read_models_of(
            study, self._settings, facts_only=facts_only, with_weights=False
        )

    async def _note(
        self, study: Study, models: Iterable[ServedModel], changes: Mapping[str, Change]
    ) -> None:
        async with self._database.transaction() as db:
            keep(db, study.key, "daily", models, changes, self._now())
        others = []
        for model in models:
            change = changes[model.asked]
            if change.text:
                log.warning(
                    "study.model_differs", study=study.name, model=model.name, how=change.text
                )
            if change.is_another:
                others.append(
                    f"the model {model.name} is not what it was at the opening ({change.text})"
                )
        if others:
            await self._pause(study, Cause.MODEL, "; ".join(others))

    async def _note_silence(self, study: Study, last: datetime, reason: str) -> None:
        """Store once a day that a model could not be read."""
        if self._now() - last < DAY:
            return
        log.warning("study.model_not_read", study=study.name, reason=reason)
        async with self._database.transaction() as db:
            add_reading(db, study.key, "daily", self._now(), text=f"could not be read: {reason}")


def _answer_otherwise(changes: Mapping[str, Change]) -> bool:
    """Tell whether a model is another one by its answers alone."""
    return any(change.is_another and not change.facts for change in changes.values())
