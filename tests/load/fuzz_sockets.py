"""Hostile messages over the three websockets of a server: each is taken, or closed as it should be.

A connection sends a few messages and then one that always closes it. So its close code tells what
became of those before, and nothing has to be waited for.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import re
import struct
from collections import Counter
from contextlib import suppress
from typing import Any, NamedTuple

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.web.input_limits import LARGEST_MESSAGE
from server.web.lobby_socket import LONGEST_MESSAGE
from server.wire.close_codes import CloseCode
from server.wire.codecs import CODECS, CodecName, WireError
from server.wire.lobby_messages import LobbyCancel, decode_lobby_message
from server.wire.messages import Hello
from tests.load.fuzz_tally import ANSWER_S, Tally
from tests.load.hostile import absurd, hostile, hostile_lobby
from tests.server.web.doubles import Browser, boot_of

MOST_AT_ONCE = 12
SECOND_HELLO = "you have said hello already"
OVER = {CloseCode.DONE, CloseCode.REFUSED, CloseCode.NO_SESSION, CloseCode.TRY_AGAIN}
"""Codes with which a session ends for a player, whatever was sent."""
_HEADING = re.compile("<h1[^>]*>(.*?)</h1>")
_SESSION = re.compile(r"/play/(ses_\w+)")


class Closed(NamedTuple):
    code: int
    reason: str


class Visitor:
    """A visitor with a cookie, who gets tokens from pages as a browser does."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.ws = url.replace("http", "ws")
        self._client = httpx.AsyncClient(base_url=url, trust_env=False, timeout=ANSWER_S)
        self.browser = Browser(self._client, url)
        self.session = ""

    async def close(self) -> None:
        await self._client.aclose()

    async def seat(self) -> str:
        """Return the token of a seat in a session of the visitor's own.

        Raises AssertionError, with what pages said, where that takes too long.
        """
        said: Counter[str] = Counter()
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                while True:
                    home = await self.browser.get("/")
                    page = _SESSION.search(home.text)
                    if page is None:
                        answer = await self.browser.press("/", "/play/solo")
                        heading = _HEADING.search(answer.text)
                        said[f"{answer.status_code} {heading[1] if heading else ''}"] += 1
                        continue
                    shown = await self.browser.get(page[0])
                    if 'id="boot"' in shown.text:
                        self.session = page[1]
                        return boot_of(shown.text)["token"]
                    said[f"{shown.status_code} of a session"] += 1
                    await self._go_on(shown, page[1])
                    await asyncio.sleep(0.1)
        raise AssertionError(f"no seat within {ANSWER_S} s; pages said {dict(said)}")

    async def _go_on(self, shown: httpx.Response, session: str) -> None:
        """Begin the next task, where an episode is over; or be somebody else, who begins anew."""
        report = shown.headers.get("location", "")
        if report.startswith("/report/"):
            after = re.search(r'name="after" value="(\w+)"', (await self.browser.get(report)).text)
            if after is not None:
                await self.browser.press(report, f"/sessions/{session}/next", after=after[1])
                return
        self._client.cookies.clear()

    async def watch(self, session: str) -> str:
        """Return the token of somebody who watches a session."""
        return boot_of((await self.browser.get(f"/operator/watch/{session}")).text)["token"]

    async def ticket(self) -> str:
        """Return the token of a place in the lobby that nobody else will take."""
        answer = await self.browser.press("/", "/play/invite")
        while answer.status_code == 429:
            # So often does nobody come: somebody else does.
            self._client.cookies.clear()
            answer = await self.browser.press("/", "/play/invite")
        return boot_of((await self.browser.get(answer.headers["location"])).text)["token"]


