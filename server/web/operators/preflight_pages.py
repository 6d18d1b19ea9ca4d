"""Page of the preflight: operators start it, see its checks end, and read what is to be done."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from matchmaking.study.opening_rules import PREFLIGHT
from server.web.application_state import AppState
from server.web.errors import PageError
from server.web.operators.route_roles import Operator

router = APIRouter(default_response_class=Response)
PATH = "/operator/preflight"


@router.get("/operator/preflight")
async def preflight_page(request: Request, state: AppState, operator: Operator) -> Response:
    """Show the last preflight, and the button that starts one."""
    wanted = request.query_params.get("study", "")
    return state.pages.show(
        request,
        "operator_preflight.html",
        entry="src/operator/main.ts",
        run=state.preflights.last,
        is_running=state.preflights.is_running,
        studies=sorted(
            opened.study.name
            for opened in state.studies
            if not opened.is_closed and not opened.study.name.startswith(PREFLIGHT)
        ),
        wanted=wanted,
        operator=operator,
    )


@router.post("/operator/preflight")
async def start(request: Request, state: AppState, operator: Operator) -> Response:
    """Start a preflight, unless one runs already."""
    form = await state.csrf.check(request)
    name = form.get("study", "")
    if name and state.studies.get(name) is None:
        raise PageError(
            400, "Nothing was started", "Go back and choose one of the studies.", leads_home=False
        )
    if not state.preflights.start(name, operator.who):
        raise PageError(
            409,
            "One runs already",
            "Somebody has started one that goes on. Go back and read what it finds.",
            leads_home=False,
        )
    return RedirectResponse(PATH, 303)
