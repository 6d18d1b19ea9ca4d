"""Websocket ``/ws/lobby``: tells a waiting browser how it stands, and when its session is open."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from server.lobby.ticket_outcomes import Closed, Matched, Outcome
from server.store import DatabaseError
from server.web.application_state import ApplicationState, AppState
from server.web.direct_websocket import admit, late_s_of
from server.web.frame_budget import WAITING
from server.web.loop_lateness import in_time
from server.web.participants.detour import lobby_texts
from server.web.participants.texts import Texts, texts_for
from server.web.tokens import TicketClaim, TokenError
from server.wire.close_codes import CloseCode
from server.wire.lobby_messages import (
    LobbyCancel,
    LobbyClientMessage,
    LobbyClosed,
    LobbyHello,
    LobbyMatched,
    LobbyReady,
    LobbyServerMessage,
    decode_lobby_message,
    encode_lobby_message,
)

router = APIRouter()
log = structlog.get_logger(__name__)

HELLO_WAIT_S = 10.0
STATUS_S = 1.0
LONGEST_MESSAGE = 4096
"""Longest message of a page, in characters."""
MOST_MESSAGES = 20
"""Most messages of a page: it says hello, and perhaps cancels; more is a program gone wild."""
_ELSEWHERE = Closed(CloseCode.OTHER_TAB, "closed-other-tab")


class _RefusedError(Exception):
    def __init__(self, code: CloseCode, message: str) -> None:
        super().__init__(message)
        self.closed = Closed(code, message)


class _OldPageError(Exception):
    """A page of a release whose lobby messages were JSON objects: it reads no others."""


@router.websocket("/ws/lobby")
async def lobby_socket(socket: WebSocket, state: AppState) -> None:
    if not state.hosts.is_from_our_page(socket):
        # Before the handshake: another site's script learns nothing, not even a reason.
        await socket.close()
        return
    await socket.accept()
    say = texts_for(socket.headers.get("accept-language", ""))
    try:
        try:
            claim, hello = await _greet(socket, state)
            admit(socket.scope, WAITING)
            say = await lobby_texts(state, claim.participant_id, say)
            await _wait(socket, state, claim.ticket_id, hello, say)
        except _RefusedError as refusal:
            await _close(socket, refusal.closed, say)
        except _OldPageError:
            # Without an answer that it can read, such a page would connect again for ever.
            code = CloseCode.VERSION
            outdated = say("closed-old-page")
            await socket.send_json({"type": "closed", "code": code, "text": outdated})
            await socket.close(code, outdated)
    except DatabaseError as error:
        # The page says that it tries again, and does.
        if count := state.log_throttle.count("lobby.no_database"):
            log.warning("lobby.no_database", reason=str(error), count=count)
        await socket.close(CloseCode.TRY_AGAIN, "the database does not answer")
    except (WebSocketDisconnect, RuntimeError):
        # RuntimeError is what Starlette raises for a send on a socket that has just closed.
        return


async def _greet(socket: WebSocket, state: ApplicationState) -> tuple[TicketClaim, LobbyHello]:
    try:
        hello = await in_time(lambda: _receive(socket), HELLO_WAIT_S, late_s_of(socket.scope))
    except TimeoutError as error:
        raise _RefusedError(CloseCode.UNAUTHENTICATED, "closed-silent") from error
    if not isinstance(hello, LobbyHello):
        raise _RefusedError(CloseCode.UNAUTHENTICATED, "closed-unexpected")
    try:
        return state.tokens.read_ticket(hello.token), hello
    except TokenError as error:
        raise _RefusedError(CloseCode.UNAUTHENTICATED, "closed-token") from error


async def _wait(
    socket: WebSocket, state: ApplicationState, ticket_id: str, hello: LobbyHello, say: Texts
) -> None:
    outcome = state.lobby.outcome(ticket_id)
    if outcome is None:
        await _tell(socket, state, await state.lobby.ended(ticket_id), say)
        return
    connection = await state.lobby.connect(ticket_id, hello.tab, hello.take_over)
    if connection is None:
        await _close(socket, _ELSEWHERE, say)
        return
    listening = asyncio.create_task(_listen(socket, state, ticket_id))
    try:
        while not outcome.done():
            if not state.lobby.owns(ticket_id, connection):
                await _close(socket, _ELSEWHERE, say)
                return
            status = state.lobby.status(ticket_id, say)
            if status is not None:
                await _send(socket, status)
            news: set[asyncio.Future[Any]] = {outcome, listening}
            await asyncio.wait(news, timeout=STATUS_S, return_when=asyncio.FIRST_COMPLETED)
            if listening.done() and not outcome.done():
                listening.result()
                return
        await _tell(socket, state, outcome.result(), say)
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await state.lobby.disconnect(ticket_id, connection)


async def _listen(socket: WebSocket, state: ApplicationState, ticket_id: str) -> None:
    """Listen until the browser leaves.

    Raises WebSocketDisconnect then, _RefusedError for nonsense.
    """
    for _ in range(MOST_MESSAGES):
        match await _receive(socket):
            case LobbyCancel():
                await state.lobby.cancel(ticket_id)
            case LobbyReady():
                await state.lobby.confirm(ticket_id)
    raise _RefusedError(CloseCode.OVER_LIMIT, "closed-too-much")


async def _receive(socket: WebSocket) -> LobbyClientMessage:
    frame = await socket.receive()
    if frame["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(frame.get("code", 1005))
    text = frame.get("text")
    if text is None:
        raise _RefusedError(CloseCode.MALFORMED, "closed-unexpected")
    if len(text) > LONGEST_MESSAGE:
        raise _RefusedError(CloseCode.OVER_LIMIT, "closed-too-much")
    try:
        return decode_lobby_message(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        if _is_of_old_page(text):
            raise _OldPageError from error
        raise _RefusedError(CloseCode.MALFORMED, "closed-unexpected") from error


def _is_of_old_page(text: str) -> bool:
    """Tell whether a text is a message of the releases that sent JSON objects."""
    try:
        return isinstance(msgspec.json.decode(text, type=dict[str, Any]).get("type"), str)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


async def _tell(socket: WebSocket, state: ApplicationState, outcome: Outcome, say: Texts) -> None:
    match outcome:
        case Matched(session_id):
            # Its page is there, and on its way, however long a slow machine takes for that.
            state.sessions.pages.expect(session_id, state.settings.loading_timeout_s)
            await _send(socket, LobbyMatched(f"/play/{session_id}"))
            await socket.close(1000)
        case Closed(CloseCode.GOING_AWAY):
            # The stay goes on in the next process, and the page comes back to it by itself.
            await socket.close(outcome.code)
        case Closed():
            await _close(socket, outcome, say)


async def _close(socket: WebSocket, closed: Closed, say: Texts) -> None:
    # The reason of a close holds 123 bytes; the message has said it.
    await _send(socket, LobbyClosed(closed.code, say(closed.message)))
    await socket.close(closed.code)


async def _send(socket: WebSocket, message: LobbyServerMessage) -> None:
    await socket.send_text(encode_lobby_message(message))
