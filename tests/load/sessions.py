"""Many sessions at once over real sockets: how late ticks are, and what a player costs.

    python -m tests.load.sessions --sessions 20 --seconds 20

Starts a real server (web process and workers) in a process of its own, opens sessions of two
players each, and has every player walk about and now and then pick, place, open or talk, through
msgpack over websockets. Prints figures; the processes share the machine with the load generator.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from msgspec.structs import asdict

from server.sessions.spec import SessionSpec
from server.wire.messages import Frame, SaidEvent
from tests.load.near_task import NEAR, Reach, write_near_task
from tests.load.play_server import PlayServer
from tests.load.protocol_client import ProtocolClient

WARM_UP_S = 2.0
ACT_EVERY_S = 5.0


async def serve(data_dir: Path, sessions: int, workers: int) -> None:
    """The server's process: opens the sessions, tells where they are, reports when asked."""
    async with PlayServer(data_dir, workers=workers, sessions_per_worker=1000) as server:
        tokens = []
        for _ in range(sessions):
            spec: SessionSpec = await server.open(NEAR)
            tokens.append([server.token(spec, seat.seat.seat_id) for seat in spec.seats])
        say({"url": server.url, "origin": server.origin, "tokens": tokens})
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
        )
        while await reader.readline():
            stats = server.host.stats()
            workers = [{"stats": asdict(w.stats)} for w in stats.workers if w.stats is not None]
            say({**asdict(stats), "workers": workers})


