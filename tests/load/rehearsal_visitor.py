"""Scripted visitor of a recruiting day: a browser's requests and sockets, over a real network.

Where the server does not answer, a visitor loads the page again, as a person does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from matchmaking.study.endings import Ending
from server.wire.messages import FinishInput
from tests.load.protocol_client import ProtocolClient
from tests.load.rehearsal_studies import PAIR, PAY, VISIT_LIMIT_S
from tests.patience import PATIENCE_S
from tests.server.web.doubles import boot_of
from tests.server.web.participants.visitors import AGREES

AGAIN_S = 0.3
"""Time (s) until somebody loads a page again that did not come."""
THE_END, STOP = "/visit/the-end", "/visit/stop-here"
SAFE_S = 1.5
"""Time (s) after which what happened in a session outlives every process."""
_FORM = re.compile(r'<form method="post" action="([^"]+)"(.*?)</form>', re.S)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_OWED = re.compile(r'data-testid="owed">You will be paid ([\d.]+) \w+\.')


class Span(NamedTuple):
    """Times (s, monotonic) between which something happened at the server.

    Pay is reckoned from the server's times, on a clock that is thirty times as fast: one second by
    which a bound is off is 7.5 pence at nine pounds an hour. So a bound is a time of which an
    answer proves something, and never a guess. A step is no earlier than the request whose answer
    showed the visit before it, and no later than the first answer that shows it behind it. An
    answer that was lost, as the web process died of its request, proves nothing: the step may be
    stored.
    """

    earliest: float
    latest: float


class Script(NamedTuple):
    """Behaviour of one visitor, with the ending that comes of it."""

    study: str
    ending: Ending
    fields: Mapping[str, Mapping[str, str]] = {}
    """Answers of theirs, by page, that are not everybody's."""
    stops_at: str = ""
    """Page on which they withdraw."""
    stays: bool = False
    """Whether they never say that the task is done."""
    goes_at: str = ""
    """Page on which they go away, until the day is over."""


ONES_OWN = {"decision": "refuse"}
ANSWERS: Mapping[str, Mapping[str, str]] = {
    "consent": AGREES,
    "eligibility": {"q.age": "30"},
    "lobby": {},
    "survey": {"q.fluent": "5"},
    "debrief": {},
}


