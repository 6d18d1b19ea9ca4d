"""Report of an episode, for those who played it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from episodes.evaluation import Verdict
from episodes.seat_names import article, look_of, names_of, spoken
from episodes.seats import Seat
from matchmaking.assignment.group_plan import Attempt, GroupPlan, Progress
from matchmaking.identifiers import is_id
from server.lobby.robot_partners import public_name
from server.reports.absences import absences
from server.reports.hand_words import YOU
from server.reports.page import (
    Actor,
    blockages,
    decisions,
    departures,
    explained,
    limit_words,
    make_report,
    open_policies,
    shares,
)
from server.reports.pictures import Pictures
from server.reports.recorded_words import NO_WORDS, StepWords, recorded_words
from server.reports.task_clock import TaskClock
from server.sessions.disclosure import told_programs
from server.sessions.spec import TICK_RATE, TICK_S, SessionSpec
from server.store.models import EpisodeRow
from server.store.sessions import has_other_people, is_present, seat_of
from server.store.study_groups import attempts_of, plan_of_session
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found, not_yours
from server.web.participants.detour import frame_of
from server.web.participants.shown_explanations import keep_shown, kind_shown
from server.web.still_here import still_here_path

router = APIRouter(default_response_class=Response)

WATCH_BEFORE_S = 3.0
"""Seconds before a moment from which on it is watched."""
PICTURES_WAIT_S = 4.0
"""Seconds that a page waits for its pictures; who comes back later gets them at once."""


@router.get("/report/{episode_id}")
async def report_page(request: Request, state: AppState, episode_id: str) -> Response:
    if not is_id("epi", episode_id):
        raise not_found()
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        frame = await frame_of(request, state, db, participant)
    episode, participant, seat_id = await _played(state, episode_id, participant)
    state.sessions.pages.ask(episode.session_id)
    if episode.verdict is None:
        raise _without_verdict(episode)
    async with state.database.transaction() as db:
        plan = await plan_of_session(db, episode.session_id)
    attempts = attempts_of(episode.session.episodes)
    explanation = "ours" if plan is None else plan.explanation(episode.task_id, attempts)
    verdict = msgspec.convert(episode.verdict, Verdict)
    spec = msgspec.convert(episode.session.spec, SessionSpec)
    actors = _actors(spec, seat_id)
    my_name = names_of([seat.seat for seat in spec.seats])[seat_id]
    pictures = None
    if explanation == "ours":
        pictures = await state.pictures.of(episode.session_id, episode.episode_id, PICTURES_WAIT_S)
    said: Pictures | StepWords = NO_WORDS
    if pictures is not None:
        said = pictures
    elif explanation == "ours" and (log := state.pictures.recording(episode.session_id)):
        said = await asyncio.to_thread(recorded_words, log, episode_id, verdict)
    numbers, words = said.numbers, said.words
    waited = episode.clock_ticks or 0
    clock = TaskClock(waited, said.pauses)
    report = make_report(
        verdict,
        episode.end_reason or "",
        episode.ticks or 0,
        actors,
        numbers,
        words,
        clock,
        said.placements,
    )
    limit_s = (plan and plan.limit_s) or state.settings.time_limit_s
    goes_on = state.sessions.goes_on(episode.session) and is_present(episode.session, participant)
    is_last = episode.order_index == episode.session.episodes[-1].order_index
    has_others = has_other_people(episode.session, participant)
    # Its page is told when the others go on.
    follows = episode_id if is_last and has_others and frame is None else ""
    page = state.pages.show(
        request,
        "report.html",
        visit=frame,
        still_here=still_here_path(episode.session_id, follows) if goes_on else "",
        report=explained(
            report,
            explanation,
            episode.explanation or "",
            is_over=plan is None or plan.is_over(episode.task_id, attempts),
        ),
        tries=plan.tries if plan is not None else 1,
        progress=_progress(episode, plan),
        explanation=explanation,
        others=_others(episode, plan, attempts),
        episode=episode,
        lost_s=round(episode.lost_ticks * TICK_S),
        me=actors[seat_id],
        my_name=spoken(my_name).removeprefix(article(my_name)),
        my_article=article(my_name),
        is_team=len(spec.seats) > 2,
        was_waited=waited >= TICK_RATE,
        has_carried=any(placed.tick is None for placed in said.placements.values()),
        pictures=pictures,
        pictures_follow=explanation == "ours" and state.pictures.is_making(episode.episode_id),
        shares=(
            shares(pictures.lanes, verdict, actors, numbers, said.placements) if pictures else ()
        ),
        departures=departures(pictures.lanes, actors, clock) if pictures else (),
        absences=absences(pictures.lanes, actors, clock) if pictures else (),
        blockages=blockages(pictures.lanes, actors, clock) if pictures else (),
        decisions=(
            decisions(pictures.choices, open_policies(spec, actors), clock) if pictures else {}
        ),
        can_watch=frame is None and pictures is not None,
        watch_from=_watch_from,
        goes_on=goes_on,
        is_last=is_last,
        partner=_partner_after(state, spec),
        as_robot=_goes_on_as_robot(state, spec),
        has_others=has_others,
        limit=limit_words(limit_s),
        # Pauses that are not known, without a recording, and nothing else make it longer than that.
        was_paused=clock.passed(episode.ticks or 0) * TICK_S > limit_s + 1,
        kept_minutes=round(state.settings.between_tasks_s / 60),
    )
    kind = "ours" if plan is None else kind_shown(plan, episode, episode.session)
    await keep_shown(state, participant, episode, kind, "report", page)
    return page


@router.get("/report/{episode_id}/pictures")
async def report_pictures(request: Request, state: AppState, episode_id: str) -> Response:
    """Say how the pictures of a report are getting on, to its page.

    Answers 204 when they are there, 202 while they are being drawn, and 410 when there are none.
    """
    if not is_id("epi", episode_id):
        raise not_found()
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
    await _played(state, episode_id, participant)
    if state.pictures.is_made(episode_id):
        return Response(status_code=204)
    return Response(status_code=202 if state.pictures.is_making(episode_id) else 410)


async def _played(
    state: ApplicationState, episode_id: str, participant: str | None
) -> tuple[EpisodeRow, str, str]:
    """Return an episode, who has played it, and their seat. Raises PageError."""
    episode = await state.sessions.episode(episode_id)
    if episode is None:
        raise not_found()
    seat_id = seat_of(episode.session, participant) if participant else None
    if participant is None or seat_id is None:
        raise not_yours()
    return episode, participant, seat_id


def _watch_from(tick: int) -> float:
    """Return the second of play from which on a moment is watched."""
    return round(max(0.0, tick * TICK_S - WATCH_BEFORE_S), 1)


def _progress(episode: EpisodeRow, plan: GroupPlan | None) -> Progress | None:
    """Return how far a group was after an episode; None: it has no plan, or has played on."""
    following = [e for e in episode.session.episodes if e.order_index > episode.order_index]
    if plan is None or any(other.verdict is not None for other in following):
        return None
    until = [e for e in episode.session.episodes if e.order_index <= episode.order_index]
    return plan.progress(attempts_of(until))


def _others(
    episode: EpisodeRow, plan: GroupPlan | None, attempts: Sequence[Attempt]
) -> list[EpisodeRow]:
    """Return the other episodes of a group to whom all is explained at the end, and only then."""
    condition = None if plan is None else plan.condition_of(episode.task_id)
    if plan is None or condition is None or condition.treatment.explained != "at_the_end":
        return []
    if not plan.is_done(attempts):
        return []
    return [other for other in episode.session.episodes if other.episode_id != episode.episode_id]


def _partner_after(state: ApplicationState, spec: SessionSpec) -> str:
    """Return the public name of the robot that the task after a tutorial is played with.

    Empty: it is no tutorial, or no robot works now.
    """
    return public_name(state.robots.default()) if spec.purpose == "tutorial" else ""


def _goes_on_as_robot(state: ApplicationState, spec: SessionSpec) -> bool:
    """Tell whether whoever learned the robot's body in a tutorial can go on in it now."""
    learned = {seat.seat.kind for seat in spec.seats if seat.occupied and not seat.policy}
    return spec.purpose == "tutorial" and learned == {"robot"} and state.teams.offers_robot_seat()


def _actors(spec: SessionSpec, my_seat: str) -> dict[str, Actor]:
    """Return the names that the reader of the report uses, by seat: as the play page has them."""
    seats = [seat.seat for seat in spec.seats if seat.occupied or seat.seat.seat_id == my_seat]
    names = names_of([seat.seat for seat in spec.seats])
    programs = told_programs(spec)

    played = {s.seat.kind for s in spec.seats if s.occupied and s.seat.seat_id not in programs}

    def actor(seat: Seat) -> Actor:
        name = spoken(names[seat.seat_id])
        if seat.seat_id == my_seat:
            name = YOU
        elif len(spec.seats) <= 2:
            name = "your partner"
        # A robot's body says what it is, unless a person plays another; a person's does not.
        is_unexpected = seat.kind == "human" or "robot" in played
        is_program = is_unexpected and seat.seat_id in programs
        return Actor(name, seat.kind, look_of(seat), "a program" if is_program else "")

    return {seat.seat_id: actor(seat) for seat in seats}


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
