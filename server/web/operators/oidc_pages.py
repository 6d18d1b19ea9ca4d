"""Pages on the way to an OpenID Connect provider and back, by which operators sign in."""

from __future__ import annotations

import structlog
from fastapi import APIRouter, Request
from starlette.responses import Response

from matchmaking.identifiers import is_id
from server.operator_accounts import Identity
from server.web.addresses import address_group, peer_of
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found
from server.web.oidc.provider_error import ProviderError
from server.web.oidc.provider_sign_ins import CALLBACK, ProviderSignIns
from server.web.oidc.sign_in_flows import FLOW_AGE_S

OIDC_COOKIE = "cohabit_operator_oidc"

log = structlog.get_logger(__name__)
router = APIRouter(default_response_class=Response)


@router.post("/operator/oidc")
async def begin(request: Request, state: AppState) -> Response:
    """Send somebody on to the provider, and have their browser keep that it was sent."""
    sign_ins, form = _sign_ins(state), await state.csrf.check(request)
    state.operators.check_guesses(request)
    session_id = form.get("watch", "")
    # Only the id comes from the form: nothing leads to other pages, or elsewhere.
    watched = session_id if is_id("ses", session_id) else ""
    try:
        address, cookie = await sign_ins.begin(
            address_group(peer_of(request)), watched, state.operators.sign_in_of(request)
        )
    except ProviderError as error:
        raise _does_not_work(state, error) from error
    response = _onward(request, state, address, "On to your university")
    response.set_cookie(
        OIDC_COOKIE,
        cookie,
        max_age=int(FLOW_AGE_S),
        path=CALLBACK,
        httponly=True,
        # It comes back from another site, with which browsers send no strict one.
        samesite="lax",
        secure=state.settings.is_https,
    )
    return response


@router.get("/operator/oidc/callback")
async def come_back(request: Request, state: AppState) -> Response:
    """Sign somebody in who is back from the provider, once, in the browser that was sent there."""
    sign_ins = _sign_ins(state)
    state.operators.check_guesses(request)
    try:
        back = await sign_ins.end(request.cookies.get(OIDC_COOKIE, ""), request.query_params)
    except ProviderError as error:
        raise _does_not_work(state, error) from error
    if back is None:
        raise PageError(
            400,
            "Please begin again",
            "This sign-in was begun in another browser, more than ten minutes ago or before the "
            "server started, or has been used. Nobody was signed in: begin again at "
            f"{state.settings.public_url}/operator.",
            leads_home=False,
        )
    address = f"/operator/watch/{back.watched}" if back.watched else "/operator"
    # No redirect: browsers count it as the other site's, and would not send the cookie with it.
    response = _onward(request, state, address, "You are signed in")
    if not await state.operators.enter_as(request, back.identity, response, back.former):
        raise _unknown(back.identity)
    response.delete_cookie(
        OIDC_COOKIE, path=CALLBACK, httponly=True, samesite="lax", secure=state.settings.is_https
    )
    return response


def _sign_ins(state: ApplicationState) -> ProviderSignIns:
    if state.provider_sign_ins is None:
        raise not_found()
    return state.provider_sign_ins


def _onward(request: Request, state: ApplicationState, address: str, heading: str) -> Response:
    """Show a page that leads on by itself."""
    response = state.pages.show(
        request, "operator_onward.html", address=address, heading=heading, leads_home=False
    )
    # Browsers heed it without a script, and no policy of forms forbids it.
    response.headers["refresh"] = f"0;url={address}"
    return response


def _does_not_work(state: ApplicationState, error: ProviderError) -> PageError:
    if count := state.log_throttle.count("operator.provider_fault"):
        log.warning("operator.provider_fault", reason=str(error), count=count)
    return PageError(
        502,
        "Your university's sign-in did not work",
        f"Of the provider at {state.settings.oidc_issuer}: {error}. Nobody was signed in. Go back "
        "and try again in a moment"
        + (", or sign in with a password." if state.settings.operator_passwords else "."),
        leads_home=False,
    )


def _unknown(identity: Identity) -> PageError:
    return PageError(
        403,
        "You have no account here",
        "Your university knows you, and this server does not: an account of the university makes "
        "nobody an operator. Ask whoever administers this server for an account, and tell them "
        f"this (your {identity.claim}): {identity.value}",
        leads_home=False,
    )
