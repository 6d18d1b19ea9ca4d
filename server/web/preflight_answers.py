"""Answer to a preflight that asks whether an address leads to this server, and as whom it is seen.

Only who has the key of tokens can ask: to everybody else there is no such page.
"""

from __future__ import annotations

import os
import socket

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.web.application_state import AppState
from server.web.errors import not_found
from server.web.tokens import TokenError

router = APIRouter(default_response_class=Response)

PATH = "/preflight/"


def process_name(pid: int, host: str) -> str:
    """Return the name of a process as the answer has it."""
    return f"{pid}@{host}"


@router.get(PATH + "{question}")
async def answer(request: Request, state: AppState, question: str) -> Response:
    """Say which process this is, and from where the request seems to come."""
    try:
        nonce = state.tokens.read_preflight(question)
    except TokenError as error:
        raise not_found() from error
    client = request.client
    return JSONResponse(
        {
            "answer": state.tokens.sign_preflight_answer(
                nonce, process_name(os.getpid(), socket.gethostname())
            ),
            "client": client.host if client is not None else "",
            # A proxy that is believed names no port.
            "port": client.port if client is not None else 0,
        }
    )
