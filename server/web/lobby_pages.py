"""Lobby page and invitations. Looking at a page takes nothing; only forms do."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from episodes.seat_names import look_of, names_of
from matchmaking.identifiers import is_code, is_id
from matchmaking.invitations import InviteError
from matchmaking.offers import Offer
from matchmaking.tickets import LIVE, State, Ticket, Wish
from server.lobby import Closed, Matched
from server.privacy.kept_words import kept_words
from server.store.tickets import session_of_ticket, ticket_row, tickets_with_code
from server.web.application_state import ApplicationState, AppState
from server.web.errors import PageError, not_found, not_yours
from server.web.home import enter_with_code
from server.web.open_homes import open_home_of
from server.web.pages import VISIT
from server.web.participants.detour import frame_of, is_visiting
from server.web.participants.texts import Texts, texts_for
from server.web.tokens import TicketClaim

router = APIRouter(default_response_class=Response)

_LOBBY_ENTRY = "src/lobby/main.ts"
_WORDS_OF_PAGE = {
    "iAmReady": "lobby-ready",
    "areYouReady": "lobby-are-you-ready",
    "homeReady": "lobby-home-ready",
    "takingYou": "lobby-taking-you",
    "lost": "lobby-lost",
    "outdated": "lobby-outdated",
    "elsewhere": "lobby-elsewhere",
    "waitHere": "lobby-wait-here",
    "over": "lobby-over",
    "toStart": "lobby-to-start",
    "goOn": "lobby-go-on",
}
"""Texts that the page itself shows when things change, by the names that it knows them by."""
OUTCOME_WAIT_S = 3.0
"""Seconds that the page of a stay which is over waits for how it ended."""
AGAIN_S = 3
"""Seconds after which a page that could not be told yet loads itself again."""


@router.get("/lobby/{ticket_id}")
async def lobby_page(request: Request, state: AppState, ticket_id: str) -> Response:
    participant = await _owner(request, state, ticket_id)
    ticket = state.lobby.ticket(ticket_id)
    async with state.database.transaction() as db:
        frame = await frame_of(request, state, db, participant)
    say = frame.t if frame else texts_for(request.headers.get("accept-language", ""))
    status = state.lobby.status(ticket_id, say)
    if ticket is None or status is None:
        return await _left(request, state, ticket_id, participant, say)
    invite = f"{state.hosts.base_url(request)}/invite/{ticket.code}" if ticket.code else ""
    is_inviter = bool(ticket.code) and state.lobby.holders(ticket.code)[0] == ticket
    token = state.tokens.sign_ticket(TicketClaim(ticket_id, participant))
    offer = state.lobby.rules.offers.of(ticket.pool)
    team = offer if ticket.team else None
    study = state.lobby.rules.study_of(ticket.pool)
    return state.pages.show(
        request,
        "lobby.html",
        entry=_LOBBY_ENTRY,
        ticket=ticket,
        stay=status,
        invite_url=invite if is_inviter else "",
        invited_places=_places_to_invite(team) if team is not None and is_inviter else [],
        people=state.lobby.rules.people_of(ticket.pool),
        offer=offer,
        study=study,
        about="" if team is None else state.teams.about(team, ticket.seat or ""),
        visit=frame,
        t=say,
        boot={
            "token": token,
            "wsPath": "/ws/lobby",
            "homePath": VISIT if frame else "/",
            "ticketId": ticket_id,
            "wish": str(ticket.wish),
            **{name: say(message) for name, message in _WORDS_OF_PAGE.items()},
        },
    )


class _InvitedPlace(NamedTuple):
    """A place of a team that a link may name."""

    seat: str
    name: str
    look: str


def _places_to_invite(offer: Offer) -> list[_InvitedPlace]:
    """Return the places of a team that a link may name, people first."""
    names = names_of(offer.team.seats)
    places = [
        _InvitedPlace(seat.seat_id, names[seat.seat_id].capitalize(), look_of(seat))
        for seat in offer.team.seats
        if seat.seat_id in offer.team.people
    ]
    return sorted(places, key=lambda place: place.look)


async def _left(
    request: Request, state: ApplicationState, ticket_id: str, participant: str, say: Texts
) -> Response:
    try:
        outcome = await asyncio.wait_for(state.lobby.ended(ticket_id), OUTCOME_WAIT_S)
    except TimeoutError as error:
        # It is being stored. Whatever the page said now could turn out otherwise.
        # Whoever looks at it is there: their home must not be given back meanwhile.
        raise PageError(
            503,
            say("lobby-moment-heading"),
            say("lobby-moment"),
            leads_home=False,
            reloads_after_s=AGAIN_S,
        ) from error
    match outcome:
        case Matched(session_id):
            state.sessions.pages.ask(session_id)
            return RedirectResponse(f"/play/{session_id}", 303)
        case Closed(_, message):
            async with state.database.transaction() as db:
                if await is_visiting(state, db, participant):
                    return RedirectResponse(VISIT, 303)
            return state.pages.show(
                request,
                "message.html",
                heading=say("lobby-over"),
                text=say(message),
            )


@router.post("/lobby/{ticket_id}/begin")
async def begin(request: Request, state: AppState, ticket_id: str) -> Response:
    """Wait for nobody else of an invitation."""
    await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    await _owner(request, state, ticket_id)
    await state.lobby.begin_now(ticket_id)
    return RedirectResponse(f"/lobby/{ticket_id}", 303)


@router.post("/lobby/{ticket_id}/cancel")
async def cancel(request: Request, state: AppState, ticket_id: str) -> Response:
    """Leave the lobby; this works without a script."""
    await state.csrf.check(request)
    state.admission.admit_form(request, state.identity.fingerprint(request))
    await _owner(request, state, ticket_id)
    if await state.lobby.cancel(ticket_id):
        return RedirectResponse("/", 303)
    # Matched in the same moment, or left already: the page knows.
    return RedirectResponse(f"/lobby/{ticket_id}", 303)


async def _owner(request: Request, state: ApplicationState, ticket_id: str) -> str:
    """Return the participant who asks, and whose ticket it must be.

    Raises PageError otherwise.
    """
    if not is_id("tic", ticket_id):
        raise not_found()
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        row = await ticket_row(db, ticket_id)
    if row is None:
        raise not_found()
    if participant is None or row.participant_id != participant:
        raise not_yours()
    return participant


@router.get("/invite/{code}")
@router.get("/invite/{code}/{seat}")
async def invite_page(request: Request, state: AppState, code: str, seat: str = "") -> Response:
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        open_home = await open_home_of(db, participant)
    mine = state.lobby.ticket_of(participant) if participant else None
    if mine is not None and mine.code == code:
        _check_place(state, mine, seat)
        return RedirectResponse(f"/lobby/{mine.ticket_id}", 303)
    if (used := await _session_with_code(request, state, code)) is not None:
        return used
    holders = await _check_code(state, code)
    offer = state.lobby.rules.offers.of(holders[0].pool)
    if offer is None or (seat and seat not in offer.team.people):
        raise not_found()
    if seat and any(holder.seat == seat for holder in holders):
        raise _no_room("taken")
    return state.pages.show(
        request,
        "invite.html",
        path=request.url.path,
        home=open_home,
        is_team=bool(holders[0].team),
        place=names_of(offer.team.seats)[seat].capitalize() if seat else "",
        look=next((look_of(s) for s in offer.team.seats if s.seat_id == seat), ""),
        about=state.teams.about(offer, seat),
        minutes=round(state.settings.time_limit_s / 60),
        kept=kept_words(state.settings),
    )


@router.post("/invite/{code}")
@router.post("/invite/{code}/{seat}")
async def invite_join(request: Request, state: AppState, code: str, seat: str = "") -> Response:
    if (used := await _session_with_code(request, state, code)) is not None:
        return used
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
    mine = state.lobby.ticket_of(participant) if participant else None
    if mine is not None and mine.code == code:
        _check_place(state, mine, seat)
    holders = await _check_code(state, code)
    try:
        return await enter_with_code(request, state, code, holders[0].team, seat)
    except InviteError as error:
        raise _no_room(error.kind) from error


def _check_place(state: ApplicationState, mine: Ticket, seat: str) -> None:
    """Check that a link names no other place than the one that its reader has.

    Raises PageError with what to do about it.
    """
    if seat in ("", mine.seat):
        return
    offer = state.lobby.rules.offers.of(mine.pool)
    if offer is None or seat not in offer.team.people:
        raise not_found()
    names = names_of(offer.team.seats)
    have = names[mine.seat].capitalize() if mine.seat else "a place that is drawn"
    raise PageError(
        409,
        "You have a place in this team already",
        f"You wait for {have}, and this link is for {names[seat].capitalize()}. To change places, "
        "go back to the start, leave the lobby, and open this link again.",
    )


async def _session_with_code(
    request: Request, state: ApplicationState, code: str
) -> Response | None:
    """Return the way into the session of an invitation for those who used it; None for others."""
    if not is_code(code):
        return None
    async with state.database.transaction() as db:
        participant = await state.identity.of(request, db)
        if participant is None:
            return None
        for row in await tickets_with_code(db, code):
            session_id = await session_of_ticket(db, row.ticket_id)
            if session_id is not None and row.participant_id == participant:
                return RedirectResponse(f"/play/{session_id}", 303)
    return None


async def _check_code(state: ApplicationState, code: str) -> list[Ticket]:
    """Return those who wait with this code.

    Raises PageError with the reason where nobody can join with it.
    """
    if not is_code(code):
        raise not_found()
    holders = [t for t in state.lobby.holders(code) if t.wish is Wish.INVITE]
    if holders:
        is_full = len(holders) >= state.lobby.rules.people_of(holders[0].pool)
        if is_full or any(t.state not in LIVE for t in holders):
            raise _no_room("full")
        return holders
    async with state.database.transaction() as db:
        rows = await tickets_with_code(db, code)
    if not rows:
        raise PageError(
            404,
            "We do not know this invitation",
            "The link may be cut off: ask your partner to send it once more.",
        )
    if any(row.state == State.MATCHED for row in rows):
        raise _no_room("full")
    raise PageError(
        410,
        "This invitation has expired",
        "Your partner is no longer waiting. Ask for a new link, or invite them yourself.",
    )


def _no_room(kind: str) -> PageError:
    """Return the page for an invitation, or a place in it, that one cannot have."""
    if kind == "no_such_place":
        return not_found()
    if kind == "full":
        return PageError(
            410,
            "This invitation has been used",
            "Everybody it was for has come. You can invite somebody yourself, or play alone.",
        )
    return PageError(
        410,
        "This place has been taken",
        "Somebody else has joined with this link. Ask for the link of another place.",
    )
