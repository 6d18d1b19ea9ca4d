"""Hoarders who want all places, and what is left for others.

    python -m tests.load.hoarder --attacks forms churn --addresses 1 50 --seconds 20

A real server with 30 places, an honest pair that plays on it, and hoarders in a process of their
own (see `hoarder_attacks`), from 127.0.0.2 and so on. While they are at it, an honest visitor comes
from another address and wants to play alone. It prints, for each attack, how many places the
hoarders hold over time, how long after the attack all of them were free again, what the visitor was
told and how long it took until they played, the frames a second of the worse off of the pair, and
what the hoarders were answered. It ends with 1 if hoarders of one address held more than half of
the places, if anything was still theirs 40 s after they stopped, if the visitor did not get to play
within 45 s, or if the pair got fewer than 29 frames a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import NamedTuple

import httpx
from websockets.asyncio.client import connect
from websockets.typing import Origin

from tests.live_server import LiveServer
from tests.load.hoarder_attacks import ATTACKS
from tests.load.honest_pair import HonestPair, Pace
from tests.load.protocol_client import ProtocolClient
from tests.load.strangers import LEAST_FRAMES_S, exit_with_problems, started
from tests.server.web.doubles import Browser, boot_of

PLACES = 30
HONEST = "127.0.1.1"
"""Address of the honest visitor; the pair's is 127.0.0.1."""
SAMPLE_S = 0.5
COMES_AFTER_S = 0.6
"""Part of the attack after which the honest visitor comes: all that can be held is held."""


class Visit(NamedTuple):
    """Visit of an honest person: what they were told, and how long it took."""

    told: str
    waited_s: float


class Outcome(NamedTuple):
    attack: str
    addresses: int
    held: list[tuple[float, int]]
    """Places that the hoarders held, by seconds from the beginning."""
    free_after_s: float
    """Seconds from the end of the attack until they held nothing."""
    visit: Visit
    pace: Pace
    answers: dict[str, int]

    @property
    def most(self) -> int:
        return max(n for _, n in self.held)

    def problems(self, most_held: int, most_free_s: float, most_wait_s: float) -> list[str]:
        """Return what hoarders could do and should not."""
        name = f"{self.attack} from {self.addresses}"
        found = []
        if self.addresses == 1 and self.most > most_held:
            found.append(f"{name}: they held {self.most} places")
        if self.free_after_s > most_free_s:
            found.append(f"{name}: they held places for {self.free_after_s:.0f} s more")
        if self.visit.waited_s > most_wait_s:
            found.append(f"{name}: the visitor waited for {self.visit.waited_s:.0f} s")
        return found


