"""Forgetting of a participant: their key is destroyed, and what stands in rows is overwritten.

The list of the forgotten lies with the keys and decides: `settle` applies it to a database that was
restored, and a database's own notes to a folder of keys that was. What others did, verdicts, times
and what is owed stay, as does the keyed hash by which somebody who comes again is refused.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import Text, cast, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from matchmaking.study import Study
from matchmaking.study.pages import questions_of
from matchmaking.study.questions import Kind
from server.personal.key_folder import KeyFolder, KeysError
from server.personal.sealing import FORGOTTEN, START, is_sealed
from server.store.batches import batches
from server.store.codings import blank_words
from server.store.commits import after_commit
from server.store.missing_keys import (
    check_no_key_is_missing,
    destroy_noted,
    note_marks,
    unmark_removed,
)
from server.store.models import OccupancyRow, ParticipantRow
from server.store.recordings import recorded_sessions
from server.store.sealed_rows import (
    hidden_id,
    is_sealed_object,
    keys_of,
    sealed_object,
    sealed_text,
    sealed_value,
)
from server.store.tickets import has_live_ticket
from server.store.visit_models import (
    AnswerRow,
    DraftRow,
    IdentityRow,
    StudyRow,
    TroubleRow,
    VisitRow,
)
from server.store.visit_records import erase_answers
from server.store.visits import note_withdrawal, visit_of


class StillHereError(Exception):
    """Error for somebody who waits, visits or plays: that has to end first."""


class Forgotten(NamedTuple):
    """A participant who is forgotten."""

    participant_id: str
    visit_id: str | None
    """Visit of theirs; None: they came by no study's link."""
    sessions: tuple[str, ...]
    """Sessions in which they had a seat."""
    was_before: bool
    """Whether they had been forgotten already."""


async def to_forget(db: AsyncSession, participant_id: str) -> Forgotten:
    """Return what `forget_participant` would do, and change nothing.

    Raises StillHereError, KeysError, and KeyError for somebody who is not known.
    """
    keys = _keys(db)
    participant = await db.get(ParticipantRow, participant_id)
    if participant is None:
        raise KeyError(participant_id)
    visit = await visit_of(db, participant_id)
    if visit is not None and visit.ended_at is None:
        raise StillHereError("the visit goes on")
    if await has_live_ticket(db, participant_id):
        # A group of theirs would find no key at its opening, and fail for everybody in it.
        raise StillHereError("they wait in the lobby")
    sessions = await recorded_sessions(db, participant_id)
    for session in sessions:
        if session.state != "closed":
            raise StillHereError(f"session {session.session_id} is open")
    return Forgotten(
        participant_id,
        None if visit is None else visit.visit_id,
        tuple(session.session_id for session in sessions),
        participant.forgotten_at is not None and keys.is_forgotten(participant_id),
    )


async def forget_participant(
    db: AsyncSession, participant_id: str, now: datetime, *, withdraws: bool = False
) -> Forgotten:
    """Forget a participant for good: rows in this transaction, the key after it. Idempotent.

    Raises as `to_forget` does, and nothing is done then.
    """
    found = await to_forget(db, participant_id)
    await _wipe(db, [participant_id], now)
    if withdraws:
        await _withdraw(db, participant_id, now)
    await db.flush()
    keys = _keys(db)
    # The other order is not safe: with the key gone and the commit lost, nothing would know that
    # they are withdrawn, that their answers go, or who asked. This one is: a key that outlives the
    # commit by a crash is destroyed by `settle`, which finds the time in their row.
    at = now.timestamp()
    after_commit(db, lambda: keys.forget(participant_id, at, withdraws=withdraws))
    return found


async def forgotten_seats(db: AsyncSession) -> dict[str, set[str]]:
    """Return the seats of everybody who is forgotten, by session."""
    rows = await db.execute(
        select(OccupancyRow.session_id, OccupancyRow.seat_id)
        .join(ParticipantRow, ParticipantRow.participant_id == OccupancyRow.participant_id)
        .where(ParticipantRow.forgotten_at.is_not(None))
    )
    found: dict[str, set[str]] = {}
    for session_id, seat_id in rows:
        found.setdefault(session_id, set()).add(seat_id)
    return found


async def settle(db: AsyncSession, now: datetime, *, needs_all_keys: bool = True) -> None:
    """Let database and folder of keys agree on who is forgotten, and seal what is not sealed yet.

    Raises KeysError where a key that the database needs is not there, if it ``needs_all_keys``.
    """
    keys = _keys(db)
    await unmark_removed(db, keys)
    if needs_all_keys:
        await check_no_key_is_missing(db, keys)
    keys.make()
    keys.settle()
    listed = keys.forgotten()
    for some in batches(listed):
        known = await db.scalars(
            select(ParticipantRow.participant_id).where(
                ParticipantRow.participant_id.in_(some), ParticipantRow.forgotten_at.is_(None)
            )
        )
        for person in list(known):
            forgotten_at = datetime.fromtimestamp(listed[person], UTC)
            await _wipe(db, [person], forgotten_at)
            if person in keys.withdrawn():
                await _withdraw(db, person, forgotten_at)
    await destroy_noted(db, keys)
    await _seal_older_rows(db)
    await note_marks(db, keys)


def _keys(db: AsyncSession) -> KeyFolder:
    keys = keys_of(db)
    if keys is None:
        raise KeysError("this database was opened without its folder of keys (COHABIT_KEYS_DIR)")
    return keys


async def _withdraw(db: AsyncSession, person: str, now: datetime) -> None:
    """Note that somebody has withdrawn, and remove what they answered."""
    visit = await visit_of(db, person)
    if visit is not None:
        await note_withdrawal(db, visit.visit_id, now)
        await erase_answers(db, visit.visit_id)


