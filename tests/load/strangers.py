"""Attacks of strangers, and what an honest pair that walks beside each of them notices.

    python -m tests.load.strangers --attacks pings pongs half --addresses 1 50 --seconds 8
    python -m tests.load.strangers

A real server (web process and worker), the pair in this process, and attackers in one further
process (see `stranger_attacks`): on two cores they share. ``burn`` is for comparison: that process
keeps a core busy and sends nothing. Strangers come from 127.0.0.2 and so on. It prints the frames a
second of the worse off of the pair, the longest gap between two of its frames, the memory of the
web process, and what the attackers were answered. It ends with 1 if the pair got fewer than 29
frames a second beside one of them, or memory was not flat, or an attack sent nothing or was not
told what it is by a server that holds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import psutil

from server.wire.codecs import CODECS
from server.wire.messages import Hello
from tests.live_server import LiveServer
from tests.load.honest_pair import HonestPair, Pace, pair_server
from tests.load.near_task import Reach
from tests.load.stranger_attacks import ATTACKS
from tests.server.faults.visitor import Visitor

LEAST_FRAMES_S = 29.0
MOST_GROWTH_MB = 8.0
"""Growth of memory in the second half of an attack that still counts as flat."""
NO_ATTACKS = ("none", "burn")
"""Names of what only serves for comparison."""
SAMPLE_S = 0.1
SETTLE_S = 0.5


class Outcome(NamedTuple):
    """The course of one attack. Memory is that of the web process."""

    attack: str
    addresses: int
    pace: Pace
    web_core: float
    memory_mb: list[float]
    """Samples from the beginning of the attack to its end."""
    memory_before_mb: float
    memory_after_mb: float
    told: dict[str, Any]
    is_connected: bool
    """Whether both of the pair still have their sockets."""

    @property
    def growth_mb(self) -> float:
        """Growth of the memory in the second half."""
        half = len(self.memory_mb) // 2
        return max(self.memory_mb[half:]) - max(self.memory_mb[:half])

    @property
    def was_answered(self) -> bool:
        """Whether the attack sent what it should, and was told what it should be."""
        attack, answers = ATTACKS[self.attack], self.told.get("answers", {})
        has_sent = not attack.unit or self.told.get("sent_s", 0) > 0
        return has_sent and any(answers.get(answer) for answer in attack.told)

    @property
    def problems(self) -> list[str]:
        name = f"{self.attack} from {self.addresses}"
        found = []
        if self.pace.frames_s < LEAST_FRAMES_S:
            found.append(f"{name}: {self.pace.frames_s:.1f} frames a second")
        if self.growth_mb > MOST_GROWTH_MB:
            found.append(f"{name}: memory grows by {self.growth_mb:.1f} MB")
        if not self.is_connected:
            found.append(f"{name}: the pair was disconnected")
        if self.attack not in NO_ATTACKS and not self.was_answered:
            found.append(f"{name}: it was told {self.told}")
        return found


async def attack(
    server: LiveServer,
    pair: HonestPair,
    name: str,
    *,
    addresses: int = 1,
    seconds: float = 5.0,
    path: str = "/ws/play",
    hello: bytes = b"",
    first_address: int = 2,
) -> Outcome:
    """Attack for so long while the pair walks. ``none`` is no attack.

    With ``hello`` the attackers are players, who begin with that message.
    """
    web = psutil.Process(server.pid)
    before, cpu = _memory_mb(web), web.cpu_times()
    command = [
        "-m", "tests.load.stranger_attacks", "--attack", name, "--port", str(server.port),
        "--path", path, "--addresses", str(addresses), "--seconds", str(seconds),
        "--hello", hello.hex(), "--first-address", str(first_address),
    ]  # fmt: skip
    process = None
    if name != "none":
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=asyncio.subprocess.PIPE
        )
        # It takes a moment until the interpreter is up and sends.
        await asyncio.sleep(0.3)
    begun = time.monotonic()
    memory = []
    while time.monotonic() - begun < seconds - 0.3:
        memory.append(_memory_mb(web))
        await asyncio.sleep(SAMPLE_S)
    pace = pair.pace(begun, ended := time.monotonic())
    now = web.cpu_times()
    told: dict[str, Any] = {}
    if process is not None:
        out, _ = await process.communicate()
        if process.returncode:
            raise RuntimeError(f"the attackers of {name} failed with {process.returncode}")
        told = json.loads(out)
    await asyncio.sleep(SETTLE_S)
    core = (now.user + now.system - cpu.user - cpu.system) / (ended - begun)
    return Outcome(
        name, addresses, pace, core, memory, before, _memory_mb(web), told, pair.is_connected
    )


def _memory_mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 2**20


async def seated_hello(server: LiveServer) -> bytes:
    """Return the hello of somebody who plays alone; it may be said again and again."""
    visitor = Visitor(server)
    await visitor.move_in()
    return CODECS["msgpack"].encode(Hello(visitor.token, "tab", "stranger", True))


HEAD = (
    "attack     | from | frames/s | longest gap | web core | memory MB: before, most, after | "
    "attackers: core, connections/s, sent/s, answers"
)


def show(outcome: Outcome) -> None:
    told = outcome.told
    answers = ", ".join(f"{name}: {n}" for name, n in told.get("answers", {}).items())
    print(
        f"{outcome.attack:10} | {outcome.addresses:4} | {outcome.pace.frames_s:8.1f} | "
        f"{1000 * outcome.pace.longest_gap_s:8.0f} ms | {outcome.web_core:8.2f} | "
        f"{outcome.memory_before_mb:17.0f}, {max(outcome.memory_mb):4.0f}, "
        f"{outcome.memory_after_mb:5.0f} | {told.get('core', 0):.2f}, "
        f"{told.get('connections_s', 0)}, {told.get('sent_s', 0)}; {answers}",
        flush=True,
    )


@contextmanager
def started(houses: Path, **options: object) -> Iterator[tuple[LiveServer, Reach]]:
    """Start a server with a copy of these houses; it is stopped and removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        shutil.copytree(houses, data_dir, ignore=shutil.ignore_patterns("*.glb", "recordings"))
        # Strangers come from this machine too, and must meet what they would meet elsewhere.
        server, reach = pair_server(data_dir, **{"exempt_loopback": False, **options})
        server.start()
        try:
            yield server, reach
        finally:
            server.stop()


