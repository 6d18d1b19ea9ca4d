"""The hop from a process that plays sessions to the one that policies are connected to.

A Unix socket; for each question a connection with a line of JSON each way. Nothing is kept open
between them, so that an event loop that runs only while a policy decides (an unpaced run's) is
enough.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path

import msgspec

from server.robots.models.request import DeadlineError, GarbageError, ModelError
from server.robots.remote.messages import Decided
from server.robots.remote.switchboard import PolicyAwayError, Switchboard

LONGEST_LINE_BYTES = 8 * 1024 * 1024
_TELL_S = 1.0


class _Ask(msgspec.Struct, frozen=True, tag="ask"):
    name: str
    game: str
    seat: str
    seed: int
    view: msgspec.Raw


class _Over(msgspec.Struct, frozen=True, tag="over"):
    name: str
    game: str
    seat: str


class _Answer(msgspec.Struct, frozen=True, tag="answer"):
    decision: Decided


class _Problem(msgspec.Struct, frozen=True, tag="problem"):
    kind: str
    text: str


_KINDS: dict[str, type[ModelError]] = {
    "away": PolicyAwayError,
    "late": DeadlineError,
    "garbage": GarbageError,
}
_asks: msgspec.json.Decoder[_Ask | _Over] = msgspec.json.Decoder(_Ask | _Over)
_answers: msgspec.json.Decoder[_Answer | _Problem] = msgspec.json.Decoder(_Answer | _Problem)


def path_in(folder: Path) -> Path:
    """Return where in a folder the socket is."""
    return folder / "policies.sock"


async def listen(path: Path, switchboard: Switchboard) -> asyncio.Server:
    """Serve the switchboard to the processes that can reach ``path``."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _serve(reader, writer, switchboard)
        except (OSError, asyncio.IncompleteReadError):
            # Whoever asked has gone: a run that was stopped, a worker that was killed.
            return
        finally:
            writer.close()

    return await asyncio.start_unix_server(serve, path, limit=LONGEST_LINE_BYTES)


async def _serve(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, switchboard: Switchboard
) -> None:
    message = _asks.decode(await reader.readuntil(b"\n"))
    if isinstance(message, _Over):
        switchboard.over(message.name, message.game, message.seat)
        return
    asking = asyncio.ensure_future(
        switchboard.ask(message.name, message.game, message.seat, message.seed, bytes(message.view))
    )
    # Nothing more comes: what ends first is the answer, or whoever asked hangs up.
    gone = asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait((asking, gone), return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            return
        reply: _Answer | _Problem
        try:
            reply = _Answer(asking.result())
        except ModelError as error:
            kind = next(kind for kind, of in _KINDS.items() if isinstance(error, of))
            reply = _Problem(kind, str(error))
        writer.write(msgspec.json.encode(reply) + b"\n")
        await writer.drain()
    finally:
        for task in (asking, gone):
            task.cancel()
        await asyncio.gather(asking, gone, return_exceptions=True)


class Hop:
    """The way of one playing process to the switchboard."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def ask(self, name: str, game: str, seat: str, seed: int, view: bytes) -> Decided:
        """Ask a remote policy. Raises ModelError as `Switchboard.ask` does."""
        try:
            reader, writer = await asyncio.open_unix_connection(
                self._path, limit=LONGEST_LINE_BYTES
            )
            try:
                ask = _Ask(name, game, seat, seed, msgspec.Raw(view))
                writer.write(msgspec.json.encode(ask) + b"\n")
                await writer.drain()
                reply = _answers.decode(await reader.readuntil(b"\n"))
            finally:
                writer.close()
        except (OSError, asyncio.IncompleteReadError) as error:
            raise PolicyAwayError("the server of remote policies is gone") from error
        if isinstance(reply, _Problem):
            raise _KINDS[reply.kind](reply.text)
        return reply.decision

    def over(self, name: str, game: str, seat: str) -> None:
        """Tell a remote policy that an episode is over for a seat."""
        # Nobody hears it where the server is gone, and nobody needs to.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_TELL_S)
            line.connect(str(self._path))
            line.sendall(msgspec.json.encode(_Over(name, game, seat)) + b"\n")
