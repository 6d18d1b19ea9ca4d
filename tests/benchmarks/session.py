"""The cost of a session: the tick with two seats walking, the log, resuming, scoring again.

Run with ``python -m tests.benchmarks.session`` (or as a file) from the checkout; it prints one
line per figure and needs no data. Times are of the processor: others on the machine disturb little.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from episodes.dataset import Task
from episodes.houses import first_house
from episodes.tasks import first_tasks
from episodes.world import HolderChanged, SupportChanged
from server.recording.log_writer import LogWriter
from server.recording.replay import rescore, resume
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Look, Ready
from server.sessions.spec import TICK_RATE, TICK_S, EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary

MINUTES = 15
TICKS = MINUTES * 60 * TICK_RATE
TARGET_US = 80.0


def _library() -> HouseLibrary:
    scene, catalogue = first_house()
    return HouseLibrary.of(catalogue, [scene])


def _core(library: HouseLibrary, task: Task) -> SessionCore:
    spec = SessionSpec.pair("ses_benchmark", 1)
    episode = EpisodeSpec("epi_benchmark", "first", task.task_id)
    core = SessionCore(spec, episode, task, HouseholdSimulator(library))
    for seat in core.seats:
        core.submit(seat, Ready())
    core.step()
    return core


def _hold(core: SessionCore) -> None:
    """Give each body a thing that the task asks about."""
    watched = [h for h in core.world.objects if h in core.scorer.watched]
    for seat, handle in zip(core.seats, watched, strict=False):
        core.state.change(SupportChanged(handle, None))
        core.state.change(HolderChanged(handle, seat))


def _ticks(core: SessionCore, log: LogWriter, ticks: int) -> float:
    """Mean time of a tick (us), submitting apart; bodies turn about twice a second."""
    rng = random.Random(0)
    spent = 0.0
    clock = time.process_time
    for _ in range(ticks):
        for number, seat in enumerate(core.seats):
            if core.tick % (16 + number) == 0:
                core.submit(seat, Drive(1.5, 0.0))
                core.submit(seat, Look(rng.uniform(-3.1, 3.1), 0.0))
        begin = clock()
        log.write(core, core.step(), core.tick * TICK_S)
        spent += clock() - begin
    return spent / ticks * 1e6


def _still(core: SessionCore, ticks: int) -> float:
    for seat in core.seats:
        core.submit(seat, Drive(0.0, 0.0))
        core.submit(seat, Look(core.world.agents[seat].yaw, 0.0))
    core.step()
    core.step()
    begin = time.process_time()
    for _ in range(ticks):
        core.step()
    return (time.process_time() - begin) / ticks * 1e6


def main() -> None:
    library = _library()
    for number in (2, 6):
        task = first_tasks()[number - 1]
        begin = time.process_time()
        core = _core(library, task)
        made_ms = (time.process_time() - begin) * 1e3
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "session.log"
            log = LogWriter(path.open("wb"))
            log.open_episode(core, 0.0)
            gc.collect()
            walking = statistics.median(_ticks(core, log, 900) for _ in range(5))
            _hold(core)
            carrying = statistics.median(_ticks(core, log, 900) for _ in range(5))
            quiet = _still(core, 3000)
            print(f"task {number}: session made                 {made_ms:8.1f} ms")
            print(f"task {number}: tick, both walking           {walking:8.1f} us")
            print(
                f"task {number}: tick, both carry task objects {carrying:7.1f} us"
                f"   (target {TARGET_US:.0f})"
            )
            print(f"task {number}: tick, nobody moves           {quiet:8.1f} us")
            log.close(core.tick * TICK_S)

    core = _core(library, first_tasks()[5])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.log"
        log = LogWriter(path.open("wb"))
        log.open_episode(core, 0.0)
        _hold(core)
        # What a keyframe says must be what the log says: hold before it is written.
        log.open_episode(core, 0.0)
        _ticks(core, log, TICKS)
        log.close(core.tick * TICK_S)
        size = path.stat().st_size
        print(f"log of {MINUTES} minutes, both carrying     {size / 1e6:8.1f} MB")
        print(f"log                                  {size / MINUTES / 60:8.0f} bytes/s")
        begin = time.process_time()
        verdict = rescore(path.read_bytes())
        print(f"scoring it again                     {time.process_time() - begin:8.2f} s")
        begin = time.process_time()
        resumed, again, _ = resume(path, lambda *_: HouseholdSimulator(library), core.tick * TICK_S)
        print(f"resuming it                          {time.process_time() - begin:8.2f} s")
        again.close(0.0)
        assert resumed.world.digest() == core.world.digest()
        assert resumed.verdict() == core.verdict() == verdict


if __name__ == "__main__":
    main()
