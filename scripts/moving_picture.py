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

from playwright.async_api import Browser, Page

WIDTH, HEIGHT = 480, 270
FRAME_MS = 125
QUALITY = 0.45

_PACK = """
async ([png, width, height, quality]) => {
  const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
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
    """Frames of a page, packed one by one."""

    def __init__(self, packer: Page) -> None:
        self._packer = packer
        self.frames: list[bytes] = []

    @classmethod
    async def of(cls, browser: Browser) -> MovingPicture:
        return cls(await browser.new_page())

    async def add(self, page: Page) -> None:
        """Add what a page shows now."""
        png = base64.b64encode(await page.screenshot()).decode()
        packed = await self._packer.evaluate(_PACK, [png, WIDTH, HEIGHT, QUALITY])
        self.frames.append(base64.b64decode(packed))

    @contextlib.asynccontextmanager
    async def filming(self, page: Page) -> AsyncIterator[None]:
        """Add a page's frames as fast as they come for as long as something else goes on."""

        async def film() -> None:
            while True:
                await self.add(page)

        task = asyncio.create_task(film())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def packed(self) -> bytes:
        """Return the animated picture, which repeats for ever."""
        size = (WIDTH - 1).to_bytes(3, "little") + (HEIGHT - 1).to_bytes(3, "little")
        head = chunk(b"VP8X", b"\x02\0\0\0" + size)
        loop = chunk(b"ANIM", struct.pack("<IH", 0, 0))
        rest = FRAME_MS.to_bytes(3, "little") + b"\x02"
        frames = b"".join(
            chunk(b"ANMF", bytes(6) + size + rest + chunk(b"VP8 ", picture_of(frame)))
            for frame in self.frames
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
