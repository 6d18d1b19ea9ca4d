"""Sealed columns of rows: written by the functions here, opened whenever a row is read.

Which rows: ids and links of recruiters, answers in words or that tell who somebody is, drafts and
reports of trouble. A database that was opened without a folder of keys seals nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import QueryContext, Session
from sqlalchemy.orm.attributes import set_committed_value

from server.personal.key_folder import KeyFolder
from server.personal.sealing import FORGOTTEN, KEYLESS, is_sealed, opened, seal
from server.store.key_marks import ensure_key
from server.store.visit_models import AnswerRow, DraftRow, IdentityRow, TroubleRow, VisitRow

INFO = "keys"
"""Entry of a session's info that is its folder of keys."""
FIELD = "sealed"
"""Field of a sealed object."""


def keys_of(db: AsyncSession | Session) -> KeyFolder | None:
    """Return the folder of keys of a database; None: it was opened without one."""
    found: KeyFolder | None = db.info.get(INFO)
    return found


async def person_of(db: AsyncSession, visit_id: str) -> str:
    """Return the participant whose visit it is, whose key seals its words."""
    return (await db.get_one(VisitRow, visit_id)).participant_id


async def ensure_key_of(db: AsyncSession, person: str) -> None:
    """Make the key of a person who has none yet. Raises as `ensure_key`."""
    if (keys := keys_of(db)) is not None:
        await ensure_key(db, keys, person)


async def sealed_text(db: AsyncSession, person: str, text: str) -> str:
    """Return a text as it is stored.

    Raises ForgottenError and KeysError, as all that seals here (see `ensure_key`).
    """
    keys = keys_of(db)
    if keys is None:
        return text
    return seal({person: await ensure_key(db, keys, person)}, text)


async def sealed_value(db: AsyncSession, person: str, value: Any) -> Any:
    """Return an answer as it is stored; nothing is hidden of one that was left out."""
    if value is None or keys_of(db) is None:
        return value
    return await sealed_text(db, person, json.dumps(value))


async def sealed_object(db: AsyncSession, person: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields by name as they are stored."""
    return fields if keys_of(db) is None else {FIELD: await sealed_value(db, person, fields)}


def hidden_id(db: AsyncSession, recruiter: str, external_id: str) -> str:
    """Return the hash by which an id at a recruiter is known again."""
    keys = keys_of(db)
    if keys is None:
        return hashlib.sha256(f"{recruiter}\0{external_id}".encode()).hexdigest()
    return keys.hidden(recruiter, external_id)


def open_value(keys: KeyFolder | None, value: Any) -> Any:
    """Return an answer as it was given, or what stands for it."""
    if not is_sealed(value):
        return value
    shown = opened(keys, value)
    return shown if shown in (FORGOTTEN, KEYLESS) else json.loads(shown)


def is_sealed_object(fields: Any) -> bool:
    return isinstance(fields, dict) and set(fields) == {FIELD} and is_sealed(fields[FIELD])


def _open_object(keys: KeyFolder | None, fields: Any) -> Any:
    if not is_sealed_object(fields):
        return fields
    found = open_value(keys, fields[FIELD])
    return found if isinstance(found, dict) else {}


def _open_id(keys: KeyFolder | None, text: Any) -> Any:
    if not is_sealed(text):
        return text
    shown = opened(keys, text)
    return None if shown == FORGOTTEN else shown


def _open_text(keys: KeyFolder | None, text: Any) -> Any:
    return opened(keys, text) if is_sealed(text) else text


Opener = Callable[[KeyFolder | None, Any], Any]
_COLUMNS: dict[type[Any], dict[str, Opener]] = {
    IdentityRow: {"external_id": _open_id, "parameters": _open_object},
    AnswerRow: {"value": open_value},
    DraftRow: {"fields": _open_object},
    TroubleRow: {"text": _open_text},
}


def _open(row: Any, context: QueryContext | None) -> None:
    """Open a row that was read, without marking it as changed; one that is merged is written."""
    if context is None:
        return
    keys = keys_of(context.session)
    for column, read in _COLUMNS[type(row)].items():
        stored = row.__dict__.get(column)
        shown = read(keys, stored)
        if shown is not stored:
            set_committed_value(row, column, shown)


def _open_again(row: Any, context: QueryContext | None, _attributes: object) -> None:
    _open(row, context)


for _table in _COLUMNS:
    event.listen(_table, "load", _open)
    event.listen(_table, "refresh", _open_again)
