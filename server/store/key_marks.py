"""Marks of people's keys: which key a person's words are sealed under, noted in their row.

A key that is gone, or another in its place, is noticed by its mark before anything is written under
a new one, which would hide that the old one is lost. A mark says nothing of the key.
"""

from __future__ import annotations

import asyncio

from sqlalchemy.ext.asyncio import AsyncSession

from server.personal.key_folder import ForgottenError, KeyFolder, KeysError, mark_of
from server.store.models import ParticipantRow


async def ensure_key(db: AsyncSession, keys: KeyFolder, person: str) -> bytes:
    """Return the key of a person, made where they have none yet, and note its mark.

    Raises ForgottenError for somebody who was forgotten, and KeysError where their key is missing
    or another lies in its place; nothing is made then.
    """
    if keys.is_forgotten(person):
        raise ForgottenError(f"{person} was forgotten")
    row = await db.get(ParticipantRow, person)
    noted = None if row is None else row.key_mark
    key = await asyncio.to_thread(keys.key, person)
    if noted is not None and (key is None or mark_of(key) != noted):
        wrong = "lacks the key" if key is None else "has another key"
        raise KeysError(
            f"{keys.path}, the folder of keys, {wrong} of {person}, whose words are sealed: bring "
            "the file back from where copies of the keys are kept. If it is lost for good, stop "
            "the server and say `cohabit lost-keys`. Nothing of them is written until then"
        )
    if key is None:
        key = await asyncio.to_thread(keys.made_key, person)
    if row is not None and noted is None:
        row.key_mark = mark_of(key)
    return key
