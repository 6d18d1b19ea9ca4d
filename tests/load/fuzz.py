"""Hostile messages by the hundred thousand: each is answered, or closed as the protocol says.

    python -m tests.load.fuzz --count 100000 --seed 1 --data-dir data

A real server (web process and workers) in which an honest pair walks; a further process sends
hostile messages to its websockets, forms and pages; then mutated recordings go through everything
that reads one. It prints what became of them, counted, and ends with 1 if anything else happened:
an answer that the protocol does not name, none at all, a traceback in the server's log, a dead
worker, a pair that was disturbed, or memory that grows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.live_server import LiveServer
from tests.load.fuzz_tally import Tally
from tests.load.honest_pair import HonestPair, Pace, pair_server

COUNT = 100_000
RECORDINGS_SHARE = 0.01
"""Mutated recordings among the messages: each is read several times."""
LEAST_FRAMES_S = 29.0
MOST_GROWTH_MB = 24.0
"""Growth of the web process's memory in the second half that still counts as flat."""
RECORDINGS = Path(__file__).parents[1] / "data" / "compatibility" / "recordings"
OPTIONS: dict[str, object] = {
    "exempt_loopback": True,
    "sessions_per_worker": 32,
    # A machine that is busy with other things opens no homes: strangers would wait for one.
    "late_limit_ms": 0,
}
_PROBLEM = re.compile(
    r"Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(?P<error>[\w.]*).*"
    r"|.*(?:worker\.died|worker\.hangs|never retrieved).*"
)


class Outcome(NamedTuple):
    """The end of hostile messages, and of those beside them."""

    seed: int
    tally: Tally
    calm: Pace
    """Pace of the pair before."""
    pace: Pace
    """Pace of the pair beside the messages."""
    growth_mb: float
    seconds: float
    problems: list[str]


async def fuzz(
    data_dir: Path, count: int, seed: int, *, least_frames_s: float = LEAST_FRAMES_S
) -> Outcome:
    """Send so many messages to a server with a copy of some houses."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "data"
        shutil.copytree(data_dir, own, ignore=shutil.ignore_patterns("*.glb", "recordings"))
        server, reach = pair_server(own, **OPTIONS)
        server.start()
        try:
            async with HonestPair(server, reach) as pair:
                return await _beside(server, pair, count, seed, least_frames_s)
        finally:
            server.stop()


async def _beside(
    server: LiveServer, pair: HonestPair, count: int, seed: int, least_frames_s: float
) -> Outcome:
    """Send the messages while the pair walks, and look for what must not be."""
    workers, web = server.workers(), psutil.Process(server.pid)
    calm, begun = await pair.walk(2.0), time.monotonic()
    tally, mutants = Tally(), max(20, round(count * RECORDINGS_SHARE))
    memory = []
    # Two halves: what a server keeps for good it has taken in the first.
    for half in (0, 1):
        number = str((count - mutants) // 2)
        sent = ("--url", server.url, "--count", number, "--seed", f"{2 * seed + half}")
        tally.add(await _process("tests.load.fuzz_sender", *sent))
        memory.append(web.memory_info().rss / 2**20)
    pace = pair.pace(begun, ended := time.monotonic())
    logs = sorted(map(str, RECORDINGS.glob("*.jsonl.gz")))
    read = ("--count", str(mutants), "--seed", str(seed), *logs)
    tally.add(await _process("tests.load.fuzz_recordings", *read))
    after = await pair.walk(1.0)
    problems = []
    if tally.surprised:
        problems += [f"{tally.surprised} surprises", *tally.surprises]
    if not pair.is_connected or not after.frames_s:
        problems.append("the pair was disconnected")
    if pace.frames_s < least_frames_s:
        problems.append(f"the pair had {pace.frames_s:.1f} frames a second")
    if memory[1] - memory[0] > MOST_GROWTH_MB:
        problems.append(f"memory grows by {memory[1] - memory[0]:.0f} MB")
    if server.workers() != workers:
        problems.append("a worker died")
    problems += problems_in(server.log.read_text(errors="replace"))
    growth = memory[1] - memory[0]
    return Outcome(seed, tally, calm, pace, growth, ended - begun, problems)


def problems_in(log: str) -> list[str]:
    """Return what must not be in a server's log, each kind once, with its last lines."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for at in _PROBLEM.finditer(log):
        kind = at["error"] or at[0]
        counts[kind] += 1
        found.setdefault(kind, "\n".join(at[0].splitlines()[-12:]))
    return [f"the log has {counts[kind]} times: {text}" for kind, text in found.items()]


async def _process(module: str, *arguments: str) -> dict[str, object]:
    """Run a part of this in a process of its own; return what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"{module} failed with {process.returncode}")
    told: dict[str, object] = json.loads(out)
    return told


def show(outcome: Outcome) -> None:
    """Print the table, and what is wrong."""
    print(f"\nseed {outcome.seed}: {outcome.tally.messages} messages in {outcome.seconds:.0f} s")
    print("surface      |   count | what became of them")
    for line in outcome.tally.table():
        print(line)
    print(
        f"the honest pair: {outcome.calm.frames_s:.1f} frames/s before, "
        f"{outcome.pace.frames_s:.1f} beside it, "
        f"longest gap {1000 * outcome.pace.longest_gap_s:.0f} ms; "
        f"memory in the second half {outcome.growth_mb:+.1f} MB"
    )
    for problem in outcome.problems:
        print(f"PROBLEM {problem}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(31))
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    arguments = parser.parse_args()
    outcome = asyncio.run(fuzz(arguments.data_dir, arguments.count, arguments.seed))
    show(outcome)
    sys.exit(1 if outcome.problems else 0)


if __name__ == "__main__":
    main()
