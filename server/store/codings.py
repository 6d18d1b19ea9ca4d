"""Codebooks, and what coders note with them on episodes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, and_, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.coding.codebook import Codebook, Shape
from server.coding.notes import Coding, Note
from server.store.coding_models import CodebookRow, CoderNoteRow, CodingRow
from server.store.identifiers import new_id
from server.store.models import (
    EpisodeRow,
    MatchRow,
    OccupancyRow,
    ParticipantRow,
    SessionRow,
)

MOST_NOTES = 2_000
"""Notes of one coder on one episode with one codebook."""


class CodingError(Exception):
    """Error for what cannot be noted, with what to do in its text."""


class Extent(NamedTuple):
    """Ticks of an episode: the first, that at which the task's time began, and the last."""

    first: int
    start: int
    last: int


async def add_codebook(db: AsyncSession, codebook: Codebook, now: datetime) -> bool:
    """Add a codebook; return False where the same is there already. Raises CodingError."""
    row = await db.get(CodebookRow, codebook.name)
    if row is not None:
        if msgspec.convert(row.value, Codebook) == codebook:
            return False
        if await _is_used(db, codebook.name):
            raise CodingError(
                f"there are notes with another codebook {codebook.name}: give this one a new name"
            )
        row.value = msgspec.to_builtins(codebook)
        row.added_at = now
        return True
    db.add(CodebookRow(name=codebook.name, value=msgspec.to_builtins(codebook), added_at=now))
    return True


async def remove_codebook(db: AsyncSession, name: str) -> None:
    """Remove a codebook that nobody has used. Raises CodingError."""
    if await db.get(CodebookRow, name) is None:
        raise CodingError(f"there is no codebook {name}")
    if await _is_used(db, name):
        raise CodingError(f"there are notes with the codebook {name}: it stays")
    await db.execute(delete(CodebookRow).where(CodebookRow.name == name))


async def codebooks(db: AsyncSession) -> list[Codebook]:
    """Return all codebooks by name."""
    rows = await db.scalars(select(CodebookRow).order_by(CodebookRow.name))
    return [msgspec.convert(row.value, Codebook) for row in rows]


async def codebook_of(db: AsyncSession, name: str) -> Codebook:
    """Return a codebook. Raises CodingError where there is none of that name."""
    row = await db.get(CodebookRow, name)
    if row is None:
        raise CodingError(f"there is no codebook {name}: `cohabit codebook list` names those there")
    return msgspec.convert(row.value, Codebook)


async def keep_note(db: AsyncSession, note: Note, extent: Extent, now: datetime) -> None:
    """Store a note, with an id of ours; what was stored with the same key is changed instead.

    Raises CodingError for a code that is none of its codebook, a time outside the episode, a
    coding that is finished, and one note too many.
    """
    code = (await codebook_of(db, note.codebook)).code(note.code)
    if code is None:
        raise CodingError(f"{note.codebook} has no code {note.code!r}: reload the page")
    if not extent.first <= note.first <= note.last <= extent.last:
        raise CodingError("the note lies outside the episode")
    if (code.shape is Shape.MOMENT) != (note.first == note.last):
        raise CodingError(f"{code.name} is noted on a {code.shape}")
    await _check_is_open(db, note.episode_id, note.codebook, note.coder)
    if note.text and await _is_forgotten(db, note.episode_id):
        raise CodingError("somebody who played there is forgotten: notes on it take no words")
    row = await db.scalar(
        select(CoderNoteRow).where(
            CoderNoteRow.coder == note.coder, CoderNoteRow.made_key == note.key
        )
    )
    if row is None:
        mine = select(func.count()).where(
            CoderNoteRow.episode_id == note.episode_id,
            CoderNoteRow.codebook == note.codebook,
            CoderNoteRow.coder == note.coder,
        )
        if (await db.scalar(mine) or 0) >= MOST_NOTES:
            raise CodingError(f"an episode takes {MOST_NOTES} notes of one coder at most")
        row = CoderNoteRow(
            note_id=new_id("not"),
            episode_id=note.episode_id,
            codebook=note.codebook,
            coder=note.coder,
            made_key=note.key,
        )
        db.add(row)
    elif (row.episode_id, row.codebook) != (note.episode_id, note.codebook):
        raise CodingError("a note stays with its episode and its codebook")
    row.code, row.text, row.changed_at = note.code, note.text, now
    row.first_tick, row.last_tick = note.first, note.last
    await db.flush()


async def remove_note(db: AsyncSession, note_id: str, coder: str) -> None:
    """Remove a coder's own note; one that is gone already is. Raises CodingError."""
    row = await db.get(CoderNoteRow, note_id)
    if row is None:
        return
    if row.coder != coder:
        raise CodingError("the note is another coder's")
    await _check_is_open(db, row.episode_id, row.codebook, coder)
    await db.delete(row)


