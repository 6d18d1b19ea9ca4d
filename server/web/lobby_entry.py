"""Entry into the lobby: a form takes a place there; those who need nobody else begin at once."""

from __future__ import annotations

import asyncio

from fastapi import Request

from matchmaking.tickets import Pool, Wish
from server.lobby import Closed, Matched, NoGroupsError, StartError
from server.lobby.contracts import Say
from server.store.identifiers import new_id
from server.store.sessions import StillPlayingError
from server.web.application_state import ApplicationState
from server.web.errors import PageError

SOLO_WAIT_S = 10.0
"""Seconds that a form may take; after that the browser goes to the lobby."""
TAB_OF_FORM = "form"


async def enter_lobby(
    request: Request,
    state: ApplicationState,
    participant: str,
    pool: Pool,
    say: Say,
    seat: str = "",
    rtt_ms: float | None = None,
) -> str:
    """Take a place in the lobby; return where the browser goes next.

    Raises PageError, and NotInLobbyError for somebody whose visit to a study is not there any more.

    ``say`` has the texts of that in the participant's language.
    ``rtt_ms`` is the median of the participant's round trips, where it was measured.
    """
    mine, lobby = state.lobby.ticket_of(participant), state.lobby
    if (
        mine is not None
        and mine.wish is Wish.INVITE
        and mine.pool == pool._replace(code=mine.code)
        and not lobby.holders(pool.code)
    ):
        # Who asks for an invitation again gets the one that is already out.
        pool = mine.pool
    ticket_id = new_id("tic")
    try:
        seeks = lobby.rules.sought(pool)
        with state.admission.place(request, participant, pool.code or ticket_id, seeks):
            ticket = await lobby.join(ticket_id, participant, pool, seat, rtt_ms=rtt_ms)
    except StartError as error:
        raise PageError(503, say("lobby-back-soon-heading"), say("closed-join-later")) from error
    except NoGroupsError as error:
        raise PageError(503, say("lobby-no-groups-heading"), say("lobby-no-groups")) from error
    except StillPlayingError as error:
        return f"/play/{error.session_id}"
    if lobby.rules.people_of(pool) == 1:
        return await _begin_alone(state, ticket.ticket_id, say)
    return f"/lobby/{ticket.ticket_id}"


async def _begin_alone(state: ApplicationState, ticket_id: str, say: Say) -> str:
    """Wait for the session of somebody who needs no other person, and return where to go next.

    The form waits with them, as long as that is short.
    """
    lobby_url = f"/lobby/{ticket_id}"
    outcome = state.lobby.outcome(ticket_id)
    if outcome is None or state.sessions.free_places() <= 0:
        return lobby_url
    connection = await state.lobby.connect(ticket_id, TAB_OF_FORM)
    if connection is None:
        return lobby_url
    try:
        match await asyncio.wait_for(asyncio.shield(outcome), SOLO_WAIT_S):
            case Matched(session_id):
                state.sessions.pages.ask(session_id)
                return f"/play/{session_id}"
            case Closed(_, message):
                raise PageError(503, say("lobby-not-opened-heading"), say(message))
    except TimeoutError:
        return lobby_url
    finally:
        await state.lobby.disconnect(ticket_id, connection)
