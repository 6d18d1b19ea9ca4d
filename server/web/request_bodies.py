"""Bodies of requests: whole and small before anybody looks at them."""

from __future__ import annotations

import asyncio
from collections import Counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.web.addresses import address_group
from server.web.connection_limits import PATIENCE_S
from server.web.forms import is_form
from server.web.refusal_pages import NO_FORM, TOO_LARGE, TOO_MANY, TOO_SLOW, RefusalPage

LARGEST_BODY = 64 * 1024
BODY_S = 15.0
"""Seconds in which a whole body has to come."""
MOST_UNFINISHED = 1024 * 1024
"""Bytes of bodies from one address whose ends have not come: sixty of the largest forms."""
MOST_UNFINISHED_OF_ALL = 16 * 1024 * 1024
"""The same of everybody together: a stranger may have many addresses."""
SMALL_BODY = 2 * 1024
"""Bytes up to which a body is waited for whatever others send: forms of pages are smaller, and
browsers may send them in two pieces."""
MOST_AT_ONCE = 64
"""Bodies from one address whose ends have not come: on most lines that takes a moment."""
LINGER_S = 1.0
"""Seconds for which more of a refused body is read, so that its sender comes to read the answer."""
LINGER_BYTES = 1024 * 1024
_NO_BODY = b"0"


class RequestBodies:
    """ASGI middleware that hands on requests with their whole body, or refuses them.

    Nothing is parsed or written anywhere until all is there and small enough.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._unfinished: Counter[str] = Counter()
        """Bytes of bodies that have not come whole, by address."""
        self._unfinished_of_all = 0
        self._coming: dict[str, dict[asyncio.Timeout, float]] = {}
        """Deadlines of these bodies and the times at which they began, by address, the oldest
        first."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (length := _announced(scope)):
            await self._app(scope, receive, send)
            return
        kinds = [value for name, value in scope["headers"] if name == b"content-type"]
        if not all(is_form(kind.decode("latin-1")) for kind in kinds):
            await _refuse(NO_FORM, receive, send)
            return
        if isinstance(length, int) and length > LARGEST_BODY:
            await _refuse(TOO_LARGE, receive, send)
            return
        group = address_group((scope["client"] or ("",))[0])
        try:
            async with asyncio.timeout(BODY_S) as deadline:
                body = await self._whole(group, receive, deadline)
        except TimeoutError:
            body = TOO_SLOW
        if isinstance(body, RefusalPage):
            await _refuse(body, receive, send)
            return
        if body is None:
            return
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return messages.pop() if messages else await receive()

        try:
            await self._app(scope, receive_whole, send)
        finally:
            # The request is garbage in a circle, which stays for a while: not with a body that
            # nobody has read.
            messages.clear()

    async def _whole(
        self, group: str, receive: Receive, deadline: asyncio.Timeout
    ) -> bytes | RefusalPage | None:
        """Return the body, why it is refused, or None if its sender has gone."""
        body = bytearray()
        counted = 0
        try:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body += message.get("body", b"")
                if len(body) > LARGEST_BODY:
                    return TOO_LARGE
                if not message.get("more_body", False):
                    return bytes(body)
                if not self._has_room(group, deadline):
                    return TOO_MANY
                self._unfinished[group] += len(body) - counted
                self._unfinished_of_all += len(body) - counted
                counted = len(body)
                if self._unfinished[group] > MOST_UNFINISHED or (
                    self._unfinished_of_all > MOST_UNFINISHED_OF_ALL and len(body) > SMALL_BODY
                ):
                    return TOO_MANY
        finally:
            self._unfinished_of_all -= counted
            self._unfinished[group] -= counted
            if not self._unfinished[group]:
                del self._unfinished[group]
            self._forget(group, deadline)

    def _has_room(self, group: str, deadline: asyncio.Timeout) -> bool:
        """Count a body that has not come whole; tell whether there is room for it.

        The oldest from the same address makes room, but for one that has only just begun.
        """
        coming = self._coming.setdefault(group, {})
        if deadline in coming:
            return True
        now = asyncio.get_running_loop().time()
        if len(coming) >= MOST_AT_ONCE:
            oldest, since = next(iter(coming.items()))
            if now - since < PATIENCE_S:
                return False
            del coming[oldest]
            if not oldest.expired():
                oldest.reschedule(now)
        coming[deadline] = now
        return True

    def _forget(self, group: str, deadline: asyncio.Timeout) -> None:
        coming = self._coming.get(group, {})
        coming.pop(deadline, None)
        if not coming:
            self._coming.pop(group, None)


def _announced(scope: Scope) -> int | bool:
    """Return the length that the headers tell; True if they only tell that there is a body."""
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return True
        if name == b"content-length" and value != _NO_BODY:
            return int(value) if value.isdigit() and len(value) < 16 else True
    return False


async def _refuse(refusal: RefusalPage, receive: Receive, send: Send) -> None:
    """Answer at once, then read on for a moment.

    Whoever sends everything before reading would otherwise find the connection reset instead of
    the answer.
    """
    headers = refusal.headers()
    await send({"type": "http.response.start", "status": refusal.status.value, "headers": headers})
    await send({"type": "http.response.body", "body": refusal.body, "more_body": True})
    left = LINGER_BYTES
    try:
        async with asyncio.timeout(LINGER_S):
            while left > 0:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    break
                left -= len(message.get("body", b""))
    except TimeoutError:
        # It has had its time: the connection is closed with what it still sends.
        left = 0
    await send({"type": "http.response.body", "body": b"", "more_body": False})
