"""Pages of the studies and their participants: cells with counts, spending, and who is where."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from matchmaking.assignment.attrition import Flow
from matchmaking.identifiers import is_id
from matchmaking.recruiting_limits import Spending
from matchmaking.study import Study
from matchmaking.study.endings import Ending
from matchmaking.visits import Place
from server.operator_accounts import Role
from server.store.closed_cells import cell_name
from server.store.participant_lists import Filter, count_visits, standings, visits_before
from server.store.study_course import course_of, waits_of
from server.store.study_pauses import pauses_that_go_on
from server.store.visit_models import StudyPauseRow
from server.web.application_state import ApplicationState, AppState
from server.web.errors import not_found
from server.web.operators.list_queries import word_of
from server.web.operators.progress_plots import progress_plot, waits_plot
from server.web.operators.route_roles import Operator

router = APIRouter(default_response_class=Response)

SHOWN = 100
"""Participants on a page."""
_NOTHING = Flow(0, 0, 0, 0, 0, {})


class Arm(NamedTuple):
    """Condition, or order of conditions, with what became of its groups."""

    name: str
    target: int
    flow: Flow
    cell: str = ""
    """Name of the cell in addresses; empty: it cannot be closed by itself."""
    is_closed: bool = False


class StudyNow(NamedTuple):
    """Study as it stands now; nothing of its outcomes."""

    study: Study
    is_closed: bool
    pause: StudyPauseRow | None
    arms: list[Arm]
    """Empty where its draws cannot be read."""
    here: dict[str, int]
    """Visits that go on, by place."""
    endings: dict[str, int]
    spending: Spending | None
    """Money as it was at the last look of the recruiting's watch; None: there was none yet."""
    waiting: int
    longest_wait_s: float


@router.get("/operator/studies")
async def studies_page(request: Request, state: AppState, operator: Operator) -> Response:
    """Show each study with its cells, its people and its spending."""
    return state.pages.show(
        request,
        "operator_studies.html",
        entry="src/operator/main.ts",
        studies=await _studies_now(state),
        operator=operator,
        may_run=operator.role >= Role.RUN,
    )


@router.get("/operator/studies/{name}")
async def progress(request: Request, state: AppState, operator: Operator, name: str) -> Response:
    """Show how a study's people came, ended and waited over time."""
    opened = next((found for found in state.studies if found.study.name == name), None)
    if opened is None:
        raise not_found()
    study, now = opened.study, state.now()
    async with state.database.transaction() as db:
        course = await course_of(db, study.name, study.mode)
        waits = await waits_of(db, study.name, study.mode)
    return state.pages.show(
        request,
        "operator_progress.html",
        entry="src/operator/main.ts",
        study=study,
        is_closed=opened.is_closed,
        people=progress_plot(course, now),
        waits=waits_plot(waits, now),
        now=now,
        operator=operator,
    )


async def _studies_now(state: ApplicationState) -> list[StudyNow]:
    modes = {opened.study.name: opened.study.mode for opened in state.studies}
    async with state.database.transaction() as db:
        pauses = {pause.study: pause for pause in await pauses_that_go_on(db, modes)}
        counted = await standings(db, modes)
    waiting = Counter(stay.study for stay in state.lobby.study_stays())
    found = []
    for opened in state.studies:
        study = opened.study
        here, endings = Counter[str](), Counter[str]()
        for row in counted:
            if (row.study, row.mode) != (study.name, study.mode):
                continue
            if row.place == Place.ENDED:
                endings[row.ending or ""] += row.visits
            else:
                here[row.place] += row.visits
        found.append(
            StudyNow(
                study,
                opened.is_closed,
                pauses.get(study.name),
                _arms(state, study),
                dict(here),
                dict(endings),
                state.recruiting.spending.get(study.name),
                waiting[study.name],
                state.lobby.longest_wait_s(study.key),
            )
        )
    return found


def _arms(state: ApplicationState, study: Study) -> list[Arm]:
    places = state.lobby.study_draws.places.get(study.key)
    if places is None:
        return []
    flows = places.flows()
    names = {cell.name for cell in study.cells} if study.design.subjects == "between" else set()
    return [
        Arm(
            f"{stratum}: {arm.name}" if stratum else arm.name,
            arm.target,
            flows.get((stratum, arm.name), _NOTHING),
            cell_name(study.key, arm.name) if arm.name in names else "",
            arm.name in places.closed,
        )
        for stratum, arms in places.assignment.match_arms.items()
        for arm in arms
    ]


@router.get("/operator/participants")
async def participants(request: Request, state: AppState, operator: Operator) -> Response:
    """List participants by their visits, the newest first; a link leads to those before."""
    query = request.query_params
    only = Filter(*(word_of(query.get(field, "")) for field in Filter._fields))
    before = query.get("before", "")
    start = before if is_id("vis", before) else None
    async with state.database.transaction() as db:
        lines = await visits_before(db, start, SHOWN + 1, only)
        count = await count_visits(db, only)
    has_older = len(lines) > SHOWN
    lines = lines[:SHOWN]
    asked = {field: value for field, value in only._asdict().items() if value}
    return state.pages.show(
        request,
        "operator_participants.html",
        lines=lines,
        count=count,
        only=only,
        is_filtered=bool(asked),
        is_first=start is None,
        newest=urlencode(asked),
        older=urlencode({**asked, "before": lines[-1].visit_id}) if has_older else "",
        studies=sorted(opened.study.name for opened in state.studies),
        places=[str(place) for place in Place],
        endings=[str(ending) for ending in Ending],
        now=state.now(),
        operator=operator,
        may_run=operator.role >= Role.RUN,
    )
