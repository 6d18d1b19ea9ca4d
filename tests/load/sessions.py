"""A load program: how late ticks are with many sessions, what a player costs, where it breaks.

    python -m tests.load.sessions --sessions 200 --seconds 15
    python -m tests.load.sessions --sessions 40 80 120 160 200 240 280 --seconds 12
    python -m tests.load.sessions --team 5human --sessions 60 --workers 2
    python -m tests.load.sessions --team 5human --sessions 1 2 4 --simulator habitat

Starts a real server (web process and workers) in processes of their own, opens sessions of a team
of people each, all walking and acting (see `crowd`), and prints a row for each number of sessions.
Evaluator and log are on. The load generator shares the machine's cores with the server, and says
how many there are. It ends by what broke first, if something did.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import shutil
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from msgspec.structs import asdict

from episodes.teams import Team
from server.ipc.messages import LATE_BUCKETS_S
from tests.load.crowd import Player, SharedSession, Tally, play
from tests.load.near_task import NEAR, PICKER, Reach, near_data_dir
from tests.load.play_server import PlayServer
from tests.load.replay_peer import bytes_of
from tests.server.simulators.habitat_data import exported_house

SETTLE_S = 3.0
MOST_LATE_MS = 15.0
MOST_TRAVEL_MS = 60.0
LIMITS = f"p99 lateness > {MOST_LATE_MS:g} ms, p95 travel > {MOST_TRAVEL_MS:g} ms, stretched time"


async def serve(data_dir: Path, workers: int, team: str, **options: Any) -> None:
    """Run the server's process: close and open as many sessions as it is told, and report."""
    # Workers are not renewed: a process that is replaced could not be seen to grow.
    async with PlayServer(
        data_dir, workers=workers, sessions_per_worker=1000, worker_episodes=1_000_000
    ) as server:
        say({"url": server.url, "origin": server.origin})
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
        )
        ids: deque[str] = deque()
        while line := await reader.readline():
            order = json.loads(line)
            for _ in range(order["close"]):
                await server.host.close_session(ids.popleft(), "enough")
            tokens = []
            for _ in range(order["open"]):
                spec = await server.open(NEAR, team=team, **options)
                ids.append(spec.session_id)
                seats = [seat.seat.seat_id for seat in spec.seats]
                tokens.append([(seat, server.token(spec, seat)) for seat in seats])
            stats = server.host.stats()
            told = [asdict(w.stats) for w in stats.workers if w.stats is not None]
            say({**asdict(stats), "workers": told, "tokens": tokens})


