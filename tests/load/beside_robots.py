"""A load program: what a slow model costs people in ticks, and whether a server gets batches.

    python -m tests.load.beside_robots --sessions 20 --seconds 20
    python -m tests.load.beside_robots --sessions 16 --url http://127.0.0.1:8100/v1 --model tiny

Opens paced sessions in which a person walks and acts, and a model plays the robot. Without
``--url`` the model is a double that answers after ten seconds. The same sessions without robots are
measured first. A row has ticks per second and session, how late they were, and what the model
server counted meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from server.sessions.spec import SeatSpec, SessionSpec
from tests.load.crowd import Player, SharedSession, Tally, play
from tests.load.near_task import NEAR, Reach, near_data_dir
from tests.load.play_server import PlayServer
from tests.load.sessions import late_quantile, summed
from tests.model_double import ModelDouble, named

SETTLE_S = 3.0
START_S = 60.0
HUMAN = "human_0"
RUNNING, ASKED, CACHE_HITS, CACHE_ASKED = (
    "vllm:num_requests_running",
    "vllm:request_success_total",
    "vllm:prefix_cache_hits_total",
    "vllm:prefix_cache_queries_total",
)


class Row(NamedTuple):
    robot: str
    ticks_per_s: float
    """Ticks per second of one session."""
    late_p99_ms: float
    calls: float
    most_running: float
    """Requests that the server worked on at once."""
    cache_hits: float
    """Share of prompt tokens that it had read before; NaN where it does not tell."""


def gauges(url: str) -> dict[str, float]:
    """Return the model server's counters, summed over their labels."""
    found: dict[str, float] = {}
    with urllib.request.urlopen(url.removesuffix("/v1") + "/metrics", timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            name, value = line.partition(" ")[0], line.rpartition(" ")[2]
            if line and not line.startswith("#"):
                key = name.partition("{")[0]
                found[key] = found.get(key, 0.0) + float(value)
    return found


def with_robot(spec: SessionSpec, robot: str) -> SessionSpec:
    """Return the same spec with a policy in the robot's seat, or nobody."""
    seats = tuple(
        s if s.seat.seat_id == HUMAN else SeatSpec(s.seat, bool(robot), robot) for s in spec.seats
    )
    return msgspec.structs.replace(spec, seats=seats)


async def measure(
    data_dir: Path, reach: Reach, robot: str, arguments: argparse.Namespace, url: str
) -> Row:
    options = {"model_url": url, "model_name": arguments.model, "model_deadline_s": 120.0}
    rng = random.Random(1)
    async with PlayServer(data_dir, workers=1, sessions_per_worker=1000, **options) as server:
        players = []
        for _ in range(arguments.sessions):
            spec = with_robot(server.spec(), robot)
            await server.host.open(spec, server.episode(NEAR))
            player = Player(SharedSession(reach), Tally(), rng)
            await player.join(server.url, server.origin, server.token(spec, HUMAN))
            players.append(player)
        async with asyncio.timeout(START_S):
            while not all(p.is_playing for p in players):  # noqa: ASYNC110 — players tell nobody
                await asyncio.sleep(0.1)
        playing = asyncio.create_task(play(players))
        await asyncio.sleep(SETTLE_S)
        told_before = gauges(url) if robot else {}
        begun, before = await _told_next(server)
        running = 0.0
        for _ in range(arguments.seconds * 2):
            await asyncio.sleep(0.5)
            if robot:
                told = await asyncio.to_thread(gauges, url)
                running = max(running, told.get(RUNNING, 0.0))
        ended, after = await _told_next(server)
        counts = [b - a for a, b in zip(before, after, strict=True)]
        told_after = gauges(url) if robot else {}
        playing.cancel()
        for player in players:
            player.leave()

    def grown(name: str) -> float:
        return told_after.get(name, 0.0) - told_before.get(name, 0.0)

    asked = grown(CACHE_ASKED)
    return Row(
        robot or "nobody",
        sum(counts) / arguments.sessions / (ended - begun),
        1000 * late_quantile(counts, 0.99),
        grown(ASKED),
        running,
        grown(CACHE_HITS) / asked if asked else float("nan"),
    )


def _late_counts(server: PlayServer) -> list[int]:
    workers = server.host.stats().workers
    return summed(w.stats.late_counts for w in workers if w.stats is not None)


async def _told_next(server: PlayServer) -> tuple[float, list[int]]:
    """Return the counts at the moment at which the worker tells them (once a second)."""
    before = _late_counts(server)
    while (now := _late_counts(server)) == before:  # noqa: ASYNC110 — nobody is told
        await asyncio.sleep(0.01)
    return time.monotonic(), now


@contextmanager
def model_server(url: str, slow_s: float) -> Iterator[str]:
    """Return the server that is named, or a double that takes its time."""
    if url:
        yield url
        return
    with ModelDouble(named(f"slow:{slow_s}")) as double:
        yield double.url


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--robot", default="react")
    parser.add_argument("--url", default="", help="a model server; without it: the slow double")
    parser.add_argument("--model", default="", help="the server's name of a model")
    parser.add_argument("--slow", type=float, default=10.0, help="seconds per answer of the double")
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    rows = compared(parser.parse_args())
    lost = 1 - rows[1].ticks_per_s / rows[0].ticks_per_s
    print(f"tick rate with robots: {100 * lost:.1f} % lower")


def compared(arguments: argparse.Namespace) -> list[Row]:
    """Measure the sessions without robots, then with."""
    print("robot        | ticks/s, session | p99 late ms | calls | most at once | cache hits")
    rows = []
    with model_server(arguments.url, arguments.slow) as url:
        for robot in ("", arguments.robot):
            with near_data_dir(arguments.data_dir) as (data_dir, reach):
                row = asyncio.run(measure(data_dir, reach, robot, arguments, url))
            rows.append(row)
            print(
                f"{row.robot:12} | {row.ticks_per_s:16.2f} | {row.late_p99_ms:11.1f} | "
                f"{row.calls:5.0f} | {row.most_running:12.0f} | {row.cache_hits:10.2f}",
                flush=True,
            )
    return rows


if __name__ == "__main__":
    main()