async def meet(
    houses: Path,
    name: str,
    *,
    addresses: int,
    seconds: float,
    path: str = "/ws/play",
    seated: bool = False,
) -> Outcome:
    """Let an attack meet a fresh server and a fresh pair, for as long as it takes at least."""
    least_s = ATTACKS[name].least_s if name in ATTACKS else 0.0
    with started(houses) as (server, reach):
        async with HonestPair(server, reach) as pair:
            await pair.walk(1.0)
            return await attack(
                server,
                pair,
                name,
                addresses=addresses,
                seconds=max(seconds, least_s),
                path=path,
                hello=await seated_hello(server) if seated else b"",
            )


async def run(arguments: argparse.Namespace) -> list[str]:
    print(f"{len(os.sched_getaffinity(0))} cores")
    print(HEAD, flush=True)
    problems = []
    for addresses in arguments.addresses:
        for name in arguments.attacks:
            outcome = await meet(
                arguments.data_dir,
                name,
                addresses=addresses,
                seconds=arguments.seconds,
                path=arguments.path,
                seated=arguments.seated,
            )
            show(outcome)
            problems += outcome.problems
    return problems


def exit_with_problems(attacks: Coroutine[Any, Any, list[str]]) -> NoReturn:
    """Do the attacks, print the problems they found and exit with 1 if there were any.

    Whoever interrupts them wants no verdict: that is 0.
    """
    problems: list[str] = []
    with contextlib.suppress(KeyboardInterrupt):
        problems = asyncio.run(attacks)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [*NO_ATTACKS, *(name for name in ATTACKS if name not in NO_ATTACKS)]
    parser.add_argument("--attacks", nargs="+", choices=names, default=names)
    parser.add_argument("--addresses", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--seconds", type=float, default=5.0, help="per attack")
    parser.add_argument("--path", default="/ws/play", help="or /ws/watch, /ws/lobby")
    parser.add_argument("--seated", action="store_true", help="attackers have a seat of their own")
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    arguments = parser.parse_args()
    exit_with_problems(run(arguments))


if __name__ == "__main__":
    main()