def say(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


async def play(client: ProtocolClient, reach: Reach, rng: random.Random, until: float) -> None:
    """Walk about, turning all the time, and do something now and then."""
    await client.until_playing(60)
    act_at = time.monotonic() + rng.uniform(0, ACT_EVERY_S)
    yaw = rng.randint(-3000, 3000)
    while time.monotonic() < until:
        yaw = (yaw + rng.randint(20, 400) + 3141) % 6282 - 3141
        await client.drive(1300, rng.choice((0, 0, 300)), yaw, rng.randint(-300, 100))
        if time.monotonic() >= act_at:
            act_at += ACT_EVERY_S
            if rng.random() < 0.3:
                # All clients share a clock: the partner sees how long it was under way.
                await client.say(f"{time.monotonic()}")
            else:
                await client.act(
                    rng.choice(("pick", "open", "close")),
                    client.model.index(rng.choice((reach.handle, reach.furniture))),
                )
        await asyncio.sleep(0.1)


async def measure(arguments: argparse.Namespace, data_dir: Path, reach: Reach) -> None:
    """The load generator: starts the server, plays, prints."""
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.load.sessions",
        "--serve",
        str(data_dir),
        "--sessions",
        str(arguments.sessions),
        "--workers",
        str(arguments.workers),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=16 * 1024 * 1024,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    where = await _line(server)
    rng = random.Random(1)
    clients = [
        ProtocolClient(where["url"], where["origin"], token, tab=f"t{n}")
        for n, pair in enumerate(where["tokens"])
        for token in pair
    ]
    for client in clients:
        await client.open()
    begin = time.monotonic() + WARM_UP_S
    until = begin + arguments.seconds
    players = [
        asyncio.create_task(play(client, reach, random.Random(rng.random()), until))
        for client in clients
    ]
    await asyncio.sleep(WARM_UP_S)
    travel_ms: list[float] = []
    for client in clients:
        client.on_frame = lambda frame: _note_travel(frame, travel_ms)
        client.bytes_in = client.frames = 0
        client.frame_at.clear()
    before = await _report(server)
    cpu_before, own_before = _cpu(server.pid), time.process_time()
    late: list[tuple[float, float]] = []
    stretched_s = 0.0
    for _ in range(arguments.seconds):
        await asyncio.sleep(1)
        stats = await _report(server)
        for worker in stats["workers"]:
            late.append((worker["stats"]["late_ms_p50"], worker["stats"]["late_ms_p99"]))
            stretched_s += worker["stats"]["stretched_s"]
    after = await _report(server)
    elapsed = time.monotonic() - begin
    cpu_after, own_after = _cpu(server.pid), time.process_time()
    await asyncio.gather(*players)
    _print(arguments, clients, elapsed, late, stretched_s, before, after)
    if travel_ms:
        travel_ms.sort()
        print(f"input to frame             p50 {travel_ms[len(travel_ms) // 2]:.1f} ms, "
              f"p95 {travel_ms[len(travel_ms) * 95 // 100]:.1f} ms")  # fmt: skip
    for name, seconds in cpu_after.items():
        used = seconds[0] - cpu_before.get(name, (0.0, 0))[0]
        print(f"{name:32} {100 * used / elapsed:6.1f} % CPU  {seconds[1] / 1e6:7.1f} MB")
    print(f"{'load generator':32} {100 * (own_after - own_before) / elapsed:6.1f} % CPU")
    for client in clients:
        await client.stop()
    server.stdin.close()
    await server.wait()


def _print(
    arguments: argparse.Namespace,
    clients: list[ProtocolClient],
    elapsed: float,
    late: list[tuple[float, float]],
    stretched_s: float,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    frames = sorted(c.frames / elapsed for c in clients)
    traffic = sorted(c.bytes_in / elapsed for c in clients)
    gaps = sorted(b - a for c in clients for a, b in zip(c.frame_at, c.frame_at[1:], strict=False))
    p50s, p99s = sorted(a for a, _ in late), sorted(b for _, b in late)
    ticks = [w["stats"]["tick_us_mean"] for w in after["workers"]]
    print(f"sessions {arguments.sessions}, clients {len(clients)}, {elapsed:.0f} s")
    print(f"tick lateness              p50 {p50s[len(p50s) // 2]:.1f} ms, "
          f"p99 {p99s[len(p99s) // 2]:.1f} ms (median), worst {p99s[-1]:.1f} ms")  # fmt: skip
    print(f"time stretched             {stretched_s:.2f} s")
    print(f"whole tick                 {max(ticks):.0f} us")
    print(f"frames per client          median {frames[len(frames) // 2]:.1f}/s, "
          f"least {frames[0]:.1f}/s")  # fmt: skip
    print(f"between frames             p50 {1000 * gaps[len(gaps) // 2]:.1f} ms, "
          f"p99 {1000 * gaps[len(gaps) * 99 // 100]:.1f} ms")  # fmt: skip
    print(f"traffic per client         median {traffic[len(traffic) // 2]:.0f} B/s, "
          f"most {traffic[-1]:.0f} B/s (with websocket framing)")  # fmt: skip
    sent = after["messages_out"] - before["messages_out"]
    print(f"messages out               {sent / elapsed:.0f}/s")
    print(f"first snapshot             {clients[0].snapshot_bytes} B compressed, "
          f"{clients[0].snapshot_plain_bytes} B plain")  # fmt: skip


def _note_travel(frame: Frame, travel_ms: list[float]) -> None:
    for event in frame.events:
        if isinstance(event, SaidEvent):
            travel_ms.append(1000 * (time.monotonic() - float(event.text)))  # noqa: PERF401


async def _line(server: asyncio.subprocess.Process) -> Any:
    assert server.stdout is not None
    while True:
        line = await server.stdout.readline()
        if not line:
            raise SystemExit("the server ended")
        # Its log goes the same way.
        if line.startswith(b"{"):
            return json.loads(line)


async def _report(server: asyncio.subprocess.Process) -> dict[str, Any]:
    assert server.stdin is not None
    server.stdin.write(b"\n")
    report: dict[str, Any] = await _line(server)
    return report


def _cpu(pid: int) -> dict[str, tuple[float, int]]:
    """CPU seconds and resident bytes of the server's processes."""
    web = psutil.Process(pid)
    found = {"web process": web}
    for n, child in enumerate(web.children()):
        found[f"session worker {n}"] = child
    return {name: (sum(p.cpu_times()[:2]), p.memory_info().rss) for name, p in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--data-dir", type=Path, help="with houses; it is copied")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        import uvloop

        run: Any = uvloop.run
    except ImportError:
        run = asyncio.run
    if arguments.serve is not None:
        run(serve(arguments.serve, arguments.sessions, arguments.workers))
        return
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        source = arguments.data_dir or Path("data")
        shutil.copytree(source, data_dir, ignore=shutil.ignore_patterns("*.glb", "recordings"))
        reach = write_near_task(data_dir)
        run(measure(arguments, data_dir, reach))


if __name__ == "__main__":
    main()
