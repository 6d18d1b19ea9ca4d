"""Readings of the models of a study: what was frozen at its opening, and what they are now."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study_key import StudyKey
from server.research.studies.model_users import models_asked
from server.robots.models import ModelError, UnavailableError
from server.robots.models.client import ModelClient
from server.robots.models.model_server import ModelServer
from server.robots.serving.model_reading import NoSuchModelError, read_facts, read_models
from server.robots.serving.served_model import Change, ServedModel, change_of
from server.settings import Settings
from server.store.model_readings import Occasion, add_reading, readings_of
from server.store.study_models import ModelReadingRow

_LOGIN = re.compile(r"//[^/@\s]*@")
DEADLINE_S = 60.0
"""Seconds in which a model server answers each question of a reading."""


async def read_models_of(
    study: Study, settings: Settings, *, facts_only: bool = False, with_weights: bool = True
) -> list[ServedModel]:
    """Read the models that a study's robots ask; none where none of them asks any.

    ``facts_only``: only what costs the server nothing. ``with_weights``: the files of weights on
    this machine, too. Raises ModelError.
    """
    names, server = models_asked(study), ModelServer.of(settings)
    if not names:
        return []
    if server is None:
        raise UnavailableError("COHABIT_MODEL_URL names no model server")
    patient = dataclasses.replace(server, deadline_s=DEADLINE_S)
    async with ModelClient(patient) as client:
        if facts_only:
            return await read_facts(client, names)
        return await read_models(client, names, settings.model_machine, with_weights=with_weights)


def told_error(error: ModelError) -> str:
    """Return why a model cannot be read, without what its server said and without passwords.

    Some servers repeat a key that they refuse, and an address may have a password in it.
    """
    text = str(error)
    if not isinstance(error, NoSuchModelError):
        text = text.split(": ", 1)[0]
    return _LOGIN.sub("//", text)


def digests_of(models: Iterable[ServedModel]) -> dict[str, str]:
    """Return the digests of models by their names, for a manifest."""
    return {model.name: model.digest for model in models}


def model_of(row: ModelReadingRow) -> ServedModel | None:
    """Return what was read; None: nothing could be."""
    return None if row.reading is None else msgspec.convert(row.reading, ServedModel)


async def frozen_models(db: AsyncSession, key: StudyKey) -> list[ServedModel]:
    """Return the models of a study as they were read at its opening; none: none was."""
    rows = [row for row in await readings_of(db, key) if row.occasion == "open"]
    return [model for row in rows if (model := model_of(row)) is not None]


def changes_since(
    frozen: Sequence[ServedModel], now: Sequence[ServedModel]
) -> Mapping[str, Change]:
    """Return what became of each model, by the names that robots ask for.

    The server's first model, which is asked for without a name, may be another one than it was.
    """
    before = {model.asked: model for model in frozen}
    new = Change(("it was not asked at the opening",), 0, 0)
    return {
        model.asked: change_of(before[model.asked], model) if model.asked in before else new
        for model in now
    }


def keep(
    db: AsyncSession,
    key: StudyKey,
    occasion: Occasion,
    models: Iterable[ServedModel],
    changes: Mapping[str, Change],
    at: datetime,
) -> None:
    """Store readings of models with what is different from the opening."""
    for model in models:
        change = changes.get(model.asked)
        add_reading(
            db,
            key,
            occasion,
            at,
            model=model.name,
            reading=msgspec.to_builtins(model),
            text="" if change is None else change.text,
        )