def filled(page: str, fields: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the address of a page's form, and its fields with those that are filled in."""
    found = _FORM.search(page)
    assert found, f"no form on\n{page}"
    return found[1], {**dict(_HIDDEN.findall(found[2])), **fields}


class Home:
    """Home of one session, and what its people do there; the first who plays there decides."""

    def __init__(self, rng: random.Random) -> None:
        self.leaves = rng.random() < 0.4
        """Whether the second of a pair withdraws in the middle."""
        self.undoes = self.leaves or rng.random() < 0.5
        """Whether the task is not done at the end."""
        self.people: list[Visitor] = []


class Visitor:
    """Visitor who goes from the link to the end by a script."""

    def __init__(
        self,
        url: str,
        number: int,
        script: Script,
        homes: Callable[[str], Home],
        handle: str,
        rng: random.Random,
    ) -> None:
        self.number, self.id, self.script = number, f"{number:024x}", script
        self.ending = script.ending
        self._homes, self._handle, self._rng = homes, handle, rng
        self._url, self._client = (
            url,
            httpx.AsyncClient(
                base_url=url, trust_env=False, timeout=PATIENCE_S, follow_redirects=True
            ),
        )
        self.page = ""
        self.path = ""
        self.faults: list[str] = []
        """Pages that say that we are to blame, and what else must not be."""
        self.again = 0
        """Number of times that something did not answer."""
        self.arrived = self.ended = self.joined = self.left = Span(0, 0)
        self.successes = 0
        self.is_playing = self.is_in_task = False
        self.snapshots = 0
        """Number of snapshots of all their sockets so far."""
        self._seen_at = 0.0
        """Time (s, monotonic) when the visit still stood where it was last seen to."""

    async def close(self) -> None:
        await self._client.aclose()

    # The way

    async def take_part(self) -> None:
        """Come by the link, and go on until the end or until the script goes away."""
        await self.arrive()
        while self.path != THE_END:
            page = self.path.split("/")[1 if self.path.startswith("/lobby/") else -1]
            if self.path.startswith("/play/"):
                await self._play()
            elif page == self.script.goes_at:
                return
            elif page == self.script.stops_at:
                await self.withdraw()
            elif self.path.startswith("/lobby/"):
                await self._wait()
            elif self.path.startswith("/report/"):
                # The task was over between the address of its page and the page.
                await self._wait_a_moment()
            else:
                await self._answer(page)
            await self.look()

    async def arrive(self) -> None:
        """Open the link and press its button, until the visit has begun."""
        link = f"/s/{self.script.study}?PROLIFIC_PID={self.id}&STUDY_ID=1&SESSION_ID=2"
        while not self.path.startswith("/visit/"):
            await self._get(link)
            if self.path.startswith("/s/"):
                await self._send({})

    async def look(self) -> None:
        """Load the page at which the visit stands."""
        await self._get("/visit")

    async def _answer(self, page: str) -> None:
        fields = self.script.fields.get(page, ANSWERS.get(page))
        assert fields is not None, f"nobody has a script for {self.path}:\n{self.page}"
        await asyncio.sleep(self._rng.uniform(0.1, 0.6))
        await self._send(fields)

    async def withdraw(self) -> None:
        """Stop taking part."""
        while self.path != THE_END:
            await self._get(STOP)
            if self.path == STOP:
                await self._send({})

    async def _wait(self) -> None:
        """Wait in the lobby, with its page open, until it says that it is over."""
        boot = boot_of(self.page)
        with contextlib.suppress(OSError, WebSocketException):
            async with connect(
                self._url.replace("http", "ws") + "/ws/lobby",
                origin=Origin(self._url),
                proxy=None,
            ) as socket:
                await socket.send(json.dumps(["hello", boot["token"], "tab-1"]))
                async for message in socket:
                    if json.loads(message)[0] != "status":
                        return
                    # It may have been on its way for long; an answer to a request has not.
                    await self._see_that_it_waits()
        await self._wait_a_moment()

    async def _see_that_it_waits(self) -> None:
        """Ask for the page of the lobby once more, to know until when they have waited at least."""
        asked_at = time.monotonic()
        with contextlib.suppress(httpx.TransportError):
            answer = await self._client.get(self.path)
            if answer.is_success and answer.url.path == self.path:
                self._seen_at = asked_at

    # Play

    async def _play(self) -> None:
        """Play until the task is over or the script withdraws."""
        session_id = self.path.removeprefix("/play/")
        home = self._homes(session_id)
        if self not in home.people:
            home.people.append(self)
        leaves, is_left = self.script.stops_at == "play", False
        if self.script.study == PAIR and home.leaves:
            leaves = home.people.index(self) == 1
            is_left = not leaves
            self.ending = Ending.WITHDREW if leaves else Ending.PARTNER_LEFT
        self.successes = int(not home.undoes)
        boot = boot_of(self.page)
        address = self._url.replace("http", "ws") + "/ws/play"
        client = ProtocolClient(address, self._url, boot["token"])
        self.is_playing = True
        try:
            async with client:
                await client.until_playing()
                if leaves:
                    await self._undo(client)
                    await self.withdraw()
                else:
                    await self._do_task(client, home, is_left=is_left)
        except (OSError, WebSocketException, TimeoutError):
            # ConnectionError is what a socket says that was closed.
            self.again += 1
            await self._wait_a_moment()
        finally:
            self.is_playing = self.is_in_task = False

    async def _do_task(self, client: ProtocolClient, home: Home, *, is_left: bool) -> None:
        await asyncio.sleep(self._rng.uniform(1, 4))
        self.is_in_task = True
        stays = is_left or self.script.stays
        while not client.over:
            if home.undoes:
                await self._undo(client)
            if not stays and not client.model.seats[client.me][1]:
                await client.send(FinishInput())
            with contextlib.suppress(TimeoutError):
                await client.until(lambda: client.over, 0.5)
            self.snapshots = client.snapshots

    async def _undo(self, client: ProtocolClient) -> None:
        """Have the thing in a hand for so long that no death of a process takes it back."""
        held_s = 0.0
        while held_s < SAFE_S and not client.over:
            thing = client.model.index(self._handle)
            held_s = held_s + AGAIN_S if client.model.things[thing].holder >= 0 else 0.0
            if not held_s:
                # Only the one beside it can; the other is told that it is out of reach.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SAFE_S):
                        await client.act("pick", thing)
            await asyncio.sleep(AGAIN_S)

    # Requests

    async def _get(self, path: str) -> None:
        while not await self._request(lambda: self._client.get(path)):
            await self._wait_a_moment()

    async def _send(self, fields: Mapping[str, str]) -> None:
        """Send the page's form; where no answer comes, the next look shows what became of it."""
        action, data = filled(self.page, fields)
        headers = {"origin": self._url}
        await self._request(lambda: self._client.post(action, data=data, headers=headers))

    async def _request(self, ask: Callable[[], Awaitable[httpx.Response]]) -> bool:
        """Show what the server answers; False where that is nothing that one can go on with."""
        asked_at = time.monotonic()
        try:
            answer = await ask()
        except httpx.TransportError:
            self.again += 1
            return False
        if answer.status_code >= 400:
            self.again += 1
            if answer.status_code not in (409, 503):
                self.faults.append(f"{answer.request.url} answers {answer.status_code}")
            return False
        before, self.page, self.path = self.path, answer.text, answer.url.path
        self._take_times(before, asked_at)
        return True

    def _take_times(self, before: str, asked_at: float) -> None:
        """Note between which times a step of the visit was taken that shows now."""
        step = Span(self._seen_at, time.monotonic())
        if self.path.startswith("/visit/") and not self.arrived.latest:
            self.arrived = step
        if _waits(self.path) and not self.joined.latest:
            self.joined = step
        elif _waits(before) and not _waits(self.path) and self.path != STOP:
            self.left = step
        if self.path == THE_END and not self.ended.latest:
            self.ended = step
            if self.joined.latest and not self.left.latest:
                self.left = step
        if _shows_where(self.path) or not self._seen_at:
            self._seen_at = asked_at

    async def _wait_a_moment(self) -> None:
        await asyncio.sleep(self._rng.uniform(0.5, 1.5) * AGAIN_S)

    # What they were told at the end

    @property
    def told_ending(self) -> str:
        found = re.search(r'data-ending="(\w+)"', self.page)
        return found[1] if found else f"nothing, at {self.path}"

    @property
    def told_owed(self) -> int:
        found = _OWED.search(self.page)
        return round(100 * float(found[1])) if found else 0

    @property
    def told_code(self) -> str:
        found = re.search(r'<input id="code" value="([^"]+)"', self.page)
        return found[1] if found else ""

    def account(self) -> str:
        """Return what they know of their visit, in seconds since they came."""
        zero = self.arrived.earliest
        spans = {"arrived": self.arrived, "joined": self.joined, "left": self.left,
                 "ended": self.ended}  # fmt: skip
        times = (f"{n} {s.earliest - zero:.1f}-{s.latest - zero:.1f}" for n, s in spans.items())
        return f"{self.successes} done; {', '.join(times)}"

    def due(self, rate: float) -> tuple[int, int]:
        """Return the least and the most that they must be paid, in minor units."""
        waited = _length(self.joined, self.left) if self.joined.latest else (0.0, 0.0)
        spent = _length(self.arrived, self.ended)
        match self.ending:
            case Ending.NO_CONSENT:
                return 0, 0
            case Ending.COMPLETED | Ending.PARTNER_LEFT:
                fixed = PAY.base + PAY.bonus_per_success * self.successes
                return fixed + _paid(rate * waited[0]), fixed + _paid(rate * waited[1])
            case Ending.TIMED_OUT:
                spent = (max(spent[0], VISIT_LIMIT_S / rate), spent[1])
                return _paid(rate * spent[0]), _paid(rate * spent[1]) + 1
            case _:
                # Time and waiting are rounded up, each for itself.
                return _paid(rate * spent[0]), _paid(rate * spent[1]) + 1


def _shows_where(path: str) -> bool:
    """Tell whether a page is that at which the visit stands.

    The first page and the one to withdraw are shown to whoever asks, also when their form has
    done its work and only its answer was lost.
    """
    return not path.startswith("/s/") and path != STOP


def _waits(path: str) -> bool:
    return path.startswith("/lobby/") or path == "/visit/lobby"


def _length(begun: Span, ended: Span) -> tuple[float, float]:
    return max(0.0, ended.earliest - begun.latest), ended.latest - begun.earliest


def _paid(seconds: float) -> int:
    return -int(-seconds * PAY.hourly // 3600)
