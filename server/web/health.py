"""Health for supervisors and proxies: whether the process lives, and whether people can play."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.hosting.task_series import SeriesError
from server.store import DatabaseError
from server.web.application_state import AppState
from server.web.client_build import ENTRIES, ClientMissingError
from server.web.operators import is_operator

router = APIRouter(default_response_class=Response)


@router.get("/healthz")
async def healthz(state: AppState) -> Response:
    return JSONResponse({"status": "ok", "version": state.version})


@router.get("/readyz")
async def readyz(state: AppState, request: Request) -> Response:
    """Answer 503 while something is missing that playing needs; operators read what it is."""
    problems = state.host.problems()
    try:
        await state.database.check()
        await state.sessions.tasks.all()
    except (DatabaseError, SeriesError) as error:
        problems.append(str(error))
    try:
        for entry in ENTRIES:
            state.client.entry(entry)
    except ClientMissingError as error:
        problems.append(str(error))
    answer: dict[str, object] = {"status": "unavailable" if problems else "ok"}
    if is_operator(request):
        answer |= {
            "problems": problems,
            "admission": state.host.refusal() or "open",
            "waiting": state.lobby.waiting(),
            "free_homes": state.sessions.free_places(),
        }
    return JSONResponse(answer, 503 if problems else 200)
