"""Moving pictures for pages: an animated WebP from screenshots of a real game.

The browser that plays also scales and packs each frame; this puts them into one file. The container
is that of https://developers.google.com/speed/webp/docs/riff_container.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import struct
from collections.abc import AsyncIterator, Iterator
from typing import Any

from playwright.async_api import Browser, Page

WIDTH, HEIGHT = 480, 270
LEAST_MS, MOST_MS = 80, 500
"""Least and most time for which a frame is shown: a slow machine makes no slow picture."""
LAST_MS = 1500
QUALITY = 0.45

_PACK = """
async ([jpeg, width, height, quality]) => {
  const bytes = Uint8Array.from(atob(jpeg), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  let text = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
"""


class MovingPicture:
    """Frames of a page, as the browser draws them, each with the time at which it was drawn."""

    def __init__(self, packer: Page) -> None:
        self._packer = packer
        self._drawn: list[tuple[float, str]] = []
        self.frames: list[bytes] = []
        self.shown_ms: list[int] = []
        """The time for which each frame is shown."""

    @classmethod
    async def of(cls, browser: Browser) -> MovingPicture:
        return cls(await browser.new_page())

    @contextlib.asynccontextmanager
    async def filming(self, page: Page) -> AsyncIterator[None]:
        """Keep what a page draws for as long as something else goes on.

        The browser sends its frames by itself: asking for screenshots would slow down the game
        that they are of.
        """
        devtools = await page.context.new_cdp_session(page)
        taken: set[asyncio.Task[object]] = set()

        def keep(frame: dict[str, Any]) -> None:
            self._drawn.append((frame["metadata"]["timestamp"], frame["data"]))
            answer = devtools.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
            taken.add(asyncio.ensure_future(answer))

        devtools.on("Page.screencastFrame", keep)
        await devtools.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
        try:
            yield
        finally:
            await devtools.send("Page.stopScreencast")
            await asyncio.gather(*taken)

    async def pack(self, most: int) -> None:
        """Write at most so many of the frames, scaled and spread over the whole time."""
        count = len(self._drawn)
        chosen = (
            [self._drawn[i * count // most] for i in range(most)] if count > most else self._drawn
        )
        for at, (drawn_s, jpeg) in enumerate(chosen):
            packed = await self._packer.evaluate(_PACK, [jpeg, WIDTH, HEIGHT, QUALITY])
            self.frames.append(base64.b64decode(packed))
            is_last = at + 1 == len(chosen)
            gap_ms = LAST_MS if is_last else round(1000 * (chosen[at + 1][0] - drawn_s))
            self.shown_ms.append(gap_ms if is_last else min(MOST_MS, max(LEAST_MS, gap_ms)))

    def packed(self) -> bytes:
        """Return the animated picture, which repeats for ever."""
        size = (WIDTH - 1).to_bytes(3, "little") + (HEIGHT - 1).to_bytes(3, "little")
        head = chunk(b"VP8X", b"\x02\0\0\0" + size)
        loop = chunk(b"ANIM", struct.pack("<IH", 0, 0))
        frames = b"".join(
            chunk(
                b"ANMF",
                bytes(6)
                + size
                + ms.to_bytes(3, "little")
                + b"\x02"
                + chunk(b"VP8 ", picture_of(frame)),
            )
            for frame, ms in zip(self.frames, self.shown_ms, strict=True)
        )
        body = b"WEBP" + head + loop + frames
        return b"RIFF" + struct.pack("<I", len(body)) + body


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def chunks(webp: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Return the chunks of a file of WebP."""
    at = 12
    while at + 8 <= len(webp):
        (size,) = struct.unpack_from("<I", webp, at + 4)
        yield webp[at : at + 4], webp[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def picture_of(webp: bytes) -> bytes:
    """Return the picture within a file of one frame. Raises StopIteration where there is none."""
    return next(data for name, data in chunks(webp) if name == b"VP8 ")
