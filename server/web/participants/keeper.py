"""Keeper of visits: those whose people have gone get their ending, too."""

from __future__ import annotations

import asyncio

import structlog

from matchmaking.visits import Place
from server.personal.key_folder import KeysError
from server.store import DatabaseError
from server.store.study_runs import all_runs, key_of
from server.store.visits import live_visits
from server.web.application_state import ApplicationState
from server.web.errors import PageError
from server.web.participants.visit_context import MovedError, OngoingVisit
from server.web.participants.visit_lookup import bring_up_to_date, is_late

ROUND_S = 20.0
_EVENTFUL = (Place.LOBBY, Place.PLAY, Place.EPISODE_SURVEY)
"""Places at which something happens to a visit that nobody presses a button for."""

log = structlog.get_logger(__name__)


async def keep_visits(state: ApplicationState) -> None:
    """Look after the visits of all studies; runs until cancelled."""
    while True:
        try:
            if len(state.studies):
                await note_closed(state)
                await look_after(state)
        except DatabaseError as error:
            if count := state.log_throttle.count("visits.no_database"):
                log.warning("visits.no_database", reason=str(error), count=count)
        except KeysError as error:
            if count := state.log_throttle.count("visits.no_key"):
                log.error("visits.no_key", reason=str(error), count=count)
        await asyncio.sleep(ROUND_S)


async def note_closed(state: ApplicationState) -> None:
    """Let nobody new into studies that were closed meanwhile."""
    async with state.database.transaction() as db:
        runs = await all_runs(db)
    for run in runs:
        opened = state.studies.get(run.study)
        is_this = opened is not None and opened.study.key == key_of(run)
        if is_this and run.closed_at is not None:
            state.studies.close(run.study)


async def look_after(state: ApplicationState) -> int:
    """Bring the visits up to date that wait, play or are late; return how many were looked at."""
    names = [opened.study.name for opened in state.studies]
    async with state.database.transaction() as db:
        visits = [
            (visit, await state.studies.of_visit(db, visit))
            for visit in await live_visits(db, names)
        ]
    count = 0
    for visit, opened in visits:
        if opened is None:
            continue
        at = OngoingVisit(state, visit, opened)
        if visit.place not in _EVENTFUL and not is_late(at):
            continue
        count += 1
        try:
            await bring_up_to_date(at)
        except (MovedError, PageError) as reason:
            # Their own browser was faster, or their home cannot be closed yet: the next round.
            log.debug("visit.left_for_later", visit=visit.visit_id, reason=str(reason))
    return count
