"""A person at a browser: what they press, and what they can read.

What a person sees is asked of the page through ``data-testid``. Where a person would steer with
eyes and hands, `window.cohabit` of the play page helps: its ``state()`` is the page's own copy of
the world, and its other functions do what mouse and keys do.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from playwright.async_api import ConsoleMessage, Locator, Page, expect
from playwright.async_api import Error as PlaywrightError

from episodes.bodies import SeatKind
from tests.e2e.guide import Guide, Waypoint
from tests.patience import LOADING_S, PATIENCE_S


class Report(NamedTuple):
    """The report page, as read."""

    verdict: str
    percent: str
    explanation: str
    propositions: list[str]

    def named(self, me: str, partner: str) -> Report:
        """Return it as somebody else would read it: *you* and *your partner* by name."""

        def rename(text: str) -> str:
            return text.replace("your partner", partner).replace("you", me)

        rows = [rename(row) for row in self.propositions]
        return Report(rename(self.verdict), self.percent, rename(self.explanation), rows)


class Player:
    def __init__(self, name: str, page: Page, base_url: str) -> None:
        self.name = name
        self.page = page
        self.base_url = base_url
        self.console: list[str] = []
        self.complaints: list[str] = []
        """Errors in the console: none is expected."""
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._complain(f"uncaught: {error}"))

    def _on_console(self, message: ConsoleMessage) -> None:
        line = f"{message.type}: {message.text}"
        if message.type == "error":
            self._complain(line)
        else:
            self.console.append(line)

    def _complain(self, line: str) -> None:
        self.console.append(line)
        self.complaints.append(line)

    def expect_complaints(self, pattern: str) -> None:
        """Forget the complaints that the test caused on purpose (a killed server, say)."""
        self.complaints = [line for line in self.complaints if not re.search(pattern, line)]

    def see(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    # Pages

    async def open_lobby(self) -> None:
        await self.page.goto("/")

    async def play_alone(self) -> None:
        await self.open_lobby()
        await self.see("play-solo").click()

    async def play_with_a_person(self) -> None:
        await self.open_lobby()
        await self.see("play-person").click()

    async def play_in_team(self) -> None:
        """Ask for the first team that the start page offers, with whoever comes."""
        await self.open_lobby()
        await self.page.locator("[data-testid^=play-team-]").first.click()

    async def expect_waiting(self) -> None:
        await expect(self.see("lobby-status")).to_be_visible()

    async def leave_the_lobby(self) -> None:
        await self.see("lobby-cancel").click()
        await expect(self.see("play-person")).to_be_visible()

    async def invite(self) -> str:
        """Invite a partner to come with a link, and return the link."""
        await self.open_lobby()
        await self.see("play-invite").click()
        return await self.see("invite-url").input_value()

    async def follow(self, invitation: str) -> None:
        await self.page.goto(invitation)
        await self.see("invite-join").click()

    async def another_tab(self) -> Player:
        """Return the same person in a second tab of the same browser."""
        return Player(f"{self.name}-2", await self.page.context.new_page(), self.base_url)

    @property
    def session_id(self) -> str:
        found = re.search(r"/play/(ses_\w+)", self.page.url)
        assert found, f"{self.name} is not in a session but at {self.page.url}"
        return found[1]

    async def wait_until_playing(self) -> None:
        """Wait until the house is shown and the episode runs."""
        await self.page.wait_for_url(re.compile(r"/play/ses_"), timeout=LOADING_S * 1000)
        await self.until("window.cohabit?.state()?.phase === 'running'", LOADING_S)

    async def wait_for_report(self) -> Report:
        await self.page.wait_for_url(re.compile(r"/report/"), timeout=PATIENCE_S * 1000)
        await expect(self.see("verdict")).to_be_visible()
        return await self.read_report()

    async def show_pictures(self) -> None:
        """Wait until the report shows its plan and timeline, which it does by itself."""
        await expect(self.see("pictures-follow")).to_have_count(0)
        await expect(self.see("verdict")).to_be_visible()

    async def read_report(self) -> Report:
        rows = await self.see("proposition").all_inner_texts()
        explanation = self.see("explanation")
        return Report(
            _line(await self.see("verdict").inner_text()),
            _line(await self.see("percent-complete").text_content() or ""),
            _line(await explanation.inner_text()) if await explanation.count() else "",
            [_line(row) for row in rows],
        )

    # The page's own world

    async def state(self) -> dict[str, Any]:
        """Return the page's copy of the world, by handle; metres and radians."""
        return dict(await self.page.evaluate("window.cohabit.state()"))

    async def until(self, condition: str, timeout_s: float = PATIENCE_S) -> None:
        """Wait for a JavaScript condition about the page.

        Asked from outside: the pages' policy forbids Playwright's own way, which evaluates text
        in the page.
        """
        deadline = time.monotonic() + timeout_s
        last: object = None
        while time.monotonic() < deadline:
            try:
                last = await self.page.evaluate(condition)
            except PlaywrightError as error:
                # The page went elsewhere, or is not that far yet.
                last = error.message
            else:
                if last:
                    return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{self.name}: never came true: {condition}\nlast: {last}")

    async def me(self) -> dict[str, Any]:
        state = await self.state()
        return dict(state["agents"][state["me"]])

    async def position(self) -> tuple[float, float, float]:
        x, y, z = (await self.me())["position"]
        return float(x), float(y), float(z)

    async def kind(self) -> SeatKind:
        """Return whether the player is ``human`` or ``robot``."""
        kind: SeatKind = (await self.me())["kind"]
        return kind

    # Doing

    async def walk(self, waypoints: Sequence[Waypoint]) -> None:
        for x, z in waypoints:
            await self._call("walkTo", x, z, timeout_s=LOADING_S)

    async def walk_to(self, guide: Guide, goal: Waypoint) -> None:
        await self.walk(guide.path(await self.position(), goal))

    async def look_at(self, point: Sequence[float]) -> None:
        await self._call("lookAt", *point)

    async def select(self, handle: str, part: int = -1) -> None:
        await self._call("select", handle, part)
        await expect(self.see("selection")).to_be_visible()

    async def act(self, verb: str, handle: str, part: int = -1) -> None:
        """Select a thing and press the panel's button."""
        await self.select(handle, part)
        button = self.see(f"action-{verb}")
        # It stays pressable when it is not possible, so that pressing it can say why.
        await expect(button).to_have_attribute("aria-disabled", "false")
        await button.click()

    async def pick(self, handle: str) -> None:
        await self.act("pick", handle)
        await self.until(f"window.cohabit.state().objects['{handle}']?.holder >= 0")

    async def place(self, handle: str, point: Sequence[float], target: str) -> None:
        await self._call("placeAt", *point, target)
        await self.until(f"window.cohabit.state().objects['{handle}']?.holder === -1")

    async def open(self, furniture: str, part: int) -> None:
        await self.act("open", furniture, part)
        await self.until(f"Math.abs(window.cohabit.state().parts['{furniture}:{part}']) > 0.1")

    async def is_open(self, furniture: str, part: int) -> bool:
        return abs(float((await self.state())["parts"][f"{furniture}:{part}"])) > 0.1

    async def say(self, text: str) -> None:
        # A key that is pressed while the screen of a lost connection still fades opens no chat.
        await self.until("window.cohabit.state().live")
        await self.page.keyboard.press("Enter")
        chat = self.see("chat-input")
        await chat.fill(text)
        await chat.press("Enter")
        await expect(chat).to_be_hidden()

    async def expect_chat(self, text: str) -> None:
        await expect(self.see("chat-log")).to_contain_text(text)

    async def finish(self) -> None:
        """Finish, and say yes to the question that comes the first time in an episode."""
        await self.see("finish").click()
        await self.see("finish-yes").click()

    async def _call(
        self, function: str, *arguments: object, timeout_s: float = PATIENCE_S
    ) -> object:
        call = self.page.evaluate(
            "([name, args]) => window.cohabit[name](...args)", [function, list(arguments)]
        )
        try:
            return await asyncio.wait_for(call, timeout_s)
        except Exception as error:
            raise AssertionError(f"{self.name}: cohabit.{function}{arguments}: {error}") from None

    # Larger strokes, which every scenario needs

    async def fetch(self, guide: Guide, handle: str) -> None:
        """Go to where an object lies at the start, open what it lies in, and pick it up."""
        furniture, receptacle = guide.support(handle)
        kind = await self.kind()
        place = None
        # The door of its shelf first; another one if that does not uncover it.
        for part in guide.parts_for(furniture, receptacle):
            if not await self.is_open(furniture, part):
                before = guide.stand_for(guide.position(handle), furniture, kind=kind)
                await self.walk_to(guide, before)
                await self.open(furniture, part)
            guide.learn(await self.state())
            place = guide.find_stand(guide.position(handle), handle, kind=kind)
            if place is not None:
                break
        place = place or guide.stand_for(guide.position(handle), handle, kind=kind)
        await self.walk_to(guide, place)
        await self.look_at(guide.position(handle))
        await self.pick(handle)

    async def put(self, guide: Guide, handle: str, furniture: str, receptacle: str) -> None:
        """Carry what is in the hand to a receptacle, open that if need be, and put it down."""
        guide.learn(await self.state())
        place, spot = guide.plan_put(furniture, receptacle, handle, await self.kind())
        await self.walk_to(guide, place)
        part = guide.part_for(furniture, receptacle)
        if part is not None and not await self.is_open(furniture, part):
            await self.open(furniture, part)
        await self.look_at(spot)
        await self.place(handle, spot, furniture)


async def eventually(condition: Any, timeout_s: float = PATIENCE_S, every_s: float = 0.05) -> None:
    """Wait until an async condition is true."""
    deadline = time.monotonic() + timeout_s
    while not await condition():
        assert time.monotonic() < deadline, "never came true"
        await asyncio.sleep(every_s)


def near(a: Sequence[float], b: Sequence[float], metres: float = 0.05) -> bool:
    return math.dist(a, b) <= metres


def _line(text: str) -> str:
    return " ".join(text.split())
