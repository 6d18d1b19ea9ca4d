"""Comparing pictures of pages, in a page: no imaging library is needed."""

from __future__ import annotations

import base64

from playwright.async_api import Page

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


async def share_that_differs(page: Page, first: bytes, second: bytes) -> float:
    """The share of pixels (0 to 1) that are visibly different between two screenshots."""
    encoded = [base64.b64encode(picture).decode() for picture in (first, second)]
    return float(await page.evaluate(_COMPARE, encoded))


async def share_of_colours(page: Page, picture: bytes) -> int:
    """How many different colours (in steps of 16) a screenshot has: an empty scene has few."""
    count = """
    async ([picture]) => {
      const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const data = context.getImageData(0, 0, image.width, image.height).data;
      const colours = new Set();
      for (let i = 0; i < data.length; i += 4) {
        colours.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
      }
      return colours.size;
    }
    """
    return int(await page.evaluate(count, [base64.b64encode(picture).decode()]))