async def _wipe(db: AsyncSession, people: list[str], now: datetime) -> None:
    """Write over what rows hold of some people."""
    visits = await db.execute(
        select(VisitRow.visit_id, VisitRow.study).where(VisitRow.participant_id.in_(people))
    )
    await blank_words(db, people)
    for visit_id, study in visits.all():
        await _wipe_visit(db, visit_id, await _words_of(db, study))
    for person in people:
        # No browser has the secret of this hash: who comes with the old cookie is somebody new.
        nobody = hashlib.sha256(secrets.token_bytes(32)).hexdigest()
        await db.execute(
            update(ParticipantRow)
            .where(ParticipantRow.participant_id == person)
            .values(cookie_hash=nobody, forgotten_at=now)
        )


async def _wipe_visit(db: AsyncSession, visit_id: str, words: set[tuple[str, str]]) -> None:
    await db.execute(
        update(IdentityRow)
        .where(IdentityRow.visit_id == visit_id)
        .values(external_id=None, parameters={})
    )
    await db.execute(delete(DraftRow).where(DraftRow.visit_id == visit_id))
    await db.execute(
        update(TroubleRow).where(TroubleRow.visit_id == visit_id).values(text=FORGOTTEN)
    )
    for answer_id, value in await _words_in_answers(db, visit_id, words):
        if value is not None:
            await _set_answer(db, answer_id, FORGOTTEN)


async def _words_in_answers(
    db: AsyncSession, visit_id: str, words: set[tuple[str, str]]
) -> list[tuple[int, object]]:
    """Return the answers of a visit, as they are stored, that are words or tell who they are."""
    rows = await db.execute(
        select(
            AnswerRow.answer_id,
            AnswerRow.value,
            AnswerRow.page,
            AnswerRow.question,
            AnswerRow.is_identifying,
        ).where(AnswerRow.visit_id == visit_id)
    )
    return [
        (answer_id, value)
        for answer_id, value, page, question, is_identifying in rows
        if is_identifying or (page, question) in words or is_sealed(value)
    ]


async def _set_answer(db: AsyncSession, answer_id: int, value: object) -> None:
    changed = update(AnswerRow).where(AnswerRow.answer_id == answer_id).values(value=value)
    await db.execute(changed.execution_options(synchronize_session=False))


async def _words_of(db: AsyncSession, study: str) -> set[tuple[str, str]]:
    """Return the questions, each with its page, that versions of a study ask for words."""
    found: set[tuple[str, str]] = set()
    for value in await db.scalars(select(StudyRow.value).where(StudyRow.study == study)):
        for page in msgspec.convert(value, Study).pages:
            asked = questions_of(page)
            found |= {(page.name, q.name) for q in asked if q.kind is Kind.WORDS}
    return found


async def _seal_older_rows(db: AsyncSession) -> None:
    """Seal the words of visits that began before words were sealed."""
    stored = cast(IdentityRow.parameters, Text)
    older = await db.execute(
        select(VisitRow.visit_id, VisitRow.participant_id, VisitRow.study)
        .join(IdentityRow, IdentityRow.visit_id == VisitRow.visit_id)
        .join(ParticipantRow, ParticipantRow.participant_id == VisitRow.participant_id)
        .where(ParticipantRow.forgotten_at.is_(None), stored.not_like(f"%{START}%"))
    )
    words: dict[str, set[tuple[str, str]]] = {}
    for visit_id, person, study in older.all():
        if study not in words:
            words[study] = await _words_of(db, study)
        await _seal_visit(db, visit_id, person, words[study])


async def _seal_visit(
    db: AsyncSession, visit_id: str, person: str, words: set[tuple[str, str]]
) -> None:
    unsynchronized = {"synchronize_session": False}
    identity = (
        await db.execute(
            select(IdentityRow.recruiter, IdentityRow.external_id, IdentityRow.parameters).where(
                IdentityRow.visit_id == visit_id
            )
        )
    ).one()
    known = identity.external_id
    # What retention has emptied asks for no key, and keeps the hash that it has.
    if known is not None or identity.parameters:
        hashed = (
            {}
            if known is None
            else {
                "external_hash": hidden_id(db, identity.recruiter, known),
                "external_id": await sealed_text(db, person, known),
            }
        )
        sealed = await sealed_object(db, person, identity.parameters)
        await db.execute(
            update(IdentityRow)
            .where(IdentityRow.visit_id == visit_id)
            .values(**hashed, parameters=sealed)
            .execution_options(**unsynchronized)
        )
    drafts = await db.execute(
        select(DraftRow.page, DraftRow.fields).where(DraftRow.visit_id == visit_id)
    )
    for page, fields in drafts.all():
        if not is_sealed_object(fields):
            await db.execute(
                update(DraftRow)
                .where(DraftRow.visit_id == visit_id, DraftRow.page == page)
                .values(fields=await sealed_object(db, person, fields))
                .execution_options(**unsynchronized)
            )
    troubles = await db.execute(
        select(TroubleRow.trouble_id, TroubleRow.text).where(TroubleRow.visit_id == visit_id)
    )
    for trouble_id, text in troubles.all():
        if not is_sealed(text):
            await db.execute(
                update(TroubleRow)
                .where(TroubleRow.trouble_id == trouble_id)
                .values(text=await sealed_text(db, person, text))
                .execution_options(**unsynchronized)
            )
    for answer_id, value in await _words_in_answers(db, visit_id, words):
        if not is_sealed(value):
            await _set_answer(db, answer_id, await sealed_value(db, person, value))
