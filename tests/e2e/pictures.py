"""Comparison of pictures of pages, made in a page: no imaging library is needed."""

from __future__ import annotations

import asyncio
import base64

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator, Page

ATTEMPTS = 4

_COMPARE = """
async ([first, second]) => {
  const pixels = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await pixels(first), await pixels(second)];
  if (a.length !== b.length) return 1;
  let differing = 0;
  for (let i = 0; i < a.length; i += 4) {
    const distance =
      Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]);
    if (distance > 48) differing += 1;
  }
  return differing / (a.length / 4);
}
"""


async def take_picture(what: Page | Locator) -> bytes:
    """Take a screenshot (PNG).

    Chromium fails to take one now and then while its GPU process is busy starting; that says
    nothing about the page.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return await what.screenshot()
        except PlaywrightError:
            await asyncio.sleep(0.5)
    return await what.screenshot()


async def share_that_differs(page: Page, first: bytes, second: bytes) -> float:
    """Return the share of pixels (0 to 1) that differ visibly between two screenshots."""
    encoded = [base64.b64encode(picture).decode() for picture in (first, second)]
    return float(await page.evaluate(_COMPARE, encoded))
