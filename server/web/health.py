"""Health for supervisors and proxies: whether the process lives, and whether people can play."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.web.application_state import ApplicationState, AppState
from server.web.client_build import ENTRIES, ClientMissingError
from server.web.operator_standing import GuessesSpentError

router = APIRouter(default_response_class=Response)


@router.get("/healthz")
async def healthz(state: AppState) -> Response:
    return JSONResponse({"status": "ok", "version": state.version})


@router.get("/readyz")
async def readyz(state: AppState, request: Request) -> Response:
    """Answer 503 while something is missing that playing needs; operators read what it is."""
    problems = state.host.problems() + state.lobby.problems() + await state.readiness.problems()
    try:
        for entry in ENTRIES:
            state.client.entry(entry)
    except ClientMissingError as error:
        problems.append(str(error))
    answer: dict[str, object] = {"status": "unavailable" if problems else "ok"}
    if _is_operator(request, state):
        answer |= {
            "problems": problems,
            "admission": state.host.refusal() or "open",
            "waiting": state.lobby.waiting(),
            "free_homes": state.sessions.free_places(),
        }
    return JSONResponse(answer, 503 if problems else 200)


def _is_operator(request: Request, state: ApplicationState) -> bool:
    try:
        return state.operators.is_machine(request)
    except GuessesSpentError:
        # Who guesses must not make the server look ill to whoever watches over it.
        return False
