"""A soak test, hours of play in minutes: sessions come and go, connections drop, nothing grows.

    python -m tests.load.soak --sessions 40 --minutes 30

Memory and file handles of the web process and of each worker are read every few seconds. They are
flat if, after the first third, which fills what is kept on purpose, they grow by less than stands
in `MOST_GROWTH`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.load.crowd import play
from tests.load.near_task import Reach, near_data_dir
from tests.load.sessions import Measure, Server

SAMPLE_S = 5.0
MOST_GROWTH = 0.05
"""Most growth of memory from the second third to the last, as a share."""
MOST_GROWTH_MB = 8.0
MOST_MORE_HANDLES = 8
CHURN_SHARE = 0.1
"""Share of sessions that are replaced, and of players who come back, at each sample."""


class Sample(NamedTuple):
    rss_mb: float
    handles: int


class Soaked(NamedTuple):
    """Memory and handles that one process used, by sample."""

    name: str
    samples: list[Sample]

    def thirds(self) -> tuple[Sequence[Sample], Sequence[Sample]]:
        """Return the second third and the last."""
        third = len(self.samples) // 3
        return self.samples[third : 2 * third], self.samples[2 * third :]

    @property
    def growth_mb(self) -> float:
        before, after = self.thirds()
        return _mean(s.rss_mb for s in after) - _mean(s.rss_mb for s in before)

    @property
    def problems(self) -> list[str]:
        """The figures that are not flat."""
        before, after = self.thirds()
        allowed = max(MOST_GROWTH_MB, MOST_GROWTH * _mean(s.rss_mb for s in before))
        found = []
        if self.growth_mb > allowed:
            found.append(f"{self.name}: memory grows by {self.growth_mb:.1f} MB")
        more = max(s.handles for s in after) - max(s.handles for s in before)
        if more > MOST_MORE_HANDLES:
            found.append(f"{self.name}: {more} more file handles")
        return found


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


async def soak(data_dir: Path, reach: Reach, sessions: int, seconds: float) -> list[Soaked]:
    """Play for so long; what each process used."""
    server = await Server.start(data_dir, workers=1)
    crowd = Measure(server, reach)
    await crowd.grow(sessions)
    playing = asyncio.create_task(play(crowd.players))
    rng = random.Random(1)
    used: dict[str, list[Sample]] = defaultdict(list)
    churn = max(1, round(CHURN_SHARE * sessions))
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            await asyncio.sleep(SAMPLE_S)
            if playing.done():
                playing.result()
            for name, process in server.processes().items():
                used[name].append(_sample(process))
            await crowd.replace(churn, churn)
            for player in rng.sample(crowd.players, churn):
                await player.return_again()
    finally:
        playing.cancel()
    crowd.leave()
    await server.stop()
    return [Soaked(name, samples) for name, samples in used.items()]


def _sample(process: psutil.Process) -> Sample:
    return Sample(process.memory_info().rss / 1e6, process.num_fds())


def run(source: Path, sessions: int, seconds: float) -> list[Soaked]:
    """Soak a server over a copy of a data directory."""
    with near_data_dir(source) as (data_dir, reach):
        return asyncio.run(soak(data_dir, reach, sessions, seconds))


def show(soaked: Sequence[Soaked]) -> None:
    for one in soaked:
        first, last = one.samples[0], one.samples[-1]
        print(
            f"{one.name:10} memory {first.rss_mb:6.1f} -> {last.rss_mb:6.1f} MB "
            f"(second third to last {one.growth_mb:+.1f}), "
            f"file handles {first.handles} -> {last.handles}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    arguments = parser.parse_args()
    soaked = run(arguments.data_dir, arguments.sessions, 60 * arguments.minutes)
    show(soaked)
    problems = [problem for one in soaked for problem in one.problems]
    raise SystemExit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()
