"""For supervisors and proxies: does the process live, and can people play."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.hosting.task_series import SeriesError
from server.store import DatabaseError
from server.web.client_build import ENTRIES, ClientMissingError
from server.web.context import InSite
from server.web.operators import is_operator

router = APIRouter(default_response_class=Response)


@router.get("/healthz")
async def healthz(site: InSite) -> Response:
    return JSONResponse({"status": "ok", "version": site.version})


@router.get("/readyz")
async def readyz(site: InSite, request: Request) -> Response:
    """503 while something is missing that playing needs; operators read what it is."""
    problems = site.book.host.problems()
    try:
        await site.database.check()
        await site.book.tasks.all()
    except (DatabaseError, SeriesError) as error:
        problems.append(str(error))
    try:
        for entry in ENTRIES:
            site.client.entry(entry)
    except ClientMissingError as error:
        problems.append(str(error))
    answer: dict[str, object] = {"status": "unavailable" if problems else "ok"}
    if is_operator(request):
        answer |= {
            "problems": problems,
            "admission": site.book.host.refusal() or "open",
            "waiting": site.lobby.waiting(),
            "free_homes": site.book.free_homes(),
        }
    return JSONResponse(answer, 503 if problems else 200)
