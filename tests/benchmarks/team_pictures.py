"""Pictures of a house with more bodies: draw calls, and how long they take compared with a pair's.

    python tests/benchmarks/team_pictures.py
    python tests/benchmarks/team_pictures.py --teams pair human+2robot 2human+3robot --rounds 7

Everybody else is in view and walks, and one partner's view is open. Teams take turns in one
browser, so that a machine that grows slower does so for all; shown are medians of their rounds,
and the median over rounds of what a team takes more than the first one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from contact_sheet import ORIGIN, build_page  # noqa: E402
from playwright.async_api import Route, async_playwright  # noqa: E402

from episodes.catalogue import asset, catalogue  # noqa: E402
from episodes.houses import generate_house  # noqa: E402
from episodes.houses.stage import stage_model  # noqa: E402
from episodes.teams import Team  # noqa: E402
from server.sessions.core import SessionCore  # noqa: E402
from server.sessions.spec import SessionSpec  # noqa: E402
from server.wire.codecs import CODECS  # noqa: E402
from server.worker.view.house_snapshot import house_of  # noqa: E402
from server.worker.view.public_view import EpisodeInfo, PublicView  # noqa: E402
from tests.server.sessions.first_house_sessions import (  # noqa: E402
    episode_spec,
    simulator,
    task,
)
from toolchain.browser import ARGUMENTS, find_chromium  # noqa: E402

HOUSE_SEED = 3
PICTURES = 30
LEVELS = {"low": 1, "medium": 2, "high": 3}
PAGE = '<!doctype html><body style="margin:0"><script type="module" src="/bench.js"></script>'


def snapshot_of(team: Team) -> tuple[object, int]:
    """Return the first message of a team's session, as JSON, and the index of a person's seat."""
    chosen = task(2)
    spec = SessionSpec.of("ses_1", team.filled(robot="expert", human="scripted"), 1)
    core = SessionCore(spec, episode_spec(chosen), chosen, simulator())
    info = EpisodeInfo("epi_1", core.task_text, core.profile, "/assets")
    labels = core.names.labels
    house = house_of(core.simulator.scene, core.simulator.catalogue, labels)
    view = PublicView(info, house, spec.seats, core.state, labels)
    me = next(i for i, seat in enumerate(spec.seats) if seat.seat.kind == "human")
    return json.loads(CODECS["json"].encode(view.snapshot())), me


async def measure(teams: list[Team], level: int, rounds: int) -> None:
    house = generate_house(HOUSE_SEED, catalogue())
    with tempfile.TemporaryDirectory() as folder:
        script = build_page(Path(folder), "bench")

    async def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if match := re.fullmatch(r"/assets/catalogue/(\w+)\.glb", path):
            await route.fulfill(body=asset(match[1]), content_type="model/gltf-binary")
        elif path.startswith("/assets/"):
            stage = stage_model(house, catalogue())
            await route.fulfill(body=stage.glb(), content_type="model/gltf-binary")
        elif path == "/bench.js":
            await route.fulfill(body=script, content_type="text/javascript")
        else:
            await route.fulfill(body=PAGE, content_type="text/html")

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=list(ARGUMENTS)
        )
        page = await browser.new_page(viewport={"width": 1280, "height": 720})
        page.on("console", lambda message: print(message.text, file=sys.stderr))
        await page.route(f"{ORIGIN}/**", answer)
        await page.goto(ORIGIN)
        await page.wait_for_function("() => window.pictures !== undefined")
        for team in teams:
            snapshot, me = snapshot_of(team)
            await page.evaluate("(a) => window.pictures.load(...a)", [snapshot, me, level])
        calls = [0] * len(teams)
        times: list[list[float]] = [[] for _ in teams]
        # The first round compiles shaders.
        for turn in range(rounds + 1):
            for i in range(len(teams)):
                got = await page.evaluate("(a) => window.pictures.measure(...a)", [i, PICTURES])
                calls[i] = got["calls"]
                if turn > 0:
                    times[i].append(statistics.median(got["ms"]))
        await browser.close()
    for i, team in enumerate(teams):
        more = [own / first - 1 for own, first in zip(times[i], times[0], strict=True)]
        print(
            f"{team!s:16} {team.bodies} bodies  {calls[i]:4} draw calls  "
            f"{statistics.median(times[i]):6.1f} ms  {statistics.median(more):+.0%}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teams", nargs="+", default=["human+robot", "human+4robot"])
    parser.add_argument("--level", choices=LEVELS, default="low")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    teams = [Team.parse(text) for text in given.teams]
    asyncio.run(measure(teams, LEVELS[given.level], given.rounds))


if __name__ == "__main__":
    main()
