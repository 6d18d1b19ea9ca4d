"""Report of an episode, for those who played it."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from episodes.evaluation import Verdict
from episodes.seat_names import article, look_of, names_of
from matchmaking.identifiers import is_id
from server.reports.page import YOU, Actor, blockages, decisions, make_report, open_policies, shares
from server.sessions.spec import TICK_S, SessionSpec
from server.store.models import EpisodeRow
from server.store.sessions import has_other_people, is_present, seat_of
from server.web.application_state import AppState
from server.web.errors import PageError, not_found, not_yours
from server.web.play_pages import still_here_path

router = APIRouter(default_response_class=Response)

PICTURES_WAIT_S = 4.0
"""Seconds that a page waits for its pictures; who comes back later gets them at once."""


@router.get("/report/{episode_id}")
async def report_page(request: Request, state: AppState, episode_id: str) -> Response:
    if not is_id("epi", episode_id):
        raise not_found()
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
    episode = await state.sessions.episode(episode_id)
    if episode is None:
        raise not_found()
    seat_id = seat_of(episode.session, participant) if participant else None
    if participant is None or seat_id is None:
        raise not_yours()
    state.sessions.pages.ask(episode.session_id)
    if episode.verdict is None:
        raise _without_verdict(episode)
    verdict = msgspec.convert(episode.verdict, Verdict)
    spec = msgspec.convert(episode.session.spec, SessionSpec)
    actors = _actors(spec, seat_id)
    my_name = names_of([seat.seat for seat in spec.seats])[seat_id]
    pictures = await state.pictures.pictures(
        episode.session_id, episode.episode_id, PICTURES_WAIT_S
    )
    numbers = pictures.numbers if pictures else {}
    report = make_report(verdict, episode.end_reason or "", episode.ticks or 0, actors, numbers)
    goes_on = state.sessions.goes_on(episode.session) and is_present(episode.session, participant)
    is_last = episode.order_index == episode.session.episodes[-1].order_index
    return state.pages.show(
        request,
        "report.html",
        still_here=still_here_path(episode.session_id) if goes_on else "",
        report=report,
        episode=episode,
        lost_s=round(episode.lost_ticks * TICK_S),
        me=actors[seat_id],
        my_name=my_name,
        my_article=article(my_name),
        is_team=len(spec.seats) > 2,
        pictures=pictures,
        pictures_follow=state.pictures.is_drawing(episode.episode_id),
        shares=shares(pictures.lanes, verdict, actors, numbers) if pictures else (),
        blockages=blockages(pictures.lanes, actors) if pictures else (),
        decisions=decisions(pictures.choices, open_policies(spec, actors)) if pictures else {},
        goes_on=goes_on,
        is_last=is_last,
        has_others=has_other_people(episode.session, participant),
        limit_minutes=round(state.settings.time_limit_s / 60),
        kept_minutes=round(state.settings.between_tasks_s / 60),
    )


def _actors(spec: SessionSpec, my_seat: str) -> dict[str, Actor]:
    """Return the names that the reader of the report uses, by seat: as the play page has them."""
    seats = [seat.seat for seat in spec.seats if seat.occupied or seat.seat.seat_id == my_seat]
    names = names_of([seat.seat for seat in spec.seats])

    def name(seat_id: str) -> str:
        if seat_id == my_seat:
            return YOU
        if len(spec.seats) <= 2:
            return "your partner"
        return f"{article(names[seat_id])}{names[seat_id]}"

    return {seat.seat_id: Actor(name(seat.seat_id), seat.kind, look_of(seat)) for seat in seats}


def _without_verdict(episode: EpisodeRow) -> PageError:
    if episode.ended_at is None:
        return PageError(
            404,
            "This task is still being played",
            "Its report appears as soon as it has ended.",
        )
    return PageError(
        410,
        "This task has no report",
        "It was interrupted before it could be judged. What was recorded until then is stored.",
    )
