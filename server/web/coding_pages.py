"""Coding of replays by operators: the sheet of an episode, and what its page sends of it.

Whoever may watch replays may note on them: a note changes nothing that people meet. Coders see
their own notes only, until both have finished an episode.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import msgspec
import structlog
from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from server.coding.notes import LONGEST_TEXT, Note
from server.store import codings
from server.store.codings import CodingError, Extent
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found
from server.web.forms import Form
from server.web.operators.route_roles import Operator
from server.web.replay_pages import ForOperator, Watched, film_for
from server.wire.coding_messages import (
    CodingProblem,
    CodingSheet,
    SheetBook,
    SheetCode,
    SheetNote,
)

log = structlog.get_logger(__name__)
router = APIRouter(default_response_class=Response)

_KEY = re.compile(r"[0-9a-f]{16,32}")
_TICK = re.compile(r"-?\d{1,9}")
_JSON = "application/json"


@router.get("/operator/replay/{episode_id}/coding")
async def sheet(state: AppState, operator: Operator, watched: ForOperator) -> Response:
    """Return the sheet of an episode as this operator sees it."""
    async with state.database.transaction() as db:
        return await _sheet(db, watched, operator.who)


@router.post("/operator/replay/{episode_id}/coding/notes")
async def keep(
    request: Request, state: AppState, operator: Operator, watched: ForOperator
) -> Response:
    """Keep a note, or change the one that was sent with the same key."""
    # The words of a note are as long as an answer's may be, in any script.
    form = await state.csrf.check(request, is_survey=True)
    extent = await _extent(state, watched)

    async def work(db: AsyncSession) -> None:
        key = form.get("key", "")
        if not _KEY.fullmatch(key):
            raise CodingError("the note has no key: reload the page")
        note = Note(
            note_id="",
            episode_id=watched.episode.episode_id,
            codebook=form.get("book", ""),
            code=form.get("code", ""),
            coder=operator.who,
            first=_tick(form, "first"),
            last=_tick(form, "last"),
            text=_words(form.get("text", "")),
            key=key,
        )
        await codings.keep_note(db, note, extent, state.now())

    return await _changed(state, operator.who, watched, work)


@router.post("/operator/replay/{episode_id}/coding/removed")
async def remove(
    request: Request, state: AppState, operator: Operator, watched: ForOperator
) -> Response:
    """Remove a note of one's own."""
    form = await state.csrf.check(request)

    async def work(db: AsyncSession) -> None:
        await codings.remove_note(db, form.get("note", ""), operator.who)

    return await _changed(state, operator.who, watched, work)


@router.post("/operator/replay/{episode_id}/coding/finished")
async def finish(
    request: Request, state: AppState, operator: Operator, watched: ForOperator
) -> Response:
    """Note that an episode is looked through with a codebook, or is gone on with."""
    form = await state.csrf.check(request)
    extent = await _extent(state, watched)

    async def work(db: AsyncSession) -> None:
        await codings.set_finished(
            db,
            watched.episode.episode_id,
            form.get("book", ""),
            operator.who,
            extent,
            state.now(),
            is_finished=form.get("finished") == "yes",
        )

    return await _changed(state, operator.who, watched, work)


async def _changed(
    state: ApplicationState,
    coder: str,
    watched: Watched,
    work: Callable[[AsyncSession], Awaitable[None]],
) -> Response:
    """Do some work, and return the sheet as it is then, or why nothing was changed."""
    try:
        async with state.database.transaction() as db:
            await work(db)
            await db.flush()
            return await _sheet(db, watched, coder)
    except CodingError as error:
        log.info("coding.refused", episode=watched.episode.episode_id, by=coder)
        return Response(
            msgspec.json.encode(CodingProblem(str(error))), status_code=409, media_type=_JSON
        )


async def _sheet(db: AsyncSession, watched: Watched, coder: str) -> Response:
    episode = watched.episode.episode_id
    finished = set(await codings.finished_by(db, episode, coder))
    books = tuple(
        SheetBook(
            book.name,
            book.title,
            book.name in finished,
            tuple(
                SheetCode(code.code, code.name, code.shape == "stretch", code.definition)
                for code in book.codes
            ),
        )
        for book in await codings.codebooks(db)
    )
    notes = tuple(
        SheetNote(
            n.note_id,
            n.codebook,
            n.code,
            n.coder,
            n.first,
            n.last,
            n.text,
            n.key if n.coder == coder else "",
        )
        for n in await codings.notes_on(db, episode, coder)
    )
    sheet = CodingSheet(coder, LONGEST_TEXT, books, notes)
    return Response(msgspec.json.encode(sheet), media_type=_JSON)


async def _extent(state: ApplicationState, watched: Watched) -> Extent:
    film = await film_for(state, watched)
    if film is None and state.films.is_making(watched.episode.episode_id):
        raise PageError(503, "Its recording is being read", "Try again in a moment.")
    if film is None:
        raise not_found()
    return Extent(film.index.first, film.index.start, film.index.last)


def _tick(form: Form, field: str) -> int:
    text = form.get(field, "")
    if not _TICK.fullmatch(text):
        raise CodingError("the note has no time: reload the page")
    return int(text)


def _words(text: str) -> str:
    words = text.strip()
    if len(words) > LONGEST_TEXT:
        raise CodingError(f"expected at most {LONGEST_TEXT} characters, got {len(words)}")
    return words
