"""The cost of a pair in this checkout and in another one, measured in turns.

    git worktree add /tmp/before 994ab49
    python -m tests.benchmarks.against /tmp/before

A machine's pace changes by half within seconds, so whole runs that follow each other compare its
moods. Here a process of each checkout does the same 60 ticks in turn, 25 times, in processor time;
a run has the median of its turns, and what is printed is the median of seven runs.
"""

from __future__ import annotations

import argparse
import ast
import gc
import io
import math
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TURNS = 25
RUNS = 7
TICKS = 60
HERE = Path(__file__).parents[2]


def _whole_ticks() -> Iterator[dict[str, float]]:
    """Yield the costs of whole ticks of a session with two viewers, both bodies walking."""
    from server.recording.log_writer import LogWriter
    from server.sessions.intents import Drive, Look, Ready
    from server.wire.codecs import CODECS
    from server.worker.live_session import LiveSession
    from tests.server.sessions.first_house_sessions import core_of

    core = core_of()
    session = LiveSession(
        core, LogWriter(io.BytesIO()), loading_ticks=9999, code_version="", resumed=False
    )
    session.attach(1, "human_0", "msgpack")
    session.attach(2, "robot_0", "msgpack")
    for seat in core.seats:
        core.submit(seat, Ready())
    rng, tick, clock = random.Random(1), 0, time.process_time
    yaw = dict.fromkeys(core.seats, 0.0)
    while True:
        whole, frames = 0.0, 0.0
        for _ in range(TICKS):
            for seat in core.seats if tick % 3 == 0 else ():
                yaw[seat] = math.remainder(yaw[seat] + rng.uniform(0.0, 0.5), math.tau)
                core.submit(seat, Drive(1.3, 0.0))
                core.submit(seat, Look(yaw[seat], rng.uniform(-0.4, 0.0)))
            begun = clock()
            session.step(tick / 30)
            whole += clock() - begun
            begun = clock()
            frame = session.view.frame_since(session.view.version - 1, None)
            if frame is not None:
                CODECS["msgpack"].encode(frame)
            frames += clock() - begun
            tick += 1
        yield {
            "whole tick with view and encoding (us)": whole / TICKS * 1e6,
            "frame and its encoding (us)": frames / TICKS * 1e6,
        }


def _session_ticks(number: int) -> Iterator[dict[str, float]]:
    """Yield the costs of ticks of a session with its log, and of making another one."""
    from episodes.tasks import first_tasks
    from server.recording.log_writer import LogWriter
    from server.sessions.intents import Drive, Look
    from tests.benchmarks import session

    library, task = session._library(), first_tasks()[number - 1]
    walking, carrying, still = (session._core(library, task) for _ in range(3))
    session._hold(carrying)
    logs = {}
    for core in (walking, carrying):
        logs[core] = LogWriter(io.BytesIO())
        logs[core].open_episode(core, 0.0)
    rng, clock = random.Random(0), time.process_time
    names = {
        walking: "tick, both walking",
        carrying: "tick, both carry task objects",
        still: "tick, nobody moves",
    }
    while True:
        found = {}
        for core, name in names.items():
            spent = 0.0
            for _ in range(TICKS):
                for n, seat in enumerate(core.seats if core is not still else ()):
                    if core.tick % (16 + n) == 0:
                        core.submit(seat, Drive(1.5, 0.0))
                        core.submit(seat, Look(rng.uniform(-3.1, 3.1), 0.0))
                begun = clock()
                tick = core.step()
                if core is not still:
                    logs[core].write(core, tick, core.tick / 30)
                spent += clock() - begun
            found[f"{name} (us, task {number})"] = spent / TICKS * 1e6
        begun = clock()
        session._core(library, task)
        found[f"a further session made (ms, task {number})"] = (clock() - begun) * 1e3
        yield found


def _serve(checkout: str) -> None:
    """Do a turn for each line that comes in, with the code of a checkout."""
    sys.path[:0] = [checkout]
    measured = [_whole_ticks(), _session_ticks(2), _session_ticks(6)]
    for _ in sys.stdin:
        gc.collect()
        print({name: value for part in measured for name, value in next(part).items()}, flush=True)


def _run(checkouts: list[Path]) -> list[dict[str, float]]:
    """Return the median turn of each checkout in one run."""
    found: list[dict[str, list[float]]] = [defaultdict(list) for _ in checkouts]
    children = [
        subprocess.Popen(
            [sys.executable, "-P", __file__, "--serve", str(checkout)],
            cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for checkout in checkouts
    ]  # fmt: skip
    for turn in range(TURNS):
        for n in range(len(checkouts)) if turn % 2 else reversed(range(len(checkouts))):
            child = children[n]
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write("\n")
            child.stdin.flush()
            line = child.stdout.readline()
            if not line:
                raise SystemExit(f"the process of {checkouts[n]} ended; its error stands above")
            for name, value in ast.literal_eval(line).items():
                found[n][name].append(value)
    for child in children:
        child.communicate()
    return [{name: statistics.median(v) for name, v in each.items()} for each in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("checkout", type=Path, help="the other checkout")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        _serve(str(chosen.checkout))
        return
    runs = []
    for n in range(RUNS):
        runs.append(_run([chosen.checkout.resolve(), HERE]))
        print(f"run {n + 1} of {RUNS}", file=sys.stderr)
    for name in runs[0][0]:
        other, here = (statistics.median(run[n][name] for run in runs) for n in (0, 1))
        print(f"{name:50} {other:8.2f} {here:8.2f}   {here / other:.2f}")


if __name__ == "__main__":
    main()