class Places:
    """Count of the places that strangers hold, from the server's own figures."""

    def __init__(self, server: LiveServer) -> None:
        self._client = httpx.AsyncClient(base_url=server.url, trust_env=False)
        self._begun = time.monotonic()
        self.honest = 1
        """Sessions that are not the hoarders'."""
        self.held: list[tuple[float, int]] = []

    async def look(self) -> int:
        text = (await self._client.get("/metrics")).text
        found = re.search(r"^cohabit_free_homes (\d+)", text, re.M)
        assert found, text[:500]
        held = max(0, PLACES - int(found[1]) - self.honest)
        self.held.append((time.monotonic() - self._begun, held))
        return held

    async def watch(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(SAMPLE_S)

    async def until_free(self, timeout_s: float) -> None:
        """Wait until hoarders hold nothing, for ``timeout_s`` at most."""
        give_up_at = time.monotonic() + timeout_s
        while await self.look() and time.monotonic() < give_up_at:  # noqa: ASYNC110 — no event for it
            await asyncio.sleep(SAMPLE_S)


async def visit(server: LiveServer, places: Places) -> tuple[Visit, ProtocolClient]:
    """Come as an honest visitor who wants to play alone; return what happened, and their player."""
    places.honest += 1
    begun = time.monotonic()
    transport = httpx.AsyncHTTPTransport(local_address=HONEST)
    async with httpx.AsyncClient(
        transport=transport, base_url=server.url, trust_env=False
    ) as client:
        browser = Browser(client, server.url)
        answer = await browser.press("/", "/play/solo")
        location: str = answer.headers.get("location", "")
        told = f"{answer.status_code}, {location.split('/')[1] if location else 'refused'}"
        if location.startswith("/lobby/"):
            places.honest -= 1
            location = await _wait(server, boot_of((await browser.get(location)).text)["token"])
            places.honest += 1
        if not location:
            raise RuntimeError(f"the honest visitor was refused: {answer.text}")
        token = boot_of((await browser.get(location)).text)["token"]
    player = ProtocolClient(server.url.replace("http", "ws") + "/ws/play", server.url, token)
    await player.open()
    await player.until_playing()
    return Visit(told, time.monotonic() - begun), player


async def _wait(server: LiveServer, token: str) -> str:
    """Wait in the lobby as its page does; return where it sends the browser."""
    url = server.url.replace("http", "ws") + "/ws/lobby"
    local = (HONEST, 0)
    async with connect(url, origin=Origin(server.url), proxy=None, local_addr=local) as socket:
        await socket.send(json.dumps(["hello", token, "t"]))
        async for message in socket:
            tag, *fields = json.loads(message)
            if tag == "matched":
                return str(fields[0])
    raise ConnectionError("the lobby ended without a match")


async def hoard(
    server: LiveServer,
    pair: HonestPair,
    name: str,
    *,
    addresses: int = 1,
    seconds: float = 20.0,
    patience_s: float = 60.0,
) -> Outcome:
    """Attack for so long while the pair walks, and let an honest visitor come meanwhile."""
    places = Places(server)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.load.hoarder_attacks", "--attack", name,
        "--port", str(server.port), "--addresses", str(addresses), "--seconds", str(seconds),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    watching = asyncio.create_task(places.watch())
    begun = time.monotonic()
    await asyncio.sleep(COMES_AFTER_S * seconds)
    visiting = asyncio.create_task(visit(server, places))
    out, _ = await process.communicate()
    ended = time.monotonic()
    if process.returncode:
        raise RuntimeError(f"the hoarders of {name} failed with {process.returncode}")
    pace = pair.pace(begun, ended)
    visited, player = await asyncio.wait_for(visiting, patience_s)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await places.until_free(patience_s)
    free_after_s = time.monotonic() - ended
    await player.stop()
    return Outcome(name, addresses, places.held, free_after_s, visited, pace, json.loads(out))


def show(outcome: Outcome, every_s: float = 5.0) -> None:
    held, next_s = [], 0.0
    for at, places in outcome.held:
        if at >= next_s:
            held.append(f"{at:.0f} s: {places}")
            next_s = at + every_s
    print(
        f"{outcome.attack} from {outcome.addresses}: most {outcome.most} of {PLACES} places; "
        f"{', '.join(held)}; all free {outcome.free_after_s:.0f} s after the end\n"
        f"    visitor: {outcome.visit.told}, played after {outcome.visit.waited_s:.1f} s; pair: "
        f"{outcome.pace.frames_s:.1f} frames/s, longest gap "
        f"{1000 * outcome.pace.longest_gap_s:.0f} ms; answers: {outcome.answers}",
        flush=True,
    )


async def run(arguments: argparse.Namespace) -> list[str]:
    print(f"{len(os.sched_getaffinity(0))} cores")
    problems = []
    for addresses in arguments.addresses:
        for name in arguments.attacks:
            with started(arguments.data_dir, sessions_per_worker=PLACES, exempt_loopback=False) as (
                server,
                reach,
            ):
                async with HonestPair(server, reach) as pair:
                    outcome = await hoard(
                        server, pair, name, addresses=addresses, seconds=arguments.seconds
                    )
            show(outcome)
            problems += outcome.problems(PLACES // 2, 40.0, 45.0)
            if outcome.pace.frames_s < LEAST_FRAMES_S:
                problems.append(f"{name} from {addresses}: {outcome.pace.frames_s:.1f} frames/s")
    return problems


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--addresses", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--seconds", type=float, default=20.0, help="per attack")
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    arguments = parser.parse_args()
    exit_with_problems(run(arguments))


if __name__ == "__main__":
    main()
