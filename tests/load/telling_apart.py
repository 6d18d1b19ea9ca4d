"""Attempt to tell a policy from a person by all that participants receive in a study that hides it.

    python -m tests.load.telling_apart --data data
    python -m tests.load.telling_apart --data data --streams 300 --at-once 24 --keep streams

Parts of scripted people are recorded. Each is then played many times: by a ghost at the server, and
by a client that sends the same intents over its socket, as a page does. A classifier learns from
what the other player received (pages, texts, statuses, waits, frames, timing), and is tested on
parts that it has not seen. With three leaks planted into the same streams it has to find them.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from server.recording.recordings import read_recording
from server.robots.baselines.ghost import started_in
from server.sessions.spec import TICK_RATE
from tests.live_server import LiveServer, choose_tasks
from tests.load.telling_apart_classifier import PLANTED, Score, scores
from tests.load.telling_apart_studies import PARTS, name_of, part, recordings
from tests.load.telling_apart_visitors import Stream, Visitor

PEOPLE = ("slow", "erring", "passive", "contrary")
TASK = "1"
PART_S = 10.0
ON_THE_WAY = 3
"""Visitors of a study at a time."""
GAP_S = 1.0
"""Mean time (s) between the two who come to a study one after the other."""


def record(data_dir: Path, folder: Path, count: int, seconds: float = PART_S) -> None:
    """Record parts of scripted people, and keep the first seconds of each in a folder."""
    trial = folder.with_name("trial")
    people = list(itertools.chain.from_iterable(("--partner", f"person-{p}") for p in PEOPLE))
    command = [
        sys.executable, "-m", "server.cli", "trial", str(trial), "--robot", "nobody", *people,
        "--count", "1", "--repetitions", str(-(-count // len(PEOPLE))),
    ]  # fmt: skip
    env = {**os.environ, "COHABIT_DATA_DIR": str(data_dir)}
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((trial / "recordings").glob("*.jsonl"))[:count]:
        _cut(path, folder / path.name, seconds)


def _cut(path: Path, to: Path, seconds: float) -> None:
    """Copy a recording as far as so many seconds after its start, as one that breaks off there."""
    recording = next(iter(read_recording(path)))
    last = started_in(recording) + round(seconds * TICK_RATE)
    kept: list[bytes] = []
    for line in path.read_bytes().splitlines(keepends=True):
        tick = msgspec.json.decode(line).get("t", -1)
        if tick > last:
            break
        kept.append(line)
    to.write_bytes(b"".join(kept))


class Day:
    """Visitors who come to the studies one after the other, until there are streams enough."""

    def __init__(self, url: str, paths: Sequence[Path], at_once: int, seed: int) -> None:
        self._url, self._rng = url, random.Random(seed)
        self._parts = [part(path) for path in paths]
        # Of a study three are on their way: two of a pair, and one who waits for the next.
        self._studies = asyncio.Semaphore(max(1, at_once // ON_THE_WAY))
        self._numbers = itertools.count(1)
        self._coming: list[Visitor] = []
        """All who came, also those who are under way or gave up: they may have played a part."""
        self._visitors: list[Visitor] = []
        """Those who came to the end."""
        self._begun = time.monotonic()

    async def run(self, streams: int) -> list[Stream]:
        """Return so many streams of each kind at least, evenly over the parts."""
        each = -(-streams // len(self._parts))
        await asyncio.gather(*(self._of_study(n, each) for n in range(len(self._parts))))
        return self._streams()

    async def _of_study(self, study: int, each: int) -> None:
        coming: set[asyncio.Task[None]] = set()
        async with self._studies:
            while min(self._count(study).values()) < each:
                if len(coming) < ON_THE_WAY:
                    coming.add(asyncio.create_task(self._come(study)))
                    await asyncio.sleep(self._rng.expovariate(1 / GAP_S))
                else:
                    await asyncio.wait(coming, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in coming if task.done()]:
                    coming.remove(task)
                    task.result()
        # Whoever is left over waits for somebody who does not come any more.
        for task in coming:
            task.cancel()
        await asyncio.gather(*coming, return_exceptions=True)

    async def _come(self, study: int) -> None:
        rng = random.Random(self._rng.random())
        visitor = Visitor(
            self._url, name_of(study), next(self._numbers), study, self._parts[study], rng
        )
        self._coming.append(visitor)
        await visitor.take_part()
        self._visitors.append(visitor)
        found = Counter(stream.by for stream in self._streams())
        seconds = time.monotonic() - self._begun
        print(f"{seconds:6.0f} s  {dict(found)}", end="\r", flush=True)

    def _count(self, study: int) -> dict[str, int]:
        found = Counter(s.by for s in self._streams() if s.recording == study)
        return {"person": found["person"], "policy": found["policy"]}

    def _streams(self) -> list[Stream]:
        """Return the streams of all who watched; a person plays where somebody sent the part."""
        by_people = {v.session_id for v in self._coming if v.is_sending}
        for visitor in self._visitors:
            visitor.stream.by = "person" if visitor.session_id in by_people else "policy"
        return [v.stream for v in self._visitors if v.is_watching]


def collect(data_dir: Path, arguments: argparse.Namespace) -> list[Stream]:
    """Play all parts on a server of their own, and return what the others received."""
    folder = data_dir.with_name("parts")
    record(data_dir, folder, arguments.parts)
    os.environ[PARTS] = str(folder)
    server = LiveServer(
        data_dir, studies="tests.load.telling_apart_studies:studies", workers=2, clock_wait_s=60
    )
    server.start()
    try:
        day = Day(server.url, recordings(), arguments.at_once, arguments.seed)
        return asyncio.run(day.run(arguments.streams))
    finally:
        server.stop()


def show(found: Sequence[Score]) -> None:
    """Print a table of how well a classifier tells a person from a policy."""
    print(f"\n{'streams':14} {'model':7} {'AUC':>5}  95 % bounds")
    for one in found:
        print(f"{one.name:14} {one.model:7} {one.auc:5.2f}  {one.low:.2f} to {one.high:.2f}")
    for name, best in dict.fromkeys((one.name, one.best) for one in found):
        print(f"{name}: each by itself: {best}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="data directory with houses")
    parser.add_argument("--streams", type=int, default=300, help="of each kind")
    parser.add_argument("--parts", type=int, default=20, help="recorded parts")
    parser.add_argument("--at-once", type=int, default=16, help="visitors at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="file for the streams, to look at again")
    parser.add_argument("--again", type=Path, help="file of streams that were kept")
    arguments = parser.parse_args()
    if arguments.again:
        streams = msgspec.msgpack.decode(arguments.again.read_bytes(), type=list[Stream])
    else:
        with tempfile.TemporaryDirectory() as scratch:
            data_dir = Path(scratch) / "data"
            shutil.copytree(arguments.data, data_dir, ignore=shutil.ignore_patterns("*.db*"))
            choose_tasks(data_dir, TASK)
            streams = collect(data_dir, arguments)
    if arguments.keep:
        arguments.keep.write_bytes(msgspec.msgpack.encode(streams))
    show([s for planted in ("", *PLANTED) for s in scores(streams, planted, arguments.seed)])


if __name__ == "__main__":
    main()
