"""Keys that a database needs and the folder of keys lacks.

An empty folder is no answer: Docker makes one for a volume, and a machine that was set up again has
one. With new keys in it nobody would be known again, and what was written before stays unreadable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Text, Update, cast, or_, select, union, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.personal.key_folder import HIDING, KeyFolder, KeysError, mark_of
from server.personal.sealing import FORGOTTEN, KEYLESS, START
from server.store.batches import batches
from server.store.models import ParticipantRow
from server.store.sealed_rows import keys_of
from server.store.visit_models import AnswerRow, DraftRow, IdentityRow, TroubleRow, VisitRow
from server.store.visits import visit_of

FEW = 50
"""Identities of which one at least can be read, unless keys are missing by the dozen."""


class MissingKeys(NamedTuple):
    """Keys that a folder lacks."""

    hides_ids: bool
    """Whether it is the key that hides ids at recruiters, which some row has used."""
    people: tuple[str, ...]
    """Participants who had a key and were not forgotten, and lack it or have another."""
    is_another: bool = False
    """Whether a key of hashes is there, and not that which was used."""

    def __bool__(self) -> bool:
        return self.hides_ids or bool(self.people)

    def __str__(self) -> str:
        told = [f"the right {HIDING}" if self.is_another else HIDING] if self.hides_ids else []
        if self.people:
            others = f", the first is {self.people[0]}" if len(self.people) > 1 else ""
            whose = self.people[0] if len(self.people) == 1 else f"{len(self.people)} people"
            told.append(f"the keys of {whose}{others}")
        return " and ".join(told)


async def missing_keys(db: AsyncSession, keys: KeyFolder) -> MissingKeys:
    """Return what a folder lacks that the words and hashes of a database need. Raises KeysError."""
    marks = await _marks(db)
    sealed = set(await db.scalars(_sealed_people())) | marks.keys()
    missing = tuple(sorted(await asyncio.to_thread(_lacking, keys, sealed, marks)))
    if keys.exists():
        is_another = await _hides_otherwise(db, keys)
        return MissingKeys(is_another, missing, is_another)
    is_hashed = await db.scalar(
        select(IdentityRow.visit_id).where(IdentityRow.external_hash.is_not(None)).limit(1)
    )
    return MissingKeys(bool(sealed) or is_hashed is not None, missing)


async def check_no_key_is_missing(db: AsyncSession, keys: KeyFolder) -> None:
    """Raise KeysError where a folder lacks a key that the database needs."""
    missing = await missing_keys(db, keys)
    if missing:
        raise KeysError(
            f"{keys.path}, the folder of the keys under which people's words of this database are "
            f"sealed, lacks {missing}: bring the files back from where copies of the keys are "
            "kept, mount the volume, or name the right folder in COHABIT_KEYS_DIR. If they are "
            "lost for good, `cohabit lost-keys` says what that means, and makes new ones"
        )


async def check_keys(db: AsyncSession, study: str) -> None:
    """Check that the words of a study can be read, but for those of people who were forgotten.

    Keys of theirs that came back with an older copy of the folder are destroyed. Raises KeysError,
    which says whose key is missing.
    """
    keys = keys_of(db)
    if keys is None:
        return
    await destroy_noted(db, keys)
    people = set(await db.scalars(_sealed_people().where(VisitRow.study == study)))
    missing = sorted(await asyncio.to_thread(_lacking, keys, people, await _marks(db)))
    if missing:
        raise KeysError(
            f"{keys.path} lacks the keys of {len(missing)} people of {study}, who were not "
            f"forgotten (the first is {missing[0]}): bring the files back from where copies of "
            "the keys are kept, or name the right folder in COHABIT_KEYS_DIR. Nothing is written"
        )


async def destroy_noted(db: AsyncSession, keys: KeyFolder) -> None:
    """Destroy the keys of people whom the database knows as forgotten, and the folder does not.

    The folder is an older copy then, or a crash came after the commit. Raises KeysError.
    """
    listed = keys.forgotten()
    noted = await db.execute(
        select(ParticipantRow.participant_id, ParticipantRow.forgotten_at).where(
            ParticipantRow.forgotten_at.is_not(None)
        )
    )
    for person, at in noted.all():
        if at is not None and person not in listed:
            visit = await visit_of(db, person)
            withdraws = visit is not None and visit.withdrawn_at == at
            keys.forget(person, at.timestamp(), withdraws=withdraws)


async def unmark_removed(db: AsyncSession, keys: KeyFolder) -> None:
    """Take the marks from people of open play whose keys are gone: retention has destroyed them.

    A backup from before knows them still. A folder without its key of hashes is another one, or
    empty, and tells nothing.
    """
    if not keys.exists():
        return
    rows = await db.scalars(
        select(ParticipantRow.participant_id).where(
            ParticipantRow.key_mark.is_not(None),
            ParticipantRow.forgotten_at.is_(None),
            ~select(VisitRow.visit_id)
            .where(VisitRow.participant_id == ParticipantRow.participant_id)
            .exists(),
        )
    )
    await take_marks(db, sorted(set(rows) - await asyncio.to_thread(keys.people)))


async def take_marks(db: AsyncSession, people: Sequence[str]) -> None:
    """Note that some people have no key."""
    for some in batches(people):
        taken = update(ParticipantRow).where(ParticipantRow.participant_id.in_(some))
        await db.execute(taken.values(key_mark=None))


async def _hides_otherwise(db: AsyncSession, keys: KeyFolder) -> bool:
    """Tell whether an id that can be read has another hash than the folder's key makes of it."""
    for row, known in await _known_ids(db, FEW):
        return keys.hidden(row.recruiter, known) != row.external_hash
    return False


