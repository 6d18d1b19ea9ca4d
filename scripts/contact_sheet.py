"""Contact sheets of the catalogue in docs/images, drawn by the client in a headless browser.

    python scripts/contact_sheet.py                      # the sheet of all object classes
    python scripts/contact_sheet.py cup bowl --states --out /tmp/cups.jpg

With ``--states`` each class is drawn as it is, dirty, filled and on, as far as it affords that.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from playwright.async_api import Route, async_playwright  # noqa: E402

from episodes.catalogue import asset, catalogue, class_names  # noqa: E402
from episodes.catalogue.mesh.models import STATE_NODES  # noqa: E402
from episodes.scene import Template  # noqa: E402
from toolchain.browser import ARGUMENTS, find_chromium  # noqa: E402

IMAGES = ROOT / "docs" / "images"
ORIGIN = "http://sheet.localhost"
PAGE = """<!doctype html><style>
body { margin: 0; position: relative; background: #e9e4da; }
canvas { display: block; }
div { position: absolute; text-align: center; font: 11px/15px sans-serif; color: #443d33;
  white-space: nowrap; overflow: hidden; }
</style><body><script type="module" src="/sheet.js"></script>"""


def cells(names: list[str], states: bool, sizes: bool) -> list[dict[str, Any]]:
    """Return what `client/src/sheet/main.ts` draws: a cell per class."""
    templates = sorted(catalogue().templates.values(), key=lambda t: t.name)
    out = []
    for name in names:
        variants = [t for t in templates if t.class_name == name]
        models = [m for t in variants for m in (looks(t) if states else [look(t, ())])]
        label = name.replace("_", " ")
        if sizes:
            low, high = variants[0].box
            label += " " + "x".join(f"{100 * (b - a):.0f}" for a, b in zip(low, high, strict=True))
        out.append({"label": label, "models": models})
    return out


def look(template: Template, shown: tuple[str, ...]) -> dict[str, Any]:
    return {"asset": template.asset, "shown": list(shown)}


def looks(template: Template) -> list[dict[str, Any]]:
    """Return a template as it is (clean, empty, off), then in each of its other states."""
    return [look(template, ()), *(look(template, (STATE_NODES[s],)) for s in template.affords)]


def build_page(folder: Path, name: str = "sheet") -> bytes:
    """Build the script of a page that the product does not contain: ``sheet`` or ``bench``."""
    vite = ROOT / "client" / "node_modules" / ".bin" / "vite"
    command = [str(vite), "build", "--config", f"{name}.config.ts", "--outDir", str(folder)]
    done = subprocess.run(command, cwd=ROOT / "client", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(
            f"the page was not built; after `make client` it should be:\n{done.stderr}"
        )
    return (folder / f"{name}.js").read_bytes()


async def answer(route: Route, script: bytes) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if match := re.fullmatch(r"/assets/catalogue/(\w+)\.glb", path):
        await route.fulfill(body=asset(match[1]), content_type="model/gltf-binary")
    elif path == "/sheet.js":
        await route.fulfill(body=script, content_type="text/javascript")
    else:
        await route.fulfill(body=PAGE, content_type="text/html")


async def take(sheet: dict[str, Any], out: Path, quality: int) -> None:
    for path in {model["asset"] for cell in sheet["cells"] for model in cell["models"]}:
        asset(Path(path).stem)  # a failure shows here, not in the browser
    with tempfile.TemporaryDirectory() as folder:
        script = build_page(Path(folder))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=list(ARGUMENTS)
        )
        width = sheet["columns"] * sheet["width"]
        page = await browser.new_page(viewport={"width": width, "height": 100})
        page.on("console", lambda message: print(message.text, file=sys.stderr))
        await page.route(f"{ORIGIN}/**", lambda route: answer(route, script))
        await page.goto(ORIGIN)
        await page.wait_for_function("() => window.drawSheet !== undefined")
        await page.evaluate("(sheet) => window.drawSheet(sheet)", sheet)
        out.parent.mkdir(parents=True, exist_ok=True)
        jpeg: dict[str, Any] = {} if out.suffix == ".png" else {"type": "jpeg", "quality": quality}
        await page.screenshot(path=out, full_page=True, **jpeg)
        await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("classes", nargs="*", help="classes to draw; all of the kind by default")
    parser.add_argument("--kind", choices=("object", "furniture"), default="object")
    parser.add_argument("--states", action="store_true", help="each state besides the plain look")
    parser.add_argument("--sizes", action="store_true", help="sizes in centimetres")
    parser.add_argument("--columns", type=int, default=14)
    parser.add_argument("--cell", type=int, nargs=2, default=(128, 88), metavar=("W", "H"))
    parser.add_argument("--shading", choices=("full", "plain", "vertex"), default="full")
    parser.add_argument("--quality", type=int, default=80, help="quality of the JPEG, 0 to 100")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    known = class_names(given.kind)
    for name in given.classes:
        if name not in known:
            parser.error(f"no {given.kind} class {name!r}; there are: {', '.join(known)}")
    out = given.out or IMAGES / f"catalogue-{given.kind}s.jpg"
    sheet = {
        "cells": cells(given.classes or known, given.states, given.sizes),
        "columns": given.columns,
        "width": given.cell[0],
        "height": given.cell[1],
        "shading": given.shading,
    }
    asyncio.run(take(sheet, out, given.quality))
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