class SocketFuzz:
    """Hostile messages of one stranger: a visitor who plays, and one who waits."""

    def __init__(self, url: str, tally: Tally, rng: random.Random) -> None:
        # Who plays has no place in the lobby.
        self._visitor, self._waiting = Visitor(url), Visitor(url)
        self._tally, self._rng = tally, rng
        self._seat = self._watch = ""

    async def close(self) -> None:
        await self._visitor.close()
        await self._waiting.close()

    async def session(self, watches: bool) -> None:
        """Send a few messages to a session, before or after the hello, and see how it ends."""
        rng, surface = self._rng, "watch" if watches else "play"
        codec: CodecName = rng.choice(("json", "msgpack"))
        if not self._seat:
            self._seat = await self._visitor.seat()
            self._watch = await self._visitor.watch(self._visitor.session)
        token = self._watch if watches else self._seat
        # What is of the protocol comes first: behind a close nothing is read any more.
        sent = [_of_codec(CODECS[codec].encode(absurd(rng)), codec, rng) for _ in range(_few(rng))]
        if rng.random() < 0.8:
            sent += [_of_codec(hostile(rng, codec), codec, rng) for _ in range(2)]
        greets = rng.random() < 0.8
        hello = CODECS[codec].encode(Hello(token, "fuzz", "fuzz", True))
        end = hello if codec == "msgpack" else hello.decode()
        words = [end, *sent, end] if greets else [*sent, end]
        try:
            async with connect(
                f"{self._visitor.ws}/ws/{surface}",
                origin=self._visitor.url,  # type: ignore[arg-type]
                subprotocols=[f"cohabit.1.{codec}"],  # type: ignore[list-item]
                compression=None, proxy=None, ping_interval=None, max_size=None,
            ) as socket:  # fmt: skip
                closed = await _say(socket, words)
        except InvalidStatus as error:
            self._tally.surprise(surface, f"HTTP {error.response.status_code}", words)
            return
        except TimeoutError:
            self._tally.surprise(surface, "no answer", sent)
            return
        self._judge(surface, codec, sent if greets else [*sent, end], greets, closed)
        if greets and closed.code in OVER:
            self._seat = ""

    def _judge(
        self, surface: str, codec: CodecName, sent: list[Any], greets: bool, closed: Closed
    ) -> None:
        """Count what became of messages, by the close code that their connection got."""
        name = surface if greets else f"{surface}, no hello"
        wrong = next(
            ((n, code) for n, data in enumerate(sent) if (code := _expected(data, codec, greets))),
            None,
        )
        count = self._tally.count
        if closed.code in OVER and greets:
            count(name, f"the session was over: {closed.code}", len(sent))
        elif closed.code in (CloseCode.OVER_LIMIT, 1009):
            count(name, f"closed with {closed.code}", len(sent))
        elif wrong is None:
            if greets and closed == (CloseCode.MALFORMED, SECOND_HELLO):
                count(name, "taken: answered, or ignored by design", len(sent))
            elif not greets and closed.code == CloseCode.UNAUTHENTICATED:
                count(name, "closed with 4401", len(sent))
            else:
                self._tally.surprise(name, f"closed with {closed}", sent)
        elif closed.code in wrong[1]:
            count(name, "taken: answered, or ignored by design", wrong[0])
            count(name, f"closed with {closed.code}", 1)
            count(name, "behind a close: dropped", len(sent) - wrong[0] - 1)
        else:
            self._tally.surprise(name, f"closed with {closed}, expected {wrong[1]}", sent)

    async def lobby(self) -> None:
        """Send a few messages to the lobby's socket, before or after the hello."""
        rng = self._rng
        greets = rng.random() < 0.7
        token = await self._waiting.ticket() if greets else "no token"
        hello = msgspec.json.encode(["hello", token, "fuzz", True]).decode()
        sent = [hostile_lobby(rng) for _ in range(_few(rng))]
        words: list[Any] = [hello, *sent, "the end"] if greets else [*sent, hello]
        try:
            async with connect(
                f"{self._visitor.ws}/ws/lobby", origin=self._visitor.url,  # type: ignore[arg-type]
                compression=None, proxy=None, ping_interval=None, max_size=None,
            ) as socket:  # fmt: skip
                closed = await _say(socket, words)
        except InvalidStatus as error:
            self._tally.surprise("lobby", f"HTTP {error.response.status_code}", words)
            return
        except TimeoutError:
            self._tally.surprise("lobby", "no answer", sent)
            return
        name = "lobby" if greets else "lobby, no hello"
        judged = words[1:] if greets else words[:1]
        codes = _lobby_codes(judged, greets)
        if closed.code in codes | {CloseCode.OVER_LIMIT}:
            self._tally.count(name, f"closed with {closed.code}", len(sent))
        else:
            self._tally.surprise(name, f"closed with {closed}, expected {sorted(codes)}", sent)

    async def frames(self) -> None:
        """Send bytes that are no websocket's to a websocket, and see it closed."""
        rng = self._rng
        path = rng.choice(("/ws/play", "/ws/watch", "/ws/lobby"))
        host = self._visitor.url.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*host.split(":"))
        head = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {self._visitor.url}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            "Sec-WebSocket-Protocol: cohabit.1.json\r\n\r\n"
        )
        data = bad_frame(rng)
        try:
            async with asyncio.timeout(ANSWER_S):
                writer.write(head.encode())
                await reader.readuntil(b"\r\n\r\n")
                writer.write(data)
                writer.write_eof()
                answer = await reader.read()
        except TimeoutError:
            self._tally.surprise("frames", "no answer", data)
        except (ConnectionError, asyncio.IncompleteReadError):
            self._tally.count("frames", "cut off")
        else:
            code = _code_in(answer)
            self._tally.count("frames", f"closed with {code}" if code else "cut off")
        finally:
            writer.close()


