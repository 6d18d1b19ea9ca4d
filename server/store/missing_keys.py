"""Keys that a database needs and the folder of keys lacks.

An empty folder is no answer: Docker makes one for a volume, and a machine that was set up again has
one. With new keys in it nobody would be known again, and what was written before stays unreadable.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Text, cast, or_, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from server.personal.key_folder import HIDING, KeyFolder, KeysError
from server.personal.sealing import START
from server.store.models import ParticipantRow
from server.store.sealed_rows import keys_of
from server.store.visit_models import AnswerRow, DraftRow, IdentityRow, TroubleRow, VisitRow


class MissingKeys(NamedTuple):
    """Keys that a folder lacks."""

    hides_ids: bool
    """Whether it is the key that hides ids at recruiters, which some row has used."""
    people: tuple[str, ...]
    """Participants whose words are sealed, and who were not forgotten."""

    def __bool__(self) -> bool:
        return self.hides_ids or bool(self.people)

    def __str__(self) -> str:
        told = [HIDING] if self.hides_ids else []
        if self.people:
            others = f", the first is {self.people[0]}" if len(self.people) > 1 else ""
            whose = self.people[0] if len(self.people) == 1 else f"{len(self.people)} people"
            told.append(f"the keys of {whose}{others}")
        return " and ".join(told)


async def missing_keys(db: AsyncSession, keys: KeyFolder) -> MissingKeys:
    """Return what a folder lacks that the words and hashes of a database need. Raises KeysError."""
    sealed = set(await db.scalars(_sealed_people()))
    missing = sealed - keys.people() - keys.forgotten().keys()
    if keys.exists():
        return MissingKeys(False, tuple(sorted(missing)))
    is_hashed = await db.scalar(
        select(IdentityRow.visit_id).where(IdentityRow.external_hash.is_not(None)).limit(1)
    )
    return MissingKeys(bool(sealed) or is_hashed is not None, tuple(sorted(missing)))


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

    Raises KeysError, which says whose key is missing.
    """
    keys = keys_of(db)
    if keys is None:
        return
    people = sorted(await db.scalars(_sealed_people().where(VisitRow.study == study)))
    missing = [p for p in people if not keys.is_forgotten(p) and keys.key(p) is None]
    if missing:
        raise KeysError(
            f"{keys.path} lacks the keys of {len(missing)} people of {study}, who were not "
            f"forgotten (the first is {missing[0]}): bring the files back from where copies of "
            "the keys are kept, or name the right folder in COHABIT_KEYS_DIR. Nothing is written"
        )


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
