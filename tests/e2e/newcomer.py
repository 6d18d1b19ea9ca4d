"""A newcomer at the keyboard and the mouse: who does what the page's own marks and keys say.

Everything that is done is a key that is pressed or a mouse that is moved; `window.cohabit` is asked
where things are on the screen, which a person sees, and for nothing else.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

from playwright.async_api import expect

from tests.e2e.player import Player, eventually
from tests.patience import LOADING_S, PATIENCE_S

_DRAG_PX = 220
_TURNED = 0.22
"""Pixels to drag for each by which something is to move on the screen, about."""
_PX_PER_RAD = 190
_EYE_M = 1.6


class Spot(NamedTuple):
    """Place on the screen (CSS pixels)."""

    x: float
    y: float


class Newcomer:
    """Hands and eyes of a player."""

    def __init__(self, player: Player) -> None:
        self.player, self.page = player, player.page
        self.keyboard, self.mouse = player.page.keyboard, player.page.mouse

    async def step(self) -> str:
        """Return the step of the tutorial that is to be done; empty: it is not there."""
        tutorial = self.player.see("tutorial")
        return (
            (await tutorial.get_attribute("data-step") or "") if await tutorial.is_visible() else ""
        )

    async def comes_to(self, step: str) -> None:
        await expect(self.player.see("tutorial")).to_have_attribute(
            "data-step", step, timeout=PATIENCE_S * 1000
        )

    async def size(self) -> tuple[int, int]:
        size = self.page.viewport_size
        assert size is not None
        return size["width"], size["height"]

    async def drag(self, dx: float, dy: float) -> None:
        """Turn the view: what is at the right comes to the middle by a positive ``dx``."""
        width, height = await self.size()
        x, y = width * 0.55, height * 0.5
        await self.mouse.move(x, y)
        await self.mouse.down()
        await self.mouse.move(x + dx, y + dy, steps=6)
        await self.mouse.up()

    async def state(self) -> dict[str, Any]:
        return await self.player.state()

    # Where things are

    async def on_screen(self, handle: str) -> tuple[Spot, bool]:
        at = await self.page.evaluate("(handle) => window.cohabit.project(handle)", handle)
        return Spot(at["x"], at["y"]), bool(at["onScreen"])

    async def bring_into_view(self, handle: str) -> Spot:
        """Turn until a thing is well in view, as one looks round for it; return where it is."""
        width, height = await self.size()
        for _ in range(30):
            spot, shown = await self.on_screen(handle)
            if shown and abs(spot.x - width / 2) < width / 5 and height / 4 < spot.y < height * 0.6:
                return spot
            state = await self.state()
            thing = state["objects"].get(handle) or state["furniture"][handle]
            body = state["body"]
            east, up, south = (
                t - b for t, b in zip(thing["position"], body["position"], strict=True)
            )
            turn = math.remainder(math.atan2(-east, -south) - body["yaw"], math.tau)
            pitch = math.atan2(up + 0.2 - _EYE_M, math.hypot(east, south)) - body["pitch"]
            await self.turn(-turn, -pitch)
        raise AssertionError(f"{handle} does not come into view")

    async def handle_of(self, label: str) -> str:
        """Return what carries a label that the page shows."""
        state = await self.state()
        for kind in ("objects", "furniture"):
            for handle, thing in state[kind].items():
                if label == thing["label"]:
                    return str(handle)
        raise AssertionError(f"nothing in sight is called {label!r}")

    async def marked(self) -> str:
        """Return the thing that the tutorial marks, by its pin or by its arrow."""

        async def label() -> str:
            for mark in ("example-pin", "example-arrow"):
                if await self.player.see(mark).is_visible():
                    return (await self.player.see(mark).inner_text()).strip()
            return ""

        await eventually(label)
        return await self.handle_of(await label())

    # What one does

    async def click(self, handle: str) -> None:
        """Click a thing until it is selected."""
        deadline = time.monotonic() + PATIENCE_S
        label = await self.label(handle)
        while True:
            spot = await self.bring_into_view(handle)
            await self.mouse.click(spot.x, spot.y)
            await self.page.wait_for_timeout(250)
            selected = (await self.state())["selection"]
            if selected and selected["handle"] == handle:
                return
            assert time.monotonic() < deadline, f"the {label} is not selected by clicks"
            # Something is before it, or a panel over it.
            await self.drag(60, 20)

    async def turn(self, right: float, down: float) -> None:
        """Drag the view round by about so much (rad)."""
        dx, dy = (max(-250.0, min(250.0, angle * _PX_PER_RAD)) for angle in (right, down))
        # A short drag is a click.
        await self.drag(dx if abs(dx) + abs(dy) > 12 else math.copysign(12, dx), dy)

    async def walk_to_the_mark(self) -> None:
        """Turn to the mark on the floor, and hold the key until it is reached."""
        pin, arrow = self.player.see("example-pin"), self.player.see("example-arrow")
        width, _ = await self.size()
        deadline = time.monotonic() + PATIENCE_S
        while await self.step() == "walk":
            assert time.monotonic() < deadline, "the mark is not reached"
            shown = pin if await pin.is_visible() else arrow
            box = await shown.bounding_box() if await shown.is_visible() else None
            if box is None:
                await self.drag(_DRAG_PX / 2, 0)
                continue
            x = box["x"] + box["width"] / 2
            if abs(x - width / 2) > width * 0.06:
                await self.drag(
                    math.copysign(max(12, abs(x - width / 2) * _TURNED), x - width / 2), 0
                )
                continue
            await self.keyboard.down("w")
            await self.page.wait_for_timeout(350)
            await self.keyboard.up("w")

    async def label(self, handle: str) -> str:
        state = await self.state()
        thing = state["objects"].get(handle) or state["furniture"][handle]
        return str(thing["label"])

    async def go_to(self, handle: str) -> None:
        """Select a thing and let the key walk there."""
        await self.click(handle)
        await self.keyboard.press("n")
        line = self.player.see("walk-line")
        await self.page.wait_for_timeout(300)
        await expect(line).to_be_hidden(timeout=LOADING_S * 1000)

    async def put_beside_something(self) -> None:
        """Take the marked thing, and aim it beside something, wherever green is."""
        width, height = await self.size()
        places = [(x, y) for y in (0.6, 0.7, 0.5, 0.8) for x in (0.5, 0.42, 0.58, 0.66, 0.35)]
        deadline = time.monotonic() + 2 * PATIENCE_S
        while await self.step() == "place":
            assert time.monotonic() < deadline, "nothing is put next to anything"
            if (await self.state())["holding"] is None:
                await self.go_to(await self.marked())
                await self.keyboard.press("e")
                await self.player.until("window.cohabit.state().holding !== null")
                continue
            x, y = places.pop(0)
            await self.mouse.move(width * x, height * y)
            await self.keyboard.down("Space")
            await self.page.wait_for_timeout(700)
            await self.keyboard.up("Space")
            await self.page.wait_for_timeout(700)

    async def until_step_is_past(self, step: str, *keys: str) -> None:
        """Press keys, one after the other and again, until the step is done."""
        deadline = time.monotonic() + PATIENCE_S
        while await self.step() == step:
            for key in keys:
                await self.keyboard.press(key)
                await self.page.wait_for_timeout(600)
                if await self.step() != step:
                    return
            assert time.monotonic() < deadline, f"{step} is not passed by {keys}"
