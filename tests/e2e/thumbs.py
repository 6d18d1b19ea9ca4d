"""Thumbs on a phone: real touches, as a browser gets them from glass."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import CDPSession, expect

from tests.e2e.guide import Guide, Waypoint, heading
from tests.e2e.player import Player
from tests.patience import PATIENCE_S

RAD_PER_PX = 0.0042
EYE_M = 1.55
STICK_PX = 60
# Less than this moves nothing: it is a tap.
LEAST_PX = 14
NEAR_M = 0.25
# So far one walks before one looks where the mark is now.
STRIDE_M = 0.5
BELOW_MIDDLE_PX = 45
LOOKS_GREEN = 12
# So far below the point that is aimed at its words stand.
HINT_BELOW_PX = 22
TRIES = 4
_ON_CANVAS = "([x, y]) => document.elementFromPoint(x, y)?.tagName === 'CANVAS'"


class Thumbs:
    """The two thumbs of a player."""

    def __init__(self, player: Player, devtools: CDPSession) -> None:
        self.player = player
        self._devtools = devtools
        size = player.page.viewport_size
        assert size is not None
        self.width, self.height = size["width"], size["height"]

    async def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        await self._devtools.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches}
        )

    async def tap(self, x: float, y: float) -> None:
        """Tap a point of the scene."""
        await self._touch("touchStart", (x, y))
        await self._touch("touchEnd")

    @asynccontextmanager
    async def finger_at(self, x: float, y: float) -> AsyncIterator[None]:
        """Hold a finger down at a point, and lift it there at the end."""
        await self._touch("touchStart", (x, y))
        yield
        await self._touch("touchEnd")

    async def press(self, test_id: str) -> None:
        """Tap a button once it can be seen."""
        await self.player.see(test_id).tap()

    async def drag(self, dx: float, dy: float) -> None:
        """Drag the right thumb by so many pixels: the view turns."""
        # Below the panel of the others, whose button would take the finger.
        x, y = self.width * 0.72 - dx / 2, self.height * 0.62 - dy / 2
        await self._touch("touchStart", (x, y))
        await self._touch("touchMove", (x + dx / 2, y + dy / 2))
        await self._touch("touchMove", (x + dx, y + dy))
        await self._touch("touchEnd")

    async def push_until(self, condition: str, timeout_s: float = PATIENCE_S) -> None:
        """Push the left thumb forward until the page shows that something is so."""
        x, y = self.width * 0.2, self.height * 0.66
        await self._touch("touchStart", (x, y))
        await self._touch("touchMove", (x, y - STICK_PX))
        try:
            await self.player.until(condition, timeout_s)
        finally:
            await self._touch("touchEnd")

    async def face(self, x: float, y: float, z: float) -> None:
        """Drag until a point is in the middle of the view."""
        most = self.width * 0.24
        for _ in range(30):
            body = (await self.player.state())["body"]
            eye_x, eye_y, eye_z = body["position"]
            turn = body["yaw"] - heading((eye_x, eye_z), (x, z))
            turn = math.atan2(math.sin(turn), math.cos(turn))
            away = math.hypot(x - eye_x, z - eye_z)
            rise = body["pitch"] - math.atan2(y - eye_y - EYE_M, away)
            dx, dy = (max(-most, min(most, by / RAD_PER_PX)) for by in (turn, rise))
            if max(abs(dx), abs(dy)) < LEAST_PX:
                return
            await self.drag(dx, dy)
        raise AssertionError(f"the view never came to {(x, y, z)}")

    async def walk_to_the_mark(self) -> None:
        """Turn to the tutorial's mark on the floor, and push towards it until it is reached."""
        pin, arrow = self.player.see("example-pin"), self.player.see("example-arrow")
        deadline = time.monotonic() + PATIENCE_S
        while await self.player.see("tutorial").get_attribute("data-step") == "walk":
            assert time.monotonic() < deadline, "the mark is not reached"
            shown = pin if await pin.is_visible() else arrow
            box = await shown.bounding_box() if await shown.is_visible() else None
            # Nothing marks it while it comes into view.
            off = self.width / 2 if box is None else box["x"] + box["width"] / 2 - self.width / 2
            if abs(off) > self.width * 0.12:
                await self.drag(math.copysign(max(LEAST_PX + 2, abs(off) * 0.4), off), 0)
                continue
            x, _, z = (await self.player.state())["body"]["position"]
            await self.push_until(
                "document.querySelector('[data-step=walk]') === null || (() => {"
                " const [x, , z] = window.cohabit.state().body.position;"
                f" return Math.hypot(x - {x}, z - {z}) > {STRIDE_M}; }})()"
            )

    async def walk_to(self, guide: Guide, goal: Waypoint) -> None:
        """Walk by thumb along the way that the guide knows."""
        for x, z in guide.path(await self.player.position(), goal):
            state = await self.player.state()
            await self.face(x, state["body"]["position"][1] + EYE_M, z)
            here = state["body"]["position"]
            far = math.hypot(x - here[0], z - here[2]) - NEAR_M / 2
            gone = (
                "(() => { const [x, , z] = window.cohabit.state().body.position;"
                f" return Math.hypot(x - {here[0]}, z - {here[2]}) >= {far}"
                f" || Math.hypot(x - {x}, z - {z}) < {NEAR_M}; }})()"
            )
            await self.push_until(gone)

    async def select(self, handle: str) -> bool:
        """Turn to a thing and tap it, a little beside its middle if something is before that."""
        page = self.player.page
        for attempt in range(TRIES):
            await self.face(*await self._place_of(handle))
            at: dict[str, Any] = await page.evaluate("(h) => window.cohabit.project(h)", handle)
            x, y = at["x"] + 9 * math.sin(attempt * 2.4) * attempt, at["y"] + 9 * attempt
            if at["onScreen"] and await page.evaluate(_ON_CANVAS, [x, y]):
                await self.tap(x, y)
                if await self._is_selected(handle):
                    return True
        return False

    async def _is_selected(self, handle: str) -> bool:
        # A tap that follows too soon is a double tap, which acts.
        deadline = time.monotonic() + 1.5
        while time.monotonic() < deadline:
            selection = (await self.player.state())["selection"]
            if selection and selection["handle"] == handle and selection["actions"] is not None:
                return True
            await asyncio.sleep(0.05)
        return False

    async def _place_of(self, handle: str) -> tuple[float, float, float]:
        state = await self.player.state()
        thing = state["objects"].get(handle) or state["furniture"][handle]
        x, y, z = thing["position"]
        return x, y + (0.1 if handle in state["objects"] else 0.4), z

    async def go_to(self, guide: Guide, handle: str) -> None:
        """Select a thing and be walked to it; to one that is out of sight by thumb first."""
        if not await self.select(handle):
            guide.learn(await self.player.state())
            await self.walk_to(guide, guide.stand_for(guide.position(handle), handle))
            assert await self.select(handle), f"{handle} could not be tapped"
        if await self.player.see("action-approach").is_visible():
            await self.press("action-approach")
            await expect(self.player.see("action-approach")).to_be_hidden(timeout=30_000)

    async def aim_at_the_floor(self) -> bool:
        """Look round and tap the floor, until what is aimed fits there."""
        body = (await self.player.state())["body"]
        x, y, z = body["position"]
        good = self.player.page.locator(".near-pointer.good")
        for turn in (0.0, 0.8, -0.8, 1.6, -1.6, 2.4, -2.4, math.pi):
            yaw = body["yaw"] + turn
            await self.face(x - 0.9 * math.sin(yaw), y, z - 0.9 * math.cos(yaw))
            # Not in the middle: the mark is to come to where the finger was.
            y_tap = self.height / 2 + BELOW_MIDDLE_PX
            await self.tap(self.width / 2, y_tap)
            deadline, seen = time.monotonic() + 2.5, 0
            while time.monotonic() < deadline:
                box = await good.bounding_box() if await good.is_visible() else None
                is_there = box is not None and abs(box["y"] - HINT_BELOW_PX - y_tap) < 8
                # It is green, too, until the server has answered.
                seen = seen + 1 if is_there else 0
                if seen >= LOOKS_GREEN:
                    return True
                await asyncio.sleep(0.05)
        return False

    async def moves_the_mark(self, x: float, y: float) -> bool:
        """Tap a point while aiming; tell whether the mark comes there, whether it fits or not."""
        await self.tap(x, y)
        mark, deadline = self.player.page.locator(".near-pointer"), time.monotonic() + 5
        while time.monotonic() < deadline:
            box = await mark.bounding_box() if await mark.is_visible() else None
            if box is not None and abs(box["y"] - HINT_BELOW_PX - y) < 8:
                return True
            await asyncio.sleep(0.05)
        return False

    async def walk_by_a_tap(self, metres: float = 1.2) -> bool:
        """Look round and tap the floor so far away, until that walks there."""
        body = (await self.player.state())["body"]
        x, y, z = body["position"]
        for turn in (0.0, 1.6, -1.6, math.pi, 0.8, -0.8, 2.4, -2.4):
            yaw = body["yaw"] + turn
            await self.face(x - metres * math.sin(yaw), y, z - metres * math.cos(yaw))
            await self.tap(self.width / 2, self.height / 2 + BELOW_MIDDLE_PX)
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline:
                now = (await self.player.state())["body"]["position"]
                if math.dist(now, (x, y, z)) > metres / 2:
                    return True
                await asyncio.sleep(0.05)
        return False

    async def named(self, *kinds: str) -> str:
        """Return the handle of the thing, of one of the kinds, that the tutorial names."""
        text = await self.player.page.locator(".tutorial-text").text_content() or ""
        state = await self.player.state()
        things = {handle: thing for kind in kinds for handle, thing in state[kind].items()}
        found: list[str] = [h for h, t in things.items() if re.search(rf"the {t['label']}\b", text)]
        assert found, f"the tutorial names nothing that the page knows: {text}"
        return max(found, key=lambda handle: len(str(things[handle]["label"])))
