"""A newcomer at the keyboard and the mouse, who does what the page's own marks say."""

from __future__ import annotations

import math
import time

from tests.e2e.player import Player
from tests.patience import PATIENCE_S

_DRAG_PX = 220
_TURNED = 0.22
"""Pixels to drag for each by which something is to move on the screen, about."""


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
