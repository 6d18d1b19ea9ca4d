"""Pages that ask before an operator acts in what runs, and do it."""

from __future__ import annotations

from collections.abc import Mapping

import structlog
from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from server.web.application_state import AppState
from server.web.errors import PageError, not_found
from server.web.operators.acts import Deed, OperatorAct, Said, Subject
from server.web.operators.route_roles import Operator
from server.web.operators.session_acts import END, FILL, LONGEST_MESSAGE, MESSAGE, REMOVE
from server.web.operators.study_acts import CLOSE_CELL, OPEN_CELL, PAUSE, RESUME, SEND_ON

log = structlog.get_logger(__name__)
router = APIRouter(default_response_class=Response)

ACTS: Mapping[str, OperatorAct] = {
    known.act: known
    for known in (END, MESSAGE, FILL, REMOVE, PAUSE, RESUME, SEND_ON, CLOSE_CELL, OPEN_CELL)
}
LONGEST_REASON = 500


def _act(name: str) -> OperatorAct:
    if name not in ACTS:
        raise not_found()
    return ACTS[name]


@router.get("/operator/act/{name}/{target}")
async def ask(
    request: Request, state: AppState, operator: Operator, name: str, target: str
) -> Response:
    """Ask whether an act is meant."""
    act = _act(name)
    subject = await act.find(state, target)
    if subject is None:
        raise _gone()
    return state.pages.show(
        request,
        "operator_act.html",
        act=act,
        question=act.question.format(subject.name),
        subject=subject,
        longest_reason=LONGEST_REASON,
        longest_text=LONGEST_MESSAGE,
        operator=operator,
    )


@router.post("/operator/act/{name}/{target}")
async def do(
    request: Request, state: AppState, operator: Operator, name: str, target: str
) -> Response:
    """Do it, log it, and show what came of it."""
    form = await state.csrf.check(request)
    act = _act(name)
    said = Said(
        operator.who,
        " ".join(form.get("reason", "").split())[:LONGEST_REASON],
        form.get("text", ""),
        form.get("choice", ""),
    )
    if act.choices and said.choice not in act.choices:
        raise PageError(400, "Nothing was done", "Go back and choose one of the endings.")
    found = await act.find(state, target)
    deed = Deed(state, act, found or Subject(target, target), said)
    if found is None:
        await deed.tell("too late", "it was over")
    else:
        await act.do(deed)
    row = deed.row
    assert row is not None, "each act is logged"
    log.info("operator.acted", act=act.act, on=row.target, by=said.who, came=row.outcome)
    return RedirectResponse(f"/operator?done={row.act_id}", 303)


def _gone() -> PageError:
    return PageError(
        410,
        "That is over",
        "It has ended by now, or somebody else was faster. Nothing was done; go back and look how "
        "things stand.",
        leads_home=False,
    )
