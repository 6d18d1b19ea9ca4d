"""Scripted visitor of a preflight: the pages and sockets of a study, as a browser asks for them."""

from __future__ import annotations

import asyncio
import html
import json
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

import aiohttp

from matchmaking.study import Study
from matchmaking.study.answers import field_of
from matchmaking.study.pages import (
    Consent,
    Device,
    Eligibility,
    Page,
    Permission,
    Quiz,
    Survey,
)
from matchmaking.study.questions import Kind, Question
from server.web.pages import VISIT
from server.web.participants.visit_context import STOP, THE_END
from server.wire.codecs import CODECS
from server.wire.messages import Hello, Snapshot, Welcome

PAGE_S = 20.0
"""Longest time (s) that a page may take."""
SOCKET_S = 45.0
"""Longest wait (s) for a word that has to come through a socket."""
_FORM = re.compile(r'<form method="post" action="([^"]+)"(.*?)</form>', re.S)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_BOOT = re.compile(r'<script type="application/json" id="boot">(.*?)</script>', re.S)
_TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.S)
_TAG = re.compile(r"<[^>]+>")
_CODEC = "json"


class WalkError(Exception):
    """Error for a way that does not go on: where, and what was there instead."""


class Visitor:
    """Visitor with a browser of their own, who reads a study in one language."""

    def __init__(self, url: str, language: str) -> None:
        self._url, self._language = url, language
        self._http = aiohttp.ClientSession(
            # Addresses such as 127.0.0.1 may have cookies, too.
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            timeout=aiohttp.ClientTimeout(PAGE_S),
            trust_env=False,
            headers={"accept-language": language},
        )
        self.page = self.path = ""
        self.status = 0

    async def __aenter__(self) -> Visitor:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.close()

    # Pages

    async def open(self, path: str) -> None:
        """Open an address, and follow where it leads. Raises WalkError for a page of an error."""
        async with self._http.get(self._url + path) as answer:
            await self._read(answer)
        self._check()

    async def send(self, fields: Mapping[str, str]) -> None:
        """Send the page's form with these fields. Raises WalkError."""
        found = _FORM.search(self.page)
        if found is None:
            raise WalkError(f"{self.path} has no form to go on by")
        hidden = {name: html.unescape(value) for name, value in _HIDDEN.findall(found[2])}
        data = {**hidden, **fields}
        headers = {"origin": self._url}
        async with self._http.post(self._url + found[1], data=data, headers=headers) as answer:
            await self._read(answer)
        self._check()

    async def _read(self, answer: aiohttp.ClientResponse) -> None:
        self.status, self.path = answer.status, answer.url.path
        self.page = await answer.text()

    def _check(self) -> None:
        if self.status >= 400:
            found = _TITLE.search(self.page)
            said = html.unescape(_TAG.sub("", found[1])).strip() if found else ""
            raise WalkError(f"{self.path} answers {self.status}: {said or 'nothing to read'}")

    def words(self) -> set[str]:
        """Return the words that the page shows."""
        return set(re.findall(r"\w+", html.unescape(_TAG.sub(" ", self.page)).lower()))

    # The way

    async def begin(self, name: str) -> None:
        """Open the link of a study, and press its button. Raises WalkError."""
        await self.open(f"/s/{name}?lang={self._language}")
        await self.send({})

    async def to(self, study: Study, kind: type[Page] | None) -> None:
        """Go through pages as far as one of a kind; None: as far as the lobby's waiting page."""
        for _ in range(2 * len(study.pages)):
            page = self._standing(study)
            if page is None or (kind is not None and isinstance(page, kind)):
                return
            before = self.path
            await self.send(await self._answers(page))
            if self.path == before:
                raise WalkError(f"{self.path} does not lead on, though all that it asks was filled")
        raise WalkError(f"{self.path} leads in a circle")

    def _standing(self, study: Study) -> Page | None:
        """Return the page of the study at which the visit stands; None: it waits or plays."""
        if self.path.startswith(("/lobby/", "/play/")):
            return None
        name = self.path.removeprefix(f"{VISIT}/")
        for page in study.pages:
            if page.name == name:
                return page
        raise WalkError(f"the way leads to {self.path}, which is none of the study's pages")

    async def _answers(self, page: Page) -> dict[str, str]:
        match page:
            case Device():
                return await self._measured(page)
            case Consent(asks=asks):
                apart = (ask for ask in asks if ask is not Permission.RESEARCH)
                return {"decision": "agree", **{f"permit.{ask}": "no" for ask in apart}}
            case Eligibility():
                oldest = page.most_age or 120
                age = str(min(max(page.least_age, 30), oldest))
                return {"q.age": age, **_right(page.questions)}
            case Quiz() | Survey():
                return _right(page.questions)
            case _:
                return {}

    async def _measured(self, page: Device) -> dict[str, str]:
        """Return what a good browser measures; the round trips are true."""
        trips = []
        for _ in range(page.samples):
            begun = time.monotonic()
            async with self._http.get(f"{self._url}/visit-ping") as answer:
                await answer.read()
            trips.append(f"{1000 * (time.monotonic() - begun):.1f}")
        return {
            "width": str(max(page.least_width, 1280)),
            "height": str(max(page.least_height, 720)),
            "fps": f"{max(page.least_fps, 60):g}",
            "rtt_ms": ",".join(trips),
            "inputs": ",".join(page.inputs),
        }

    async def wait(self) -> None:
        """Wait in the lobby until a group is there. Raises WalkError."""
        if self.path.startswith("/play/"):
            return
        boot = self._boot()
        hello = json.dumps(["hello", boot["token"], secrets.token_hex(8)])
        is_asked = False
        async with (
            asyncio.timeout(SOCKET_S),
            self._http.ws_connect(f"{self._url}/ws/lobby", origin=self._url) as socket,
        ):
            await socket.send_str(hello)
            async for message in socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                said = message.json()
                if said[0] == "matched":
                    await self.open(said[1])
                    return
                if said[0] == "closed":
                    raise WalkError(f"the lobby sent somebody away: {said[2]}")
                if said[0] == "status" and len(said) > 8 and said[8] > 0 and not is_asked:
                    is_asked = True
                    await socket.send_str(json.dumps(["ready"]))
        raise WalkError("the lobby's socket closed before a group was there")

    async def greet(self) -> None:
        """Say hello in the session, and hear of the house. Raises WalkError."""
        if not self.path.startswith("/play/"):
            raise WalkError(f"the page to play is not there, but {self.path}")
        codec, boot = CODECS[_CODEC], self._boot()
        hello = Hello(boot["token"], secrets.token_hex(8), "preflight", False)
        heard: set[type] = set()
        async with (
            asyncio.timeout(SOCKET_S),
            self._http.ws_connect(
                f"{self._url}/ws/play",
                origin=self._url,
                protocols=[f"cohabit.1.{_CODEC}"],
                max_msg_size=0,
            ) as socket,
        ):
            await socket.send_str(codec.encode(hello).decode())
            async for message in socket:
                if message.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                    break
                # The house comes deflated, whatever the codec.
                heard.add(type(codec.decode_server(message.data)))
                if {Welcome, Snapshot} <= heard:
                    return
            code = socket.close_code
        raise WalkError(f"the session's socket closed with {code} before it said anything")

    async def leave(self) -> None:
        """Stop taking part, and have all answers erased. Raises WalkError."""
        await self.open(f"{VISIT}/{STOP}")
        if self.path == f"{VISIT}/{STOP}":
            await self.send({"erase": "yes"})
        if self.path != f"{VISIT}/{THE_END}":
            raise WalkError(f"who stops taking part is led to {self.path}")

    def _boot(self) -> dict[str, str]:
        found = _BOOT.search(self.page)
        if found is None:
            raise WalkError(f"{self.path} is no page that opens a socket")
        boot: dict[str, str] = json.loads(found[1])
        return boot


def _right(questions: Sequence[Question]) -> dict[str, str]:
    """Return right answers to questions, or any that they take."""
    fields: dict[str, str] = {}
    for question in questions:
        least = question.least or 0
        match question.kind:
            case Kind.CHOICE:
                fields[field_of(question)] = (*question.accepted, question.options[0].value)[0]
            case Kind.SEVERAL:
                values = question.accepted or tuple(o.value for o in question.options)
                chosen = values if question.accepted else values[: max(1, int(least))]
                fields |= {field_of(question, value): "yes" for value in chosen}
            case Kind.SCALE | Kind.NUMBER:
                fields[field_of(question)] = (*question.accepted, f"{least:g}")[0]
            case Kind.WORDS:
                fields[field_of(question)] = (*question.accepted, "x")[0]
    return fields
