"""Page of the operators' log: who did what, when, on what, and with which outcome."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from server.store.operator_acts import Filter, acts_before
from server.web.application_state import AppState
from server.web.operators.list_queries import number_of, word_of
from server.web.operators.route_roles import Operator

router = APIRouter(default_response_class=Response)

SHOWN = 100
"""Acts on a page."""


@router.get("/operator/log")
async def log_page(request: Request, state: AppState, operator: Operator) -> Response:
    """Show the log, the newest first; the link below it leads to what is older."""
    query = request.query_params
    only = Filter(*(word_of(query.get(field, "")) for field in Filter._fields))
    # Typed as the page shows it, or as the command does.
    only = only._replace(act=only.act.replace(" ", "_"))
    async with state.database.transaction() as db:
        acts = await acts_before(db, number_of(query.get("before", "")), SHOWN + 1, only)
    has_older = len(acts) > SHOWN
    acts = acts[:SHOWN]
    asked = {field: value for field, value in only._asdict().items() if value}
    older = urlencode({**asked, "before": acts[-1].act_id}) if has_older else ""
    return state.pages.show(
        request,
        "operator_log.html",
        operator=operator,
        acts=acts,
        only=only,
        is_filtered=bool(asked),
        is_first="before" not in query,
        newest=urlencode(asked),
        older=older,
    )
