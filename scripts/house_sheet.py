"""Contact sheet of houses in docs/images: plan and view from above, of twelve houses.

    python scripts/house_sheet.py
    python scripts/house_sheet.py 3 7 12 --out /tmp/houses.jpg

Houses are made from their seeds; nothing is read from the data directory.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from contact_sheet import IMAGES, ORIGIN, build_page  # noqa: E402
from playwright.async_api import Page, Route, async_playwright  # noqa: E402

from episodes.catalogue import asset, catalogue  # noqa: E402
from episodes.drawing import draw_house  # noqa: E402
from episodes.houses import House, generate_house  # noqa: E402
from episodes.houses.splits import split_of  # noqa: E402
from episodes.houses.stage import stage_model  # noqa: E402
from toolchain.browser import ARGUMENTS, find_chromium  # noqa: E402

SEEDS = (3, 0, 1, 2, 5, 8, 13, 21, 27, 34, 42, 55)
CELL = (420, 300)
PAGE = """<!doctype html><style>
body { margin: 0; padding: 12px; background: #f6f4ef; color: #1d2a2e;
  font: 13px/18px system-ui, sans-serif;
  display: grid; grid-template-columns: repeat(3, 420px); gap: 16px 10px; }
figure { margin: 0; display: grid; gap: 6px; align-content: start; }
.plan { display: block; margin: auto; height: 300px; }
img { width: 420px; height: 300px; border-radius: 6px; }
</style><body><script type="module" src="/sheet.js"></script>"""
ADD = """([caption, plan, picture]) => {
  const figure = document.createElement("figure");
  figure.innerHTML = plan;
  const image = document.createElement("img");
  image.src = picture;
  const words = document.createElement("figcaption");
  words.textContent = caption;
  figure.append(image, words);
  document.body.append(figure);
  return image.decode();
}"""


def described(house: House) -> dict[str, Any]:
    """Return what `client/src/sheet/houses.ts` draws."""
    shapes = catalogue()
    return {
        "stage": house.scene.stage_asset,
        "furniture": [
            {
                "asset": shapes.templates[f.template].asset,
                "position": f.pose.position,
                "rotation": f.pose.rotation,
            }
            for f in house.scene.furniture
        ],
        "rooms": [{"polygon": room.polygon} for room in house.scene.rooms],
        "walls": [[s.box.low, s.box.high] for s in house.scene.walls if s.box.low[1] < 0.1],
        "width": CELL[0],
        "height": CELL[1],
    }


def caption(house: House) -> str:
    scene = house.scene
    return (
        f"{scene.scene_id} ({split_of(scene.seed)}): {len(scene.rooms)} rooms, "
        f"{len(scene.furniture)} pieces of furniture"
    )


async def add(page: Page, house: House) -> None:
    plan = draw_house(house.scene, catalogue(), *CELL)
    picture = await page.evaluate("(house) => window.drawHouse(house)", described(house))
    await page.evaluate(ADD, [caption(house), plan, picture])
    print(f"  {caption(house)}")


async def take(seeds: list[int], out: Path, quality: int) -> None:
    houses = {h.scene.stage_asset: h for h in (generate_house(s, catalogue()) for s in seeds)}
    with tempfile.TemporaryDirectory() as folder:
        script = build_page(Path(folder))

    async def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if match := re.fullmatch(r"/assets/catalogue/(\w+)\.glb", path):
            await route.fulfill(body=asset(match[1]), content_type="model/gltf-binary")
        elif path.removeprefix("/assets/") in houses:
            stage = stage_model(houses[path.removeprefix("/assets/")], catalogue())
            await route.fulfill(body=stage.glb(), content_type="model/gltf-binary")
        elif path == "/sheet.js":
            await route.fulfill(body=script, content_type="text/javascript")
        else:
            await route.fulfill(body=PAGE, content_type="text/html")

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=list(ARGUMENTS)
        )
        page = await browser.new_page(viewport={"width": 1304, "height": 800})
        page.on("console", lambda message: print(message.text, file=sys.stderr))
        await page.route(f"{ORIGIN}/**", answer)
        await page.goto(ORIGIN)
        await page.wait_for_function("() => window.drawHouse !== undefined")
        for house in houses.values():
            await add(page, house)
        out.parent.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=out, full_page=True, type="jpeg", quality=quality)
        await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", nargs="*", type=int, help="houses; twelve by default")
    parser.add_argument("--quality", type=int, default=82, help="quality of the JPEG, 0 to 100")
    parser.add_argument("--out", type=Path, default=IMAGES / "houses.jpg")
    given = parser.parse_args()
    asyncio.run(take(given.seeds or list(SEEDS), given.out, given.quality))
    print(f"{given.out}: {given.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
