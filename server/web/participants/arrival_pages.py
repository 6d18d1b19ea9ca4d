"""First page of a study, to which recruiters' links lead. Looking at it takes nothing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from matchmaking.visit_signs import Sign, SignKind
from matchmaking.visits import Standing
from server.recruiting.mturk import ORIGINS
from server.recruiting.open_studies import OpenStudy
from server.recruiting.recruiter import PREVIEW, Fault, LinkError, Parameters, check_parameters
from server.store.identifiers import new_id
from server.store.visit_models import VisitRow
from server.store.visit_records import add_sign
from server.store.visits import (
    Arrival,
    begin_visit,
    give_to_browser,
    known_visit,
    link_of,
    standing_of,
    visit_of,
)
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError
from server.web.identity import digest_of, new_secret
from server.web.pages import VISIT
from server.web.participants.device_needs import need_of
from server.web.participants.link_faults import (
    link_fault,
    no_such_study,
    not_now,
    page_of,
    prefetched,
)
from server.web.participants.prose import prose
from server.web.participants.texts import texts_for, texts_in
from server.web.participants.withdrawal_pages import already_page
from server.web.security import CONTENT_POLICY
from server.web.tokens import ArrivalClaim, TokenError

router = APIRouter(default_response_class=Response)
log = structlog.get_logger(__name__)

LANGUAGE = "lang"
"""Parameter that names a language, and is none of the recruiter's."""
ARRIVAL = "arrival"
"""Name of this page among those on which signs are seen."""
_PREFETCHING = ("sec-purpose", "purpose", "x-purpose", "x-moz")


@router.api_route("/s/{name}", methods=["GET", "HEAD"])
async def arrival_page(request: Request, state: AppState, name: str) -> Response:
    """Show what a study is, and the button that begins a visit."""
    if any("prefetch" in request.headers.get(header, "") for header in _PREFETCHING):
        raise prefetched(texts_for(_accepted(request)))
    study = _study(request, state, name)
    language = _language(request, study)
    try:
        parameters = _parameters(request)
        check_parameters(parameters)
        is_preview = study.recruiter.is_preview(parameters)
        if not is_preview:
            # Before anything is shown: whoever came with a broken link should not read on.
            study.recruiter.external_id(study.study, parameters)
    except LinkError as error:
        raise _refused(study, error, language) from error
    async with state.database.transaction() as db:
        mine = await visit_of(db, await state.identity.of(request, db))
        claim = ArrivalClaim(name, secrets.token_urlsafe(16), json.dumps(parameters))
        known = await known_visit(db, _arrival(study, claim, parameters, language))
        closure = None if known else await state.recruiting.closure_of(db, study.study)
        if mine is not None and mine.study == name and _is_same(study, mine, known):
            return RedirectResponse(VISIT, 303)
        if known is not None and standing_of(known).has_ended:
            return await already_page(request, state, db, study, known, parameters)
        if known is not None:
            await _check_theirs(db, study, known, parameters, language)
    if known is None and study.is_closed:
        raise page_of(texts_in(language), 410, "study-over")
    if closure is not None:
        raise not_now(closure, texts_in(language))
    is_framed = request.headers.get("sec-fetch-dest") in ("iframe", "frame")
    response = _show(
        request,
        state,
        study,
        language,
        "arrival.html",
        arrival=state.tokens.sign_arrival(claim),
        action=f"/s/{name}",
        needs=need_of(study.study),
        is_preview=is_preview,
        is_offered_there=study.recruiter.kind == "mturk" and PREVIEW not in parameters,
        is_framed=is_framed,
        here=f"{request.url.path}?{request.url.query}",
        is_known=known is not None,
    )
    if study.recruiter.kind == "mturk":
        # Mechanical Turk shows the page in a frame of its own.
        framing = f"frame-ancestors {' '.join(ORIGINS)} https://worker.mturk.com"
        policy = CONTENT_POLICY.replace("frame-ancestors 'none'", framing)
        response.headers["content-security-policy"] = policy
    return response


