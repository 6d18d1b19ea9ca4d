"""Connection of a remote policy from its hello to its end, whatever carries it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from server.robots.remote.messages import VERSION, Decided, Hello, ToPolicy, read, write
from server.robots.remote.switchboard import Switchboard
from server.wire.close_codes import CloseCode

HELLO_WAIT_S = 10.0
MOST_UNSENT = 256
"""Messages that wait for a policy that does not read, until it is sent away."""


class PolicyTokenError(Exception):
    """A policy's token is forged, too old or of another kind; the text is fit for the reason."""


class LineClosedError(Exception):
    """The other end is gone."""


class Line(Protocol):
    """A websocket of any server."""

    async def receive(self) -> str | bytes:
        """Return the next message. Raises LineClosedError."""
        ...

    async def send(self, text: str) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...

    def unanswered_s(self) -> float:
        """Return for how many seconds the other end has not answered a ping."""
        ...


class _Refusal(Exception):  # noqa: N818 — an outcome, not an error
    def __init__(self, code: CloseCode, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def serve(
    line: Line,
    switchboard: Switchboard,
    name_of: Callable[[str], str],
    on_hello: Callable[[], None] = lambda: None,
) -> None:
    """Serve a policy until either side ends it; the line is closed then.

    ``name_of`` reads a token and raises PolicyTokenError; ``on_hello`` is called when it was good.
    """
    try:
        try:
            name = await _greet(line, name_of)
            on_hello()
            await _relay(line, switchboard, name)
        except _Refusal as refusal:
            await line.close(refusal.code, refusal.reason.encode()[:123].decode(errors="ignore"))
    except LineClosedError:
        # It has gone of its own accord: what it had not answered fails in `Switchboard.leave`.
        return


async def _greet(line: Line, name_of: Callable[[str], str]) -> str:
    try:
        async with asyncio.timeout(HELLO_WAIT_S):
            hello = read(await line.receive())
    except TimeoutError as error:
        raise _Refusal(CloseCode.UNAUTHENTICATED, "no hello came") from error
    except ValueError as error:
        raise _Refusal(CloseCode.MALFORMED, str(error)) from error
    if not isinstance(hello, Hello):
        raise _Refusal(CloseCode.UNAUTHENTICATED, "the first message must be a hello")
    if hello.version != VERSION:
        raise _Refusal(CloseCode.VERSION, f"expected version {VERSION}, got {hello.version}")
    try:
        return name_of(hello.token)
    except PolicyTokenError as error:
        raise _Refusal(CloseCode.UNAUTHENTICATED, str(error)) from error


async def _relay(line: Line, switchboard: Switchboard, name: str) -> None:
    unsent: asyncio.Queue[ToPolicy | _Refusal] = asyncio.Queue()

    def tell(message: ToPolicy) -> None:
        if unsent.qsize() < MOST_UNSENT:
            unsent.put_nowait(message)
        elif unsent.qsize() == MOST_UNSENT:
            unsent.put_nowait(_Refusal(CloseCode.TRY_AGAIN, "you do not read what you are sent"))

    def displace() -> None:
        unsent.put_nowait(_Refusal(CloseCode.OTHER_TAB, f"another {name} has connected"))

    policy = switchboard.join(name, tell, displace, line.unanswered_s)

    async def hear() -> None:
        while True:
            try:
                message = read(await line.receive())
            except ValueError as error:
                raise _Refusal(CloseCode.MALFORMED, str(error)) from error
            if not isinstance(message, Decided):
                raise _Refusal(CloseCode.MALFORMED, "you have said hello already")
            policy.take(message)

    async def speak() -> None:
        while True:
            message = await unsent.get()
            if isinstance(message, _Refusal):
                raise message
            await line.send(write(message))

    tasks = [asyncio.create_task(hear()), asyncio.create_task(speak())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()
    finally:
        switchboard.leave(policy)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
