"""Recruiting day on a virtual clock: scripted visitors, and a server that dies again and again.

A process cannot die within this one without its connections holding on to their locks, so its death
is a copy of the database right after a commit, on which the next process goes on. Nobody gets the
answer of the process that died, nor its cookies; each loads the page again.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
from msgspec.structs import replace

from matchmaking.limits import Limits
from matchmaking.study import Study
from matchmaking.study.conduct import Departures, Pauses
from matchmaking.study.endings import Ending
from matchmaking.study.pages import Debrief, Eligibility, Lobby, Play, Survey
from matchmaking.study.pay import Pay
from matchmaking.study.recruiter import Recruiter
from tests.matchmaking.study.made_studies import scale
from tests.patience import PATIENCE_S
from tests.server.web.conftest import RunningSite
from tests.server.web.doubles import ORIGIN, make_settings, proposition, verdict
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    CONSENT,
    PAIR,
    WITH_ROBOT,
    Visitor,
    short_study,
)

PAY = Pay(base=600, hourly=900, bonus_per_success=50, cap=10_000_000)
DAY_S = 86_400.0
UNDONE = verdict(proposition(0, satisfied=False, satisfied_tick=None))
ONES_OWN = {"decision": "refuse"}


def studies() -> tuple[Study, Study, Study]:
    """Return a study with a robot, one for pairs, and one in which nobody else comes in time."""
    # Ten hours, so that no ceiling is reached; the base is less, and the consent says so.
    sentence = "The base is less than ten hours earn."
    pages = (
        replace(CONSENT, text={"en": sentence}, on_pay={"en": sentence}),
        Eligibility(least_age=18),
        Lobby(),
        Play(episodes=1),
        Survey(questions=(scale("fluent"),)),
        Debrief(text={"en": "It was about teams."}),
    )
    shared: dict[str, Any] = {
        "pages": pages,
        "pay": PAY,
        "recruiter": Recruiter(kind="prolific", codes=ALL_CODES),
        "minutes": 600,
        # Failures of ours are in the script, and are not to pause it.
        "pauses": Pauses(failures=1000, of_visits=1000),
    }
    many = {"target": 10_000}
    return (
        short_study(name="robot", cells=(replace(WITH_ROBOT, **many),), **shared),
        short_study(
            name="pair",
            cells=(replace(PAIR, **many),),
            departures=Departures(outcome="end"),
            limits=Limits(wait_s=3600.0, grace_s=600.0, arrival_s=600.0, ready_s=0.0),
            **shared,
        ),
        short_study(
            name="alone",
            cells=(replace(PAIR, **many),),
            limits=Limits(wait_s=0.05, grace_s=600.0, arrival_s=600.0, ready_s=0.0),
            **shared,
        ),
    )


class Due(NamedTuple):
    """Ending that a visitor must have, and the pay in minor units."""

    ending: Ending
    owed: int


class Day:
    """Day of recruiting; ``crash_every`` commits of its people the server dies, 0: never.

    Whoever does something again because the server died of it gets one commit further each time, so
    that it dies after each commit of what needs several, and nobody tries for ever.
    """

    def __init__(self, folder: Path, crash_every: int, seed: int) -> None:
        self._folder, self._crash_every = folder, crash_every
        self.rng = Random(seed)
        self.now = 0.0
        self.crashes = 0
        self.commits = 0
        self.people: list[Person] = []
        self.site: RunningSite
        self._stack = AsyncExitStack()
        self._is_armed, self._dies = False, False
        self._survived = self._tries = 0
        self._file = folder / "day-0.db"

    async def start(self) -> None:
        """Start a process on the database as it is."""
        settings = make_settings(
            self._folder,
            database_url=f"sqlite+aiosqlite:///{self._file}",
            exempt_loopback=True,
            # The scripts say how long sessions take.
            abandoned_s=DAY_S,
            time_limit_s=DAY_S,
            between_tasks_s=DAY_S,
        )
        self.site = _Site(self, settings)
        database = self.site.state.database
        dialect: Any = database.engine.sync_engine.dialect
        done = dialect.do_commit

        def commit(*args: Any) -> None:
            done(*args)
            self._after_commit()

        dialect.do_commit = commit
        await self._stack.enter_async_context(self.site.running())
        self._reader = sqlite3.connect(self._file)
        self._version = self._reader.execute("PRAGMA data_version").fetchone()

    async def stop(self) -> None:
        self._reader.close()
        await self._stack.aclose()

    def _after_commit(self) -> None:
        version = self._reader.execute("PRAGMA data_version").fetchone() if self._is_armed else None
        if version is None or version == self._version:
            # A transaction that only read.
            return
        self._version = version
        self.commits += 1
        self._survived += 1
        if self._dies or not self._crash_every or self.commits % self._crash_every:
            return
        if self._survived <= self._tries:
            return
        self._dies = True
        self._file = self._folder / f"day-{self.crashes + 1}.db"
        with closing(sqlite3.connect(self._file)) as copy:
            self._reader.backup(copy)

    async def act(self, who: Person, step: Callable[[], Awaitable[object]]) -> bool:
        """Do something as somebody; False if the server died of it and a new one runs."""
        cookies = {c.name: c.value or "" for c in who.browser.client.cookies.jar}
        self._is_armed, self._survived, self._tries = True, 0, who.tries
        try:
            await step()
        except Exception:
            if not self._dies:
                raise
        finally:
            self._is_armed = False
        if not self._dies:
            return True
        who.tries += 1
        old = self._stack
        self._reader.close()
        self._stack, self._dies = AsyncExitStack(), False
        self.crashes += 1
        # What it still does reaches nobody.
        await old.aclose()
        await self.start()
        for person in self.people:
            kept = {c.name: c.value or "" for c in person.browser.client.cookies.jar}
            person.move_in(cookies if person is who else kept)
        return False

    async def run(self, parties: list[Party], at_once: int = 8) -> None:
        """Have parties go through the day, some of them at once and in no order."""
        waiting, going = list(parties), list[AsyncIterator[None]]()
        while waiting or going:
            while waiting and len(going) < at_once:
                going.append(waiting.pop()(self))
            party = self.rng.choice(going)
            self.now += self.rng.randint(1, 40)
            try:
                await anext(party)
            except StopAsyncIteration:
                going.remove(party)


Party = Callable[[Day], AsyncIterator[None]]


class _Site(RunningSite):
    def __init__(self, day: Day, settings: Any) -> None:
        self._day = day
        super().__init__(settings, studies())

    def clock(self) -> float:
        return self._day.now


class Person(Visitor):
    """Visitor of the day, who loads the page again when the server has died."""

    def __init__(self, day: Day, study: str) -> None:
        super().__init__(day.site)
        self.day, self.study = day, study
        self.id = f"{len(day.people):024x}"
        day.people.append(self)
        self.due: Due | None = None
        self.tries = 0
        """Deaths of the server since they came to where they stand."""
        self._stands = ""
        self.began_s = self.joined_s = self.waited_s = 0.0

    def move_in(self, cookies: dict[str, str]) -> None:
        """Go on with the process that runs now, with the cookies that the browser has."""
        self.site = self.day.site
        self.page = httpx.Response(204, request=httpx.Request("GET", ORIGIN))
        self.browser = self.site.browser()
        self.browser.client.cookies.update(cookies)

    async def arrive(self) -> None:
        """Open the link and press its button, until a visit has begun."""
        self.began_s = self.day.now
        link = f"/s/{self.study}?PROLIFIC_PID={self.id}&STUDY_ID=1&SESSION_ID=2"
        while not self.path.startswith("/visit/"):
            if await self.day.act(self, lambda: self.open(link)) and self.path.startswith("/s/"):
                await self.day.act(self, lambda: self.send({}))

    async def look(self) -> str:
        """Load the page at which the visit stands; return its address."""
        while not await self.day.act(self, lambda: self.open("/visit")):
            continue
        # A stay in the lobby has an address of its own, and is no further page.
        stands = "lobby" if self.path.startswith("/lobby/") else self.path.rpartition("/")[2]
        if stands != self._stands:
            self._stands, self.tries = stands, 0
        return self.path

    async def press(self, page: str, fields: dict[str, str]) -> None:
        """Send a page's form, until the visit is beyond it."""
        while await self.look() == f"/visit/{page}":
            await self.day.act(self, lambda: self.send(fields))

    async def to_the_lobby(self) -> None:
        await self.press("consent", AGREES)
        await self.press("eligibility", {"q.age": "30"})
        self.joined_s = self.day.now

    async def enter(self) -> None:
        """Go through the lobby, until a task plays or the visit is beyond it."""
        await self.press("lobby", {})
        while self.path.startswith("/lobby/"):
            await wait_a_moment(self.day, self)
            await self.press("lobby", {})

    async def finish(self, outcome: Any, reason: str = "finished", **changes: Any) -> None:
        """Have the worker report the end of the task, until it is stored."""
        while (await self.look()).startswith("/play/"):
            session_id = self.path.removeprefix("/play/")
            await self.day.act(
                self,
                lambda s=session_id: self.site.host.finish(s, outcome, reason, **changes),  # type: ignore[misc]
            )

    async def answer(self) -> None:
        """Answer what is asked at the end."""
        await self.press("survey", {"q.fluent": "5"})
        await self.press("debrief", {})
        assert await self.look() == "/visit/the-end", self.path

    async def withdraw(self) -> None:
        """Stop taking part, at whatever page."""
        while await self.look() != "/visit/the-end":
            if await self.day.act(self, lambda: self.open("/visit/stop-here")):
                await self.day.act(self, lambda: self.send({}))

    # What they must get

    def full(self, ending: Ending, successes: int = 0) -> None:
        waiting = _by_the_hour(self.waited_s)
        self.due = Due(ending, PAY.base + PAY.bonus_per_success * successes + waiting)

    def by_time(self, ending: Ending, until_s: float, waited_s: float = 0.0) -> None:
        spent_s = until_s - self.began_s
        self.due = Due(ending, _by_the_hour(spent_s - waited_s) + _by_the_hour(waited_s))


def _by_the_hour(seconds: float) -> int:
    return -(-round(seconds) * PAY.hourly // 3600)


async def wait_a_moment(day: Day, person: Person) -> None:
    """Wait in the lobby with an open page, for a moment."""
    if not person.path.startswith("/lobby/"):
        return
    ticket, lobby = person.path.removeprefix("/lobby/"), day.site.state.lobby

    async def wait() -> None:
        if await lobby.connect(ticket, ticket) is None:
            return
        outcome = lobby.outcome(ticket)
        if outcome is not None:
            # With nobody else here yet it takes until they come.
            await asyncio.wait({outcome}, timeout=0.2)

    await asyncio.wait_for(day.act(person, wait), PATIENCE_S)
