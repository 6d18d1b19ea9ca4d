"""Replays: the page on which a recorded episode is seen again, and the film that it shows."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec
import structlog
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from matchmaking.identifiers import is_id
from server.replays.film import Film, for_players
from server.sessions.disclosure import told_programs
from server.sessions.spec import SessionSpec
from server.store.matches import study_of_match
from server.store.models import EpisodeRow
from server.store.operator_acts import note_act
from server.store.sessions import is_present, seat_of
from server.web.application_state import ApplicationState, AppState
from server.web.assets import asset_root
from server.web.errors import PageError, not_found, not_yours
from server.web.operators.route_roles import Operator
from server.web.still_here import still_here_path

log = structlog.get_logger(__name__)

router = APIRouter(default_response_class=Response)

_ENTRY = "src/replay/main.ts"
_WAIT_S = 25.0
"""Seconds that a page waits for its film; then it asks again."""
_MSGPACK = "application/vnd.msgpack"


class Watched(NamedTuple):
    """An episode that somebody may watch again. ``seat`` is theirs; empty: an operator's."""

    episode: EpisodeRow
    spec: SessionSpec
    seat: str = ""
    goes_on: bool = False
    """Whether the home is still kept for them: watching keeps it, as reading the report does."""

    @property
    def path(self) -> str:
        """Path of its page; the cookie of operators is sent below theirs alone."""
        return f"{'' if self.seat else '/operator'}/replay/{self.episode.episode_id}"


async def _for_player(request: Request, state: AppState, episode_id: str) -> Watched:
    """Return an episode for who played in it.

    Raises PageError for others, and for all while it is played. In a study participants see none:
    what is shown is part of the condition.
    """
    episode, spec = await _episode(state, episode_id)
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        study = await study_of_match(db, episode.session.match_id)
    seat = seat_of(episode.session, participant) if participant else None
    if participant is None or seat is None:
        raise not_yours()
    if study is not None:
        raise PageError(
            403,
            "This task cannot be watched again",
            "It was played in a study. What is shown of it is up to those who run the study.",
        )
    if episode.ended_at is None:
        raise PageError(
            404,
            "This task is still being played",
            "It can be watched again as soon as it has ended.",
        )
    goes_on = state.sessions.goes_on(episode.session) and is_present(episode.session, participant)
    return Watched(episode, spec, seat, goes_on)


async def _for_operator(state: AppState, operator: Operator, episode_id: str) -> Watched:
    """Return any episode, for an operator, and log that they look at it."""
    episode, spec = await _episode(state, episode_id)
    look = (operator.who, operator.sign_in, episode_id)
    if not state.looks.is_logged(*look):
        async with state.database.transaction() as db:
            study = await study_of_match(db, episode.session.match_id)
            note_act(db, operator.who, "replay", episode_id, state.now(), study=study)
        state.looks.note(*look)
    return Watched(episode, spec)


async def _episode(state: ApplicationState, episode_id: str) -> tuple[EpisodeRow, SessionSpec]:
    episode = await state.sessions.episode(episode_id, 0.0) if is_id("epi", episode_id) else None
    if episode is None:
        raise not_found()
    return episode, msgspec.convert(episode.session.spec, SessionSpec)


ForPlayer = Annotated[Watched, Depends(_for_player)]
ForOperator = Annotated[Watched, Depends(_for_operator)]


@router.get("/replay/{episode_id}")
async def replay_page(request: Request, state: AppState, watched: ForPlayer) -> Response:
    return _page(request, state, watched)


@router.get("/operator/replay/{episode_id}")
async def operators_page(request: Request, state: AppState, watched: ForOperator) -> Response:
    return _page(request, state, watched)


@router.get("/replay/{episode_id}/film")
async def film_index(state: AppState, watched: ForPlayer) -> Response:
    return await _index(state, watched)


@router.get("/operator/replay/{episode_id}/film")
async def operators_index(state: AppState, watched: ForOperator) -> Response:
    return await _index(state, watched)


@router.get("/replay/{episode_id}/film/{reel}")
async def film_reel(state: AppState, watched: ForPlayer, reel: int) -> Response:
    return await _reel(state, watched, reel)


@router.get("/operator/replay/{episode_id}/film/{reel}")
async def operators_reel(state: AppState, watched: ForOperator, reel: int) -> Response:
    return await _reel(state, watched, reel)


def _page(request: Request, state: ApplicationState, watched: Watched) -> Response:
    episode, seat = watched.episode, watched.seat
    log.info("replay.opened", episode=episode.episode_id, by=seat or "operator")
    return state.pages.show(
        request,
        "replay.html",
        entry=_ENTRY,
        still_here=still_here_path(episode.session_id) if watched.goes_on else "",
        boot={
            "filmPath": f"{watched.path}/film",
            "assetRoot": asset_root(state.settings.data_dir),
            "homePath": f"/report/{episode.episode_id}" if seat else "/operator",
            "homeLabel": "Report" if seat else "All sessions",
            "seat": seat,
            "codingPath": "" if seat else f"{watched.path}/coding",
        },
    )


async def _index(state: ApplicationState, watched: Watched) -> Response:
    """Return the index of a film as JSON, as far as its reader may know; 202 while it is made."""
    film = await film_for(state, watched)
    if film is not None:
        index = film.index
        if watched.seat:
            seats, told = watched.spec.seats, told_programs(watched.spec)
            index = for_players(index, {n for n, s in enumerate(seats) if s.seat.seat_id in told})
        return Response(msgspec.json.encode(index), media_type="application/json")
    if state.films.is_making(watched.episode.episode_id):
        return Response(status_code=202, headers={"retry-after": "1"})
    raise PageError(
        404,
        "There is no recording of this task",
        "It was removed, or it cannot be read: the server's log says why.",
    )


async def _reel(state: ApplicationState, watched: Watched, reel: int) -> Response:
    """Return a reel: a msgpack array of messages, packed by zlib."""
    film = await film_for(state, watched)
    if film is None or not 0 <= reel < len(film.reels):
        raise not_found()
    return Response(film.reels[reel], media_type=_MSGPACK)


async def film_for(state: ApplicationState, watched: Watched) -> Film | None:
    """Return a film; None where it is not there, or not yet."""
    episode = watched.episode
    return await state.films.of(episode.session_id, episode.episode_id, _WAIT_S)