async def set_finished(
    db: AsyncSession,
    episode_id: str,
    codebook: str,
    coder: str,
    extent: Extent,
    now: datetime,
    *,
    is_finished: bool,
) -> None:
    """Note that a coder has looked through an episode, or goes on with it.

    Raises CodingError for going on once another coder has finished it, too: by then each has seen
    the other's notes.
    """
    await codebook_of(db, codebook)
    row = await db.get(CodingRow, (episode_id, codebook, coder))
    if row is not None and not is_finished:
        others = exists().where(
            CodingRow.episode_id == episode_id,
            CodingRow.codebook == codebook,
            CodingRow.coder != coder,
        )
        if await db.scalar(select(others)):
            raise CodingError(
                "another coder has finished this episode, too, and you have seen each other's "
                "notes: it stays as it is"
            )
        await db.delete(row)
    if row is None and is_finished:
        db.add(
            CodingRow(
                episode_id=episode_id,
                codebook=codebook,
                coder=coder,
                first_tick=extent.first,
                start_tick=extent.start,
                last_tick=extent.last,
                finished_at=now,
            )
        )


async def notes_on(db: AsyncSession, episode_id: str, coder: str) -> list[Note]:
    """Return a coder's notes on an episode, and those of others where both have finished it.

    Until then coders do not see each other's: what they say alike would be no agreement.
    """
    finished = {
        (row.codebook, row.coder)
        for row in await db.scalars(select(CodingRow).where(CodingRow.episode_id == episode_id))
    }
    rows = await db.scalars(
        select(CoderNoteRow)
        .where(CoderNoteRow.episode_id == episode_id)
        .order_by(CoderNoteRow.first_tick, CoderNoteRow.note_id)
    )
    return [
        _note(row)
        for row in rows
        if row.coder == coder or {(row.codebook, row.coder), (row.codebook, coder)} <= finished
    ]


async def finished_by(db: AsyncSession, episode_id: str, coder: str) -> list[str]:
    """Return the codebooks with which a coder has finished an episode."""
    rows = await db.scalars(
        select(CodingRow.codebook)
        .where(CodingRow.episode_id == episode_id, CodingRow.coder == coder)
        .order_by(CodingRow.codebook)
    )
    return list(rows)


async def finished_codings(db: AsyncSession, *only: ColumnElement[bool]) -> list[Coding]:
    """Return finished codings in the order of episodes, codebooks and coders.

    Conditions may be on codings, episodes, sessions and matches.
    """
    rows = await db.execute(
        select(CodingRow, CoderNoteRow)
        .join(EpisodeRow, EpisodeRow.episode_id == CodingRow.episode_id)
        .join(SessionRow, SessionRow.session_id == EpisodeRow.session_id)
        .join(MatchRow, MatchRow.match_id == SessionRow.match_id)
        .outerjoin(
            CoderNoteRow,
            and_(
                CoderNoteRow.episode_id == CodingRow.episode_id,
                CoderNoteRow.codebook == CodingRow.codebook,
                CoderNoteRow.coder == CodingRow.coder,
            ),
        )
        .where(*only)
        .order_by(
            CodingRow.episode_id,
            CodingRow.codebook,
            CodingRow.coder,
            CoderNoteRow.first_tick,
            CoderNoteRow.note_id,
        )
    )
    return [
        Coding(
            row.episode_id,
            row.codebook,
            row.coder,
            row.first_tick,
            row.start_tick,
            row.last_tick,
            tuple(_note(note) for _, note in found if note is not None),
        )
        for row, found in groupby(rows, key=lambda pair: pair[0])
    ]


async def blank_words(db: AsyncSession, people: Sequence[str]) -> None:
    """Remove the words of notes on episodes that some people played in; codes and times stay."""
    played = (
        select(EpisodeRow.episode_id)
        .join(OccupancyRow, OccupancyRow.session_id == EpisodeRow.session_id)
        .where(OccupancyRow.participant_id.in_(people))
    )
    await db.execute(
        update(CoderNoteRow)
        .where(CoderNoteRow.episode_id.in_(played), CoderNoteRow.text != "")
        .values(text="")
        .execution_options(synchronize_session=False)
    )


async def remove_codings(db: AsyncSession, session_ids: Collection[str]) -> None:
    """Remove what was noted on the episodes of some sessions."""
    episodes = select(EpisodeRow.episode_id).where(EpisodeRow.session_id.in_(session_ids))
    for table in (CoderNoteRow, CodingRow):
        removed = delete(table).where(table.episode_id.in_(episodes))
        await db.execute(removed.execution_options(synchronize_session=False))


async def _is_used(db: AsyncSession, codebook: str) -> bool:
    noted = exists().where(CoderNoteRow.codebook == codebook)
    finished = exists().where(CodingRow.codebook == codebook)
    return bool(await db.scalar(select(noted | finished)))


async def _check_is_open(db: AsyncSession, episode_id: str, codebook: str, coder: str) -> None:
    if await db.get(CodingRow, (episode_id, codebook, coder)) is not None:
        raise CodingError("you have finished this episode: press *Go on coding* to change notes")


async def _is_forgotten(db: AsyncSession, episode_id: str) -> bool:
    """Tell whether somebody who played an episode is forgotten."""
    found = await db.scalar(
        select(ParticipantRow.participant_id)
        .join(OccupancyRow, OccupancyRow.participant_id == ParticipantRow.participant_id)
        .join(EpisodeRow, EpisodeRow.session_id == OccupancyRow.session_id)
        .where(EpisodeRow.episode_id == episode_id, ParticipantRow.forgotten_at.is_not(None))
        .limit(1)
    )
    return found is not None


def _note(row: CoderNoteRow) -> Note:
    return Note(
        row.note_id,
        row.episode_id,
        row.codebook,
        row.code,
        row.coder,
        row.first_tick,
        row.last_tick,
        row.text,
        row.made_key,
    )
