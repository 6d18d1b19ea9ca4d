"""Roles that operators' pages need: one table, and the look at it that comes before each page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import Depends, Request

from server.operator_accounts import Role
from server.web.application_state import AppState
from server.web.operator_standing import RoleError, Standing, StrangerError

ANYBODY = None
"""In place of a role: the way in and out, and what machines and strangers may ask."""
ROUTE_ROLES: Mapping[str, Role | None] = {
    "GET /operator": Role.WATCH,
    "POST /operator/enter": ANYBODY,
    "POST /operator/leave": ANYBODY,
    "POST /operator/oidc": ANYBODY,
    "GET /operator/oidc/callback": ANYBODY,
    "GET /operator/log": Role.WATCH,
    "GET /operator/act/{name}/{target}": Role.RUN,
    "POST /operator/act/{name}/{target}": Role.RUN,
    "GET /operator/studies": Role.WATCH,
    "GET /operator/studies/{name}": Role.WATCH,
    "GET /operator/participants": Role.WATCH,
    "GET /operator/preflight": Role.RUN,
    "POST /operator/preflight": Role.RUN,
    "GET /operator/accounts": Role.ADMINISTER,
    "POST /operator/accounts": Role.ADMINISTER,
    "GET /operator/accounts/{name}": Role.ADMINISTER,
    "POST /operator/accounts/{name}": Role.ADMINISTER,
    "GET /operator/watch/{session_id}": Role.WATCH,
    "GET /operator/replay/{episode_id}": Role.WATCH,
    "GET /operator/replay/{episode_id}/film": Role.WATCH,
    "GET /operator/replay/{episode_id}/film/{reel}": Role.WATCH,
    "GET /operator/replay/{episode_id}/coding": Role.WATCH,
    "POST /operator/replay/{episode_id}/coding/notes": Role.WATCH,
    "POST /operator/replay/{episode_id}/coding/removed": Role.WATCH,
    "POST /operator/replay/{episode_id}/coding/finished": Role.WATCH,
}
"""Least role for each route below ``/operator``.

Not here: ``/ws/watch`` opens with what a page to watch holds, while its sign-in lasts; figures and
the details of readiness are for the token and for this machine.
"""


async def _operator_for(request: Request, state: AppState) -> Standing:
    """Return the standing of whoever sends a request, if their role suffices for its route.

    Raises StrangerError and RoleError, and KeyError for a route that has no role: it stays shut.
    """
    needed = ROUTE_ROLES[f"{request.method} {request.scope['route'].path}"]
    assert needed is not None, "a route for anybody asks for no operator"
    standing = await state.operators.standing(request)
    if standing is None:
        raise StrangerError(request.path_params.get("session_id", ""))
    if standing.role < needed:
        if request.method == "POST":
            await state.refusals.note(standing, request.scope["route"].path, request.url.path)
        raise RoleError(standing, needed)
    return standing


Operator = Annotated[Standing, Depends(_operator_for)]
"""Operator whose role suffices for the route that asks for one."""