def say(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


class Server:
    """The server's process, seen from the load generator."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.url = self.origin = ""

    @classmethod
    async def start(cls, data_dir: Path, workers: int, team: str = "pair", *options: str) -> Server:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.load.sessions", "--serve", str(data_dir),
            "--workers", str(workers), "--team", team, *options,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=16 * 1024 * 1024,
        )  # fmt: skip
        server = cls(process)
        where = await server._line()
        server.url, server.origin = where["url"], where["origin"]
        return server

    async def ask(self, *, opened: int = 0, closed: int = 0) -> dict[str, Any]:
        """Close the oldest sessions and open so many others.

        Returns what the host tells, and tokens by session and seat.
        """
        assert self._process.stdin is not None
        order = {"open": opened, "close": closed}
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        told: dict[str, Any] = await self._line()
        return told

    async def _line(self) -> Any:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            # Its log goes the same way.
            if line.startswith(b"{"):
                return json.loads(line)
        raise SystemExit("the server ended")

    def processes(self) -> dict[str, psutil.Process]:
        web = psutil.Process(self._process.pid)
        found = {"web": web}
        found |= {f"worker {n}": child for n, child in enumerate(web.children())}
        return found

    async def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


class Row(NamedTuple):
    """Measurements with so many sessions; CPU is in percent of one core."""

    sessions: int
    clients: int
    late_p50_ms: float
    late_p99_ms: float
    stretched_s: float
    travel_ms: tuple[float, float, float]
    cpu: dict[str, float]
    clients_cpu: float
    rss_mb: dict[str, float]
    tick_us: float
    frames_per_client_s: float
    client_bytes_s: float
    acts_s: float
    done_share: float

    @property
    def breaks(self) -> list[str]:
        """The figures that are worse than they may be."""
        found = []
        if self.late_p99_ms > MOST_LATE_MS:
            found.append(f"ticks are late (p99 {self.late_p99_ms:.1f} ms)")
        if self.travel_ms[1] > MOST_TRAVEL_MS:
            found.append(f"inputs travel long (p95 {self.travel_ms[1]:.0f} ms)")
        if self.stretched_s > 0:
            found.append(f"time is stretched ({self.stretched_s:.2f} s)")
        return found

    @property
    def busiest(self) -> str:
        name = max(self.cpu, key=lambda n: self.cpu[n])
        return f"{name} {self.cpu[name]:.0f} %"


class Measure:
    """A run that grows the crowd step by step and measures at each."""

    def __init__(self, server: Server, reach: Reach, bodies: int = 2) -> None:
        self._server, self._reach, self._bodies = server, reach, bodies
        self._players: list[Player] = []
        """So many players of each session, the oldest sessions first."""
        self._tally = Tally()
        self._rng = random.Random(1)

    async def grow(self, sessions: int) -> None:
        """Open sessions until there are so many, and have everybody play."""
        missing = sessions - len(self._players) // self._bodies
        await self.replace(0, missing)

    async def replace(self, closed: int, opened: int) -> None:
        """Close the oldest sessions and have others open, and everybody in them play."""
        for player in self._players[: self._bodies * closed]:
            player.leave()
        del self._players[: self._bodies * closed]
        told = await self._server.ask(opened=opened, closed=closed)
        newcomers = []
        for seats in told["tokens"]:
            shared = SharedSession(self._reach)
            for _seat, token in seats:
                player = Player(shared, self._tally, self._rng)
                newcomers.append(player)
                await player.join(self._server.url, self._server.origin, token)
        self._players += newcomers
        give_up_at = time.monotonic() + 30
        while not all(p.is_playing for p in newcomers):
            if time.monotonic() > give_up_at:
                raise SystemExit("not everybody could play within 30 s")
            await asyncio.sleep(0.1)

    async def run(self, seconds: int) -> Row:
        playing = asyncio.create_task(play(self._players))
        await asyncio.sleep(SETTLE_S)
        self._renew_tally()
        self._players[0].motion = []
        before, cpu_before = await self._server.ask(), self._cpu()
        bytes_before = sum(player.bytes_in for player in self._players)
        begun, own = time.monotonic(), time.process_time()
        stretched_s = 0.0
        ticks_us = []
        for _ in range(seconds):
            await asyncio.sleep(1)
            told = (await self._server.ask())["workers"]
            stretched_s += sum(worker["stretched_s"] for worker in told)
            ticks_us += [worker["tick_us_mean"] for worker in told]
        elapsed = time.monotonic() - begun
        own = time.process_time() - own
        after, cpu_after = await self._server.ask(), self._cpu()
        bytes_in = sum(player.bytes_in for player in self._players) - bytes_before
        playing.cancel()
        counts = [
            b - a
            for a, b in zip(_counts(before["workers"]), _counts(after["workers"]), strict=True)
        ]
        travel = sorted(self._tally.travel_s) or [0.0]
        acts = self._tally.done + self._tally.refused
        clients = len(self._players)
        return Row(
            sessions=clients // self._bodies,
            clients=clients,
            late_p50_ms=1000 * late_quantile(counts, 0.50),
            late_p99_ms=1000 * late_quantile(counts, 0.99),
            stretched_s=stretched_s,
            travel_ms=(_at(travel, 0.50), _at(travel, 0.95), _at(travel, 0.99)),
            cpu={n: 100 * (s - cpu_before.get(n, 0.0)) / elapsed for n, s in cpu_after.items()},
            clients_cpu=100 * own / elapsed,
            rss_mb={n: p.memory_info().rss / 1e6 for n, p in self._server.processes().items()},
            tick_us=max(ticks_us),
            frames_per_client_s=self._tally.frames / clients / elapsed,
            client_bytes_s=bytes_in / clients / elapsed,
            acts_s=acts / elapsed,
            done_share=self._tally.done / max(acts, 1),
        )

    def _renew_tally(self) -> None:
        self._tally = Tally()
        for player in self._players:
            player.tally = self._tally

    def _cpu(self) -> dict[str, float]:
        return {n: sum(p.cpu_times()[:2]) for n, p in self._server.processes().items()}

    def peer(self, seconds: float) -> tuple[float, float]:
        """Bytes a second of the first player's last run, as Habitat would have sent them."""
        motion = self._players[0].motion or []
        self._players[0].motion = None
        raw, packed = bytes_of(motion)
        return raw / seconds, packed / seconds

    @property
    def rules(self) -> dict[str, int]:
        return self._tally.rules

    @property
    def players(self) -> list[Player]:
        return self._players

    def leave(self) -> None:
        for player in self._players:
            player.leave()


def summed(counts: Iterable[Sequence[int]]) -> list[int]:
    """Return the histogram of all workers."""
    return [sum(column) for column in zip(*counts, strict=True)]


def _counts(workers: Sequence[dict[str, Any]]) -> list[int]:
    return summed(w["late_counts"] for w in workers)


def late_quantile(counts: Sequence[int], share: float) -> float:
    """Return a quantile of a histogram over `LATE_BUCKETS_S`, the last bound at most.

    It is linear within a bucket.
    """
    wanted, below = share * sum(counts), 0.0
    low = 0.0
    for count, high in zip(counts, LATE_BUCKETS_S, strict=False):
        if count and below + count >= wanted:
            return low + (high - low) * (wanted - below) / count
        below, low = below + count, high
    return low


def _at(ordered: Sequence[float], share: float) -> float:
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


HEAD = (
    "sessions | late p50 | p99 ms | stretched | travel p50 | p95 | p99 ms | tick us | web % | "
    "workers % | clients % | frames/s | B/s per client | acts/s done"
)


def show(row: Row) -> None:
    workers = sum(value for name, value in row.cpu.items() if name != "web")
    p50, p95, p99 = row.travel_ms
    print(
        f"{row.sessions:8} | {row.late_p50_ms:8.2f} | {row.late_p99_ms:6.1f} | "
        f"{row.stretched_s:7.2f} s | {p50:10.0f} | {p95:3.0f} | {p99:6.0f} | {row.tick_us:7.0f} | "
        f"{row.cpu['web']:5.0f} | {workers:9.0f} | {row.clients_cpu:9.0f} | "
        f"{row.frames_per_client_s:8.1f} | {row.client_bytes_s:14.0f} | "
        f"{row.acts_s:5.0f} {100 * row.done_share:.0f} %",
        flush=True,
    )


async def measure(arguments: argparse.Namespace, data_dir: Path, reach: Reach) -> None:
    """Generate the load: start the server, play, print."""
    bodies = arguments.team.bodies
    print(
        f"{len(os.sched_getaffinity(0))} cores, {arguments.workers} worker(s), teams of {bodies}, "
        f"{arguments.rules}, on {arguments.simulator}; limits: {LIMITS}"
    )
    print(HEAD, flush=True)
    options = ("--rules", arguments.rules, "--simulator", arguments.simulator)
    server = await Server.start(data_dir, arguments.workers, str(arguments.team), *options)
    run = Measure(server, reach, bodies)
    gc.set_threshold(100_000, 50, 100)
    rows = []
    for sessions in sorted(arguments.sessions):
        await run.grow(sessions)
        row = await run.run(arguments.seconds)
        rows.append(row)
        show(row)
        if row.breaks:
            print(f"breaks at {row.sessions}: {', '.join(row.breaks)}; busiest: {row.busiest}")
            if not arguments.keep_on:
                break
    raw, packed = run.peer(arguments.seconds)
    last, first = rows[-1], rows[0]
    ours = last.client_bytes_s
    print(f"traffic per client: ours {ours:.0f} B/s; the same motion as gfx-replay JSON "
          f"{raw:.0f} B/s, deflated {packed:.0f} B/s ({packed / ours:.1f} times)")  # fmt: skip
    print(f"traffic per client and body in view: {ours / (bodies - 1):.0f} B/s")
    print(f"web process: {last.rss_mb['web']:.0f} MB with {last.clients} clients")
    if len(rows) > 1:
        grown = sum(last.rss_mb.values()) - last.rss_mb["web"]
        grown -= sum(first.rss_mb.values()) - first.rss_mb["web"]
        each = grown / (last.sessions - first.sessions)
        print(f"workers: {each:.2f} MB more per session")
    if run.rules:
        print(f"refused: {run.rules}")
    run.leave()
    await server.stop()


def _people(text: str) -> Team:
    """Read a team of two people or more, one of whom has a human body."""
    team = Team.parse(text)
    if len(team.people) < max(2, len(team.members)) or PICKER not in team.people:
        raise argparse.ArgumentTypeError(f"expected people alone, one of them a human, got {text}")
    return team


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="+", default=[20])
    parser.add_argument("--seconds", type=int, default=12, help="per number of sessions")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--team", type=_people, default="pair", help="people alone, one a human")
    parser.add_argument("--rules", default="cohabit@1", help="cohabit@2: bodies block")
    parser.add_argument("--simulator", choices=("household", "habitat"), default="household")
    parser.add_argument("--keep-on", action="store_true", help="go on after something broke")
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        import uvloop

        run: Any = uvloop.run
    except ImportError:
        run = asyncio.run
    if arguments.serve is not None:
        options = {"profile": arguments.rules, "simulator": arguments.simulator}
        run(serve(arguments.serve, arguments.workers, str(arguments.team), **options))
        return
    with near_data_dir(arguments.data_dir, str(arguments.team)) as (data_dir, reach):
        if arguments.simulator == "habitat":
            shutil.copytree(exported_house(), data_dir / "habitat", dirs_exist_ok=True)
        run(measure(arguments, data_dir, reach))


if __name__ == "__main__":
    main()
