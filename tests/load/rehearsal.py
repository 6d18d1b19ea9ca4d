"""A recruiting day with real processes on a fast clock, whose server is killed again and again.

    python -m tests.load.rehearsal
    python -m tests.load.rehearsal --visitors 80 --rate 20 --seed 7
    python -m tests.load.rehearsal --postgres

Starts `cohabit serve` with two workers, has scripted visitors come over HTTP and websockets, and
sends SIGKILL to the web process and to workers in the middle of it. Everybody must have exactly one
ending and the right pay: by the database, by `cohabit study payments`, and by their last page.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest
from sqlalchemy import text

from matchmaking.study.endings import Ending
from server.store.database import Database
from tests.live_server import LiveServer
from tests.load.rehearsal_studies import ALONE, PAIR, ROBOT, studies, write_task
from tests.load.rehearsal_visitor import ONES_OWN, THE_END, Home, Script, Visitor
from tests.postgres_server import PostgresServer
from tests.server.faults.visitor import eventually
from tests.server.web.doubles import write_client
from tests.server.web.participants.visitors import ALL_CODES

RATE = 30.0
LONGEST_S = 600.0
"""Time (s) that a day may take."""
GAP_S = 2.0
"""Mean time (s) between two who come."""
SCRIPTS: Sequence[Script] = (
    # First, as it takes longest.
    Script(ROBOT, Ending.TIMED_OUT, goes_at="eligibility"),
    Script(ROBOT, Ending.COMPLETED),
    Script(PAIR, Ending.COMPLETED),
    Script(ROBOT, Ending.WITHDREW, stops_at="consent"),
    Script(PAIR, Ending.COMPLETED),
    Script(ROBOT, Ending.NO_CONSENT, {"consent": ONES_OWN}),
    Script(PAIR, Ending.COMPLETED),
    Script(ROBOT, Ending.WITHDREW, stops_at="play"),
    Script(PAIR, Ending.COMPLETED),
    Script(PAIR, Ending.SCREENED_OUT, {"eligibility": {"q.age": "17"}}),
    Script(ROBOT, Ending.COMPLETED),
    Script(ALONE, Ending.NO_PARTNER),
    Script(PAIR, Ending.COMPLETED),
    Script(PAIR, Ending.COMPLETED),
    Script(ALONE, Ending.WITHDREW, stops_at="lobby"),
    Script(ROBOT, Ending.COMPLETED),
)
KILLS = (("worker", 0.15), ("web", 0.35), ("worker", 0.55), ("web", 0.75))
"""Processes that die, and the share of the visitors who have come by then."""


class Outcome(NamedTuple):
    """Outcome of a day: what is wrong with it, and how many came to each ending."""

    problems: list[str]
    endings: Counter[str]
    kills: list[str]
    again: int
    seconds: float


class Day:
    """The day: its server, its visitors, and what is done to the server."""

    def __init__(
        self,
        server: LiveServer,
        database_url: str,
        handle: str,
        count: int,
        rate: float,
        seed: int,
    ) -> None:
        self._server, self._database_url, self._rate = server, database_url, rate
        self._rng = random.Random(seed)
        self._homes: dict[str, Home] = defaultdict(lambda: Home(self._rng))
        scripts = [SCRIPTS[n % len(SCRIPTS)] for n in range(count - 1)]
        # The number of people of pairs is even, so that nobody waits in vain for one.
        last = Script(ROBOT, Ending.TECHNICAL_FAILURE, stays=True)
        self.visitors = [
            Visitor(server.url, n, script, self._homes.__getitem__, handle, random.Random(seed + n))
            for n, script in enumerate([*even(scripts), last])
        ]
        self.kills: list[str] = []
        self._come = 0
        """Number of those who have come so far."""

    async def run(self) -> None:
        *crowd, last = self.visitors
        dying = asyncio.create_task(self._kill_in_turn(len(crowd)))
        tasks = []
        for visitor in crowd:
            tasks.append(asyncio.create_task(visitor.take_part()))
            self._come += 1
            await asyncio.sleep(self._rng.expovariate(1 / GAP_S))
        await asyncio.gather(*tasks, dying)
        await self._break_home_of(last)
        for visitor in self.visitors:
            # Those who went away come back once they are late.
            await visitor.look()
            while visitor.path != THE_END:
                await asyncio.sleep(1)
                await visitor.look()

    async def _kill_in_turn(self, count: int) -> None:
        for process, share in KILLS:
            await eventually(lambda at=share * count: self._come > at, LONGEST_S)  # type: ignore[misc]
            await self._kill(process)

    async def _kill(self, process: str) -> None:
        """Kill a process as soon as somebody plays, a worker that has a session."""
        await eventually(lambda: any(v.is_playing for v in self.visitors) and self._busiest())
        playing = sum(v.is_playing for v in self.visitors)
        waiting = sum(v.path.startswith("/lobby/") for v in self.visitors)
        self.kills.append(f"{process} with {playing} playing and {waiting} in the lobby")
        if process == "worker":
            os.kill(self._busiest(), signal.SIGKILL)
            return
        self._server.kill()
        await asyncio.to_thread(self._server.start)

    def _busiest(self) -> int:
        """Return the process id of the worker with most sessions; 0: none has any."""
        sessions = {pid: _recordings_of(pid) for pid in self._server.workers()}
        busiest = max(sessions, key=sessions.__getitem__, default=0)
        return busiest if sessions.get(busiest) else 0

    async def _break_home_of(self, visitor: Visitor) -> None:
        """Kill the worker twice while a visitor plays: the second time ends their session."""
        # With others in it, nobody could say which session it dies of.
        await eventually(lambda: not self._busiest())
        taking_part = asyncio.create_task(visitor.take_part())
        for _ in range(2):
            await eventually(lambda: visitor.is_in_task and self._busiest())
            snapshots = visitor.snapshots
            os.kill(self._busiest(), signal.SIGKILL)
            self.kills.append("worker with its only session")
            await eventually(partial(_has_news, visitor, snapshots))
        await taking_part

    # What must be so at the end

    def problems(self, ends: Counter[str]) -> Iterator[str]:
        """Yield what is wrong with the endings, the codes and the pay.

        ``ends``: the number of steps to the end of each visit.
        """
        paid = list(self._payments())
        ids = Counter(row["external_id"] for row in paid)
        rows = {row["external_id"]: row for row in paid}
        for visitor in self.visitors:
            name = f"visitor {visitor.number} of {visitor.script.study} ({visitor.ending})"
            yield from (f"{name}: {fault}" for fault in visitor.faults)
            if visitor.told_ending != visitor.ending:
                yield f"{name} was told {visitor.told_ending}"
            if visitor.told_code != ALL_CODES[visitor.ending]:
                yield f"{name} was given the code {visitor.told_code!r}"
            if ids[visitor.id] != 1:
                yield f"{name} has {ids[visitor.id]} payments"
                continue
            row = rows[visitor.id]
            if ends[row["visit_id"]] != 1:
                yield f"{name} has {ends[row['visit_id']]} endings"
            owed, (least, most) = round(100 * float(row["total"])), visitor.due(self._rate)
            if row["ending"] != visitor.ending:
                yield f"{name} is paid for {row['ending']}"
            if owed != visitor.told_owed:
                yield f"{name} is owed {owed}, and was told {visitor.told_owed}"
            if not least <= owed <= most:
                yield f"{name} is owed {owed}, expected {least} to {most}: {visitor.account()}"
        if unknown := set(ids) - {visitor.id for visitor in self.visitors}:
            yield f"nobody knows who is paid here: {sorted(unknown)}"
        if len(ends) != len(self.visitors):
            yield f"{len(ends)} visits have an ending, of {len(self.visitors)} visitors"

    def _payments(self) -> Iterator[dict[str, str]]:
        """Yield the rows of `cohabit study payments`."""
        env = {
            **os.environ,
            "COHABIT_DATA_DIR": str(self._server.data_dir),
            "COHABIT_DATABASE_URL": self._database_url,
        }
        for study in studies():
            table = self._server.data_dir / f"{study.name}.csv"
            subprocess.run(
                [sys.executable, "-m", "server.cli", "study", "payments", study.name,
                 "--csv", str(table)],
                env=env, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            with table.open(newline="") as lines:
                yield from csv.DictReader(lines)

    async def ends(self) -> Counter[str]:
        """Return the number of steps to the end of each visit."""
        database = Database(self._database_url)
        try:
            async with database.transaction() as db:
                found = await db.scalars(
                    text("SELECT visit_id FROM visit_steps WHERE place = 'ended'")
                )
                return Counter(found)
        finally:
            await database.close()


def _has_news(visitor: Visitor, snapshots: int) -> bool:
    return not visitor.is_playing or visitor.snapshots > snapshots


def _recordings_of(pid: int) -> int:
    # One that has just died has no files.
    with contextlib.suppress(psutil.NoSuchProcess):
        return sum(file.path.endswith(".jsonl") for file in psutil.Process(pid).open_files())
    return 0


def even(scripts: Sequence[Script]) -> list[Script]:
    """Return scripts of which an even number plays in pairs."""
    pairs = [s for s in scripts if s.study == PAIR and s.ending is Ending.COMPLETED]
    if len(pairs) % 2 == 0:
        return list(scripts)
    odd = max(n for n, s in enumerate(scripts) if s == pairs[-1])
    return [Script(ROBOT, Ending.COMPLETED) if n == odd else s for n, s in enumerate(scripts)]


def run(
    houses_dir: Path,
    count: int = 40,
    rate: float = RATE,
    seed: int = 20_261_126,
    keep: Path | None = None,
    database_url: str = "",
) -> Outcome:
    """Run a day and return what became of it.

    ``houses_dir`` is copied; the server's data go to ``keep`` at the end, a folder yet to be made.
    ``database_url`` is an empty database; nothing said: an SQLite file among the server's data.
    """
    with tempfile.TemporaryDirectory() as folder:
        data_dir, client_dir = Path(folder) / "data", Path(folder) / "client"
        shutil.copytree(
            houses_dir, data_dir, ignore=shutil.ignore_patterns("*.glb", "recordings", "*.db*")
        )
        reach = write_task(data_dir)
        database_url = database_url or f"sqlite:///{data_dir / 'cohabit.db'}"
        write_client(client_dir)
        server = LiveServer(
            data_dir,
            database_url=database_url,
            studies="tests.load.rehearsal_studies:studies",
            client_dir=client_dir,
            clock_rate=rate,
            clock_since=time.time(),
            workers=2,
            robot_wait_s=1,
            # Of the fast clock, which goes on while a process starts.
            abandoned_s=rate * 20,
            between_tasks_s=rate * 120,
            late_limit_ms=0,
            participant_forms="100000/minute",
            log=Path(folder) / "server.log",
        )
        server.start()
        begun = time.monotonic()
        try:
            day = partial(Day, server, database_url, reach.handle, count, rate, seed)
            return asyncio.run(_run(day, begun))
        finally:
            server.stop()
            if keep is not None:
                shutil.copytree(folder, keep)


async def _run(make_day: Callable[[], Day], begun: float) -> Outcome:
    day = make_day()
    try:
        await day.run()
        problems = list(day.problems(await day.ends()))
    finally:
        for visitor in day.visitors:
            await visitor.close()
    return Outcome(
        problems,
        Counter(str(v.told_ending) for v in day.visitors),
        day.kills,
        sum(v.again for v in day.visitors),
        time.monotonic() - begun,
    )


def show(outcome: Outcome) -> None:
    print(f"{outcome.endings.total()} visitors in {outcome.seconds:.0f} s: "
          + ", ".join(f"{n} {ending}" for ending, n in outcome.endings.most_common()))  # fmt: skip
    print(f"{outcome.again} times something did not answer; killed: {'; '.join(outcome.kills)}")
    for problem in outcome.problems:
        print(f"  {problem}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--rate", type=float, default=RATE, help="times as fast as the real clock")
    parser.add_argument("--seed", type=int, default=20_261_126)
    parser.add_argument("--data-dir", type=Path, default=Path("data"), help="it is copied")
    parser.add_argument("--keep", type=Path, help="new folder for the server's data and log")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server of its own")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        database_url = ""
        if arguments.postgres:
            try:
                database_url = stack.enter_context(PostgresServer()).new_database()
            except pytest.skip.Exception as error:
                parser.error(str(error))
        outcome = run(
            arguments.data_dir,
            arguments.visitors,
            arguments.rate,
            arguments.seed,
            arguments.keep,
            database_url,
        )
    show(outcome)
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