async def hide_again(db: AsyncSession, keys: KeyFolder) -> None:
    """Make the hashes of ids that can be read anew, by the folder's key in place of a lost one.

    Of two visits that came by one id meanwhile the first keeps it.
    """
    hidden: set[tuple[str, str, str, str]] = set()
    found = await _known_ids(db)
    for row, _ in found:
        await db.execute(_rehashed(row, None))
    for row, known in found:
        mine = (row.study, row.mode, row.recruiter, keys.hidden(row.recruiter, known))
        if mine not in hidden:
            hidden.add(mine)
            await db.execute(_rehashed(row, mine[-1]))


def _rehashed(row: IdentityRow, hashed: str | None) -> Update:
    changed = update(IdentityRow).where(IdentityRow.visit_id == row.visit_id)
    return changed.values(external_hash=hashed).execution_options(synchronize_session=False)


async def _known_ids(db: AsyncSession, at_most: int | None = None) -> list[tuple[IdentityRow, str]]:
    """Return those whose id can be read of the identities with a hash, the first visit first.

    ``at_most`` is the number of identities that are looked at: each is unsealed.
    """
    rows = await db.scalars(
        select(IdentityRow)
        .where(IdentityRow.external_hash.is_not(None), IdentityRow.external_id.is_not(None))
        .order_by(IdentityRow.visit_id)
        .limit(at_most)
    )
    return [
        (row, row.external_id)
        for row in rows
        if row.external_id is not None and row.external_id not in (FORGOTTEN, KEYLESS)
    ]


async def note_marks(db: AsyncSession, keys: KeyFolder, people: Iterable[str] = ()) -> None:
    """Note whose key is which, of rows that say nothing of it and of ``people`` in any case."""
    unmarked = await db.scalars(
        select(ParticipantRow.participant_id).where(
            ParticipantRow.key_mark.is_(None), ParticipantRow.forgotten_at.is_(None)
        )
    )
    due = (set(unmarked) & await asyncio.to_thread(keys.people)) | set(people)
    for person in sorted(due):
        key = await asyncio.to_thread(_readable, keys, person)
        if key is not None:
            noted = update(ParticipantRow).where(ParticipantRow.participant_id == person)
            await db.execute(noted.values(key_mark=mark_of(key)))


async def _marks(db: AsyncSession) -> dict[str, str]:
    """Return the marks of the keys of all people, but for the forgotten."""
    rows = await db.execute(
        select(ParticipantRow.participant_id, ParticipantRow.key_mark).where(
            ParticipantRow.key_mark.is_not(None), ParticipantRow.forgotten_at.is_(None)
        )
    )
    return {person: mark for person, mark in rows if mark is not None}


def _lacking(keys: KeyFolder, people: Set[str], marks: Mapping[str, str]) -> list[str]:
    """Return the people who were not forgotten and whose key is not there, or is another."""
    listed = keys.forgotten()
    found = []
    for person in people - listed.keys():
        key = _readable(keys, person)
        if key is None or marks.get(person, mark_of(key)) != mark_of(key):
            found.append(person)
    return found


def _readable(keys: KeyFolder, person: str) -> bytes | None:
    """Return the key of a person; None: it is gone, or its file is no key."""
    try:
        return keys.key(person)
    except KeysError:
        return None


def _sealed_people() -> Select[str]:
    """Return a query of participants, but for the forgotten, who have words that are sealed."""
    tables: list[tuple[Any, ColumnElement[bool]]] = [
        (IdentityRow, or_(_sealed(IdentityRow.parameters), _sealed(IdentityRow.external_id))),
        (AnswerRow, _sealed(AnswerRow.value)),
        (DraftRow, _sealed(DraftRow.fields)),
        (TroubleRow, _sealed(TroubleRow.text)),
    ]
    visits = union(*(select(table.visit_id).where(is_sealed) for table, is_sealed in tables))
    return (
        select(VisitRow.participant_id)
        .join(ParticipantRow, ParticipantRow.participant_id == VisitRow.participant_id)
        .where(VisitRow.visit_id.in_(visits), ParticipantRow.forgotten_at.is_(None))
    )


def _sealed(column: Any) -> ColumnElement[bool]:
    return cast(column, Text).like(f"%{START}%")
