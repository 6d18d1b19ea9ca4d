"""The operators' pages: what runs now, and a look into it."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from matchmaking.identifiers import is_id
from server.web.assets import asset_root
from server.web.context import InSite, Site
from server.web.errors import PageError, not_found, session_over
from server.web.operators import forget, is_full, is_operator, knows, remember
from server.web.tokens import WatchClaim

router = APIRouter(default_response_class=Response)

WRONG_PASSWORD_S = 1.0
"""Guessing takes time."""
_WATCH_ENTRY = "src/watch/main.ts"
_LIST_ENTRY = "src/operator/main.ts"


@router.get("/operator")
async def overview(request: Request, site: InSite) -> Response:
    """Sessions that run, and how things stand; the way in for who is not known yet."""
    if not is_operator(request):
        return _entrance(request, site)
    host = request.app.state.host
    return site.pages.show(
        request,
        "operator.html",
        entry=_LIST_ENTRY,
        sessions=host.sessions(),
        problems=site.book.host.problems(),
        refusal=site.book.host.refusal(),
        waiting=site.lobby.waiting(),
        free_homes=site.book.free_homes(),
        most_watchers=site.settings.watchers_per_session,
        can_leave=bool(site.settings.metrics_token),
    )


@router.post("/operator/enter")
async def enter(request: Request, site: InSite, password: Annotated[str, Form()] = "") -> Response:
    await site.csrf.check(request)
    if not knows(request, password):
        await asyncio.sleep(WRONG_PASSWORD_S)
        return _entrance(request, site, was_wrong=True)
    response = RedirectResponse("/operator", 303)
    remember(request, response)
    return response


@router.post("/operator/leave")
async def leave(request: Request, site: InSite) -> Response:
    await site.csrf.check(request)
    response = RedirectResponse("/operator", 303)
    forget(response)
    return response


@router.get("/operator/watch/{session_id}")
async def watch(request: Request, site: InSite, session_id: str) -> Response:
    """A page that shows a session as it goes on, to somebody who can do nothing in it."""
    if not is_operator(request):
        return _entrance(request, site)
    if not is_id("ses", session_id):
        raise not_found()
    host = request.app.state.host
    if session_id not in {state.session_id for state in host.sessions()}:
        raise session_over()
    if is_full(host, site.settings, session_id):
        most = site.settings.watchers_per_session
        raise PageError(
            503,
            "No more can watch this session",
            f"As many browsers watch it as COHABIT_WATCHERS_PER_SESSION allows ({most}). Close one "
            "of them, or open another session.",
        )
    return site.pages.show(
        request,
        "watch.html",
        entry=_WATCH_ENTRY,
        boot={
            "token": site.tokens.sign_watch(WatchClaim(session_id)),
            "wsPath": "/ws/watch",
            "assetRoot": asset_root(site.settings.data_dir),
            "homePath": "/operator",
            "sessionId": session_id,
            "clientVersion": site.client.version(),
        },
    )


def _entrance(request: Request, site: Site, *, was_wrong: bool = False) -> Response:
    return site.pages.show(
        request,
        "operator_entrance.html",
        status=403,
        has_password=bool(site.settings.metrics_token),
        was_wrong=was_wrong,
    )