def bad_frame(rng: random.Random) -> bytes:
    """Return bytes that no websocket's client sends."""
    payload = rng.randbytes(rng.choice((0, 1, 5, 125)))
    match rng.randrange(7):
        case 0:
            return rng.randbytes(rng.randint(1, 300))
        case 1:  # not masked
            return bytes((0x81, len(payload))) + payload
        case 2:  # reserved bits, unknown kinds
            return bytes((rng.choice((0xC1, 0xF2, 0x83, 0x8B, 0x8F)), 0x80, 0, 0, 0, 0))
        case 3:  # says that it is very large
            return struct.pack("!BBQ", 0x82, 0xFF, rng.choice((2**17, 2**40, 2**63))) + b"mask"
        case 4:  # control frames that are long or in parts
            return rng.choice((b"\x89\xfe\x01\x00", b"\x09\x80\0\0\0\0")) + payload
        case 5:  # goes on with what never began, or begins twice
            return rng.choice((b"\x80\x80\0\0\0\0", b"\x01\x80\0\0\0\0\x01\x80\0\0\0\0"))
        case _:  # a text that is no UTF-8, a close code that there is not
            return rng.choice((b"\x81\x82\0\0\0\0\xff\xfe", b"\x88\x82\0\0\0\0\x03\xe7"))


def _few(rng: random.Random) -> int:
    return rng.randint(1, MOST_AT_ONCE)


def _of_codec(data: bytes, codec: CodecName, rng: random.Random) -> bytes | str:
    """Return bytes as messages of a codec come, and now and then as they do not."""
    if (codec == "json") == (rng.random() < 0.99):
        return data.decode(errors="replace")
    return data


def _expected(data: bytes | str, codec: CodecName, greeted: bool) -> set[int]:
    """Return the codes that may answer a message; empty if the connection goes on."""
    if len(data) > LARGEST_MESSAGE:
        return {CloseCode.OVER_LIMIT} if greeted else {CloseCode.UNAUTHENTICATED}
    try:
        message = CODECS[codec].decode_client(data)
    except WireError:
        return {CloseCode.MALFORMED}
    if greeted:
        return {CloseCode.MALFORMED} if isinstance(message, Hello) else set()
    return {CloseCode.UNAUTHENTICATED}


def _lobby_codes(words: list[Any], greeted: bool) -> set[int]:
    """Return the codes that may end a stay in which these messages come."""
    codes: set[int] = set()
    for data in words:
        if isinstance(data, bytes):
            return codes | {CloseCode.MALFORMED}
        if len(data) > LONGEST_MESSAGE:
            return codes | {CloseCode.OVER_LIMIT}
        try:
            message = decode_lobby_message(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return codes | {CloseCode.VERSION if _is_of_old_page(data) else CloseCode.MALFORMED}
        if not greeted:
            return {CloseCode.UNAUTHENTICATED}
        if isinstance(message, LobbyCancel):
            # What comes behind it may be read before the stay is over.
            codes.add(CloseCode.DONE)
    return codes


def _is_of_old_page(text: str) -> bool:
    """Tell whether a text is an object with a type, as pages once sent, by another reader."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    try:
        message = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and isinstance(message.get("type"), str)


async def _say(socket: ClientConnection, words: list[Any]) -> Closed:
    """Send words and listen to the end; return it."""
    async with asyncio.timeout(ANSWER_S):
        try:
            for word in words:
                await socket.send(word)
            async for _ in socket:
                pass
        except ConnectionClosed:
            """The code is read below."""
        await socket.wait_closed()
    return Closed(socket.close_code or 1006, socket.close_reason or "")


def _code_in(data: bytes) -> int | None:
    """Return the code of the close frame at the end of what came; None if there is none."""
    for at in range(len(data) - 4, -1, -1):
        if data[at] == 0x88 and data[at + 1] == len(data) - at - 2:
            return int.from_bytes(data[at + 2 : at + 4])
    return None