@router.post("/s/{name}")
async def begin(request: Request, state: AppState, name: str) -> Response:
    """Begin a visit, or go on with the one that somebody with the same id began."""
    form = await state.csrf.check(request)
    fingerprint = state.identity.fingerprint(request)
    state.admission.admit_form(request, fingerprint)
    study = _study(request, state, name)
    try:
        claim = state.tokens.read_arrival(form.get("arrival", ""))
    except TokenError as error:
        raise page_of(texts_for(_accepted(request)), 400, "expired") from error
    if claim.study != name:
        raise page_of(texts_for(_accepted(request)), 400, "expired")
    parameters: dict[str, str] = json.loads(claim.parameters)
    language = study.language([form.get("language", "")])
    try:
        arrival = _arrival(study, claim, parameters, language)
        study.recruiter.external_id(study.study, parameters)
    except LinkError as error:
        raise _refused(study, error, language) from error
    if study.recruiter.is_preview(parameters):
        return RedirectResponse(f"/s/{name}", 303)
    response = RedirectResponse(VISIT, 303)
    async with (
        state.newcomers.turn(fingerprint),
        # Neither two presses of one browser nor two browsers with one id begin two visits, and the
        # last place that can be paid is one visit's alone.
        state.newcomers.turn(f"study {name}"),
        state.database.transaction() as db,
    ):
        participant = await state.identity.of(request, db)
        known = await known_visit(db, arrival)
        if known is not None:
            if known.participant_id == participant:
                return response
            if study.recruiter.id_parameter == "":
                # A form that another browser has sent: whoever copied it is somebody else.
                raise page_of(texts_in(language), 409, "replayed")
            if standing_of(known).has_ended:
                return await already_page(request, state, db, study, known, parameters)
            await _check_theirs(db, study, known, parameters, language)
            secret = new_secret()
            await give_to_browser(db, known.participant_id, digest_of(secret))
            sign = Sign(SignKind.ANOTHER_BROWSER, {})
            await add_sign(db, known.visit_id, sign, ARRIVAL, state.now())
            state.identity.remember(response, secret)
            return response
        if study.is_closed:
            raise page_of(texts_in(language), 410, "study-over")
        if (closure := await state.recruiting.closure_of(db, study.study)) is not None:
            raise not_now(closure, texts_in(language))
        # A person in one study is one participant: whoever the browser was before stays apart.
        secret, earlier = state.identity.secret(request), None
        if participant is not None:
            secret, earlier = new_secret(), await visit_of(db, participant)
        state.admission.admit_newcomer(request)
        participant = state.identity.create(secret, db, state.now())
        await db.flush()
        start = Standing.at_start(study.route)
        visit = await begin_visit(db, new_id("vis"), participant, arrival, start, state.now())
        if study.recruiter.id_parameter and earlier is not None and earlier.study == name:
            for mine, other in ((visit, earlier), (earlier, visit)):
                sign = Sign(SignKind.SAME_BROWSER, {"visit": other.visit_id})
                await add_sign(db, mine.visit_id, sign, ARRIVAL, state.now())
    log.info("visit.began", study=name, visit=visit.visit_id, recruiter=arrival.recruiter)
    state.identity.remember(response, secret)
    return response


async def _check_theirs(
    db: AsyncSession, study: OpenStudy, visit: VisitRow, parameters: Parameters, language: str
) -> None:
    """Check that a link from another browser is of the person who began a visit.

    Where a recruiter gives each of them what nobody else has, the id alone is not enough: whoever
    knew it could take the visit over. Raises PageError.
    """
    recruiter, kept = study.recruiter, await link_of(db, visit.visit_id)
    if recruiter.proof and not recruiter.is_proven(kept, parameters):
        contact = study.study.contact
        values = {"recruiter": recruiter.title, "contact": contact}
        raise page_of(texts_in(language), 409, "begun-elsewhere", **values)


def _study(request: Request, state: ApplicationState, name: str) -> OpenStudy:
    study = state.studies.get(name)
    if study is None:
        raise no_such_study(texts_for(_accepted(request)))
    return study


def _parameters(request: Request) -> dict[str, str]:
    """Return what the recruiter says in a link. Raises LinkError where it says a thing twice."""
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name == LANGUAGE:
            continue
        if name in found:
            raise LinkError(Fault.MALFORMED)
        found[name] = value
    return found


def _language(request: Request, study: OpenStudy) -> str:
    """Return the language that the address names, or else the one that the browser asks for."""
    chosen = request.query_params.get(LANGUAGE, "")
    wanted = [part.partition(";")[0].strip() for part in _accepted(request).split(",")]
    return study.language([chosen, *wanted] if chosen else wanted)


def _accepted(request: Request) -> str:
    return request.headers.get("accept-language", "")[:200]


def _arrival(
    study: OpenStudy, claim: ArrivalClaim, parameters: Mapping[str, str], language: str
) -> Arrival:
    """Return what is stored of an arrival. Raises LinkError."""
    declared, recruiter = study.study, study.recruiter
    external_id = None
    if not recruiter.is_preview(parameters):
        external_id = recruiter.external_id(declared, parameters)
    if external_id is None:
        external_id = claim.arrival_id
    return Arrival(
        declared.name,
        declared.version,
        declared.mode,
        recruiter.kind,
        language,
        external_id,
        parameters,
    )


def _is_same(study: OpenStudy, mine: VisitRow, known: VisitRow | None) -> bool:
    """Tell whether a link leads to the visit of the browser that opens it."""
    if known is not None:
        return known.visit_id == mine.visit_id
    return not study.recruiter.id_parameter


def _show(
    request: Request,
    state: ApplicationState,
    study: OpenStudy,
    language: str,
    template: str,
    **values: Any,
) -> Response:
    """Draw a page for somebody who has no visit yet."""
    declared = study.study
    return state.pages.show(
        request,
        f"visit/{template}",
        t=texts_in(language),
        prose=prose,
        study=declared,
        title=declared.title.get(language, ""),
        language=language,
        recruiter=study.recruiter,
        is_paid=declared.pay.is_paid,
        **values,
    )


def _refused(study: OpenStudy, error: LinkError, language: str) -> PageError:
    # Neither a value nor a name that is not the recruiter's own: both may be somebody's id.
    recruiter = study.recruiter
    is_ours = error.parameter in {recruiter.id_parameter, *recruiter.link_template}
    log.info(
        "visit.link_refused",
        study=study.study.name,
        fault=str(error.fault),
        parameter=error.parameter if is_ours else "",
    )
    return link_fault(error, study.recruiter, texts_in(language))
