"""A comparison of household and habitat-sim, side by side.

    python tests/benchmarks/simulators.py

Each runs in a process of its own, Habitat under the interpreter that `cohabit habitat use`
remembered. Both get the same house, the same task and the same calls, which are made in the
process, as a session's worker makes them. Times are the best of a few rounds.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SEATS = ("robot_0", "human_0")
TICK_S = 1 / 30
TEAMS = ("1human", "pair", "3human", "5human")
ROUNDS = 5


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _best_us(call: Callable[[Any], object], items: Sequence[Any]) -> float:
    best = math.inf
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for item in items:
            call(item)
        best = min(best, (time.perf_counter() - start) / len(items))
    return best * 1e6


def measure(kind: str, folder: Path, episode: Any, points: list[Any], alone: bool) -> Any:
    """Measure everything that is compared, of one simulator in this process."""
    from episodes.bodies import BODIES
    from episodes.poses import Pose
    from episodes.world import carried_pose

    before = _resident_mb()
    start = time.perf_counter()
    if kind == "habitat":
        from server.simulators.habitat.simulator import habitat

        sim: Any = habitat(folder)
        imported = time.perf_counter() - start
    else:
        from server.simulators.household import HouseholdSimulator, HouseLibrary

        scene, catalogue = pickle.loads((folder / "house.pickle").read_bytes())
        library = HouseLibrary.of(catalogue, [scene])
        imported = time.perf_counter() - start
        sim = HouseholdSimulator(library)
    bodies = {"robot_0": BODIES["robot"], "human_0": BODIES["human"]}
    sim.reset(episode, bodies, 1)
    started = time.perf_counter() - start
    out: dict[str, Any] = {
        "import, ms": imported * 1e3,
        "import and first reset, ms": started * 1e3,
        "memory of it, MB": _resident_mb() - before,
    }
    if alone:
        return out
    start = time.perf_counter()
    sim.reset(episode, bodies, 2)
    out["next reset, ms"] = (time.perf_counter() - start) * 1e3
    objects = list(sim.objects())
    held = objects[0]
    home = sim.pose(held)

    def tick(k: int) -> None:
        agent = sim.drive("human_0", 1.5, 0.4, 0.9, 0.0, TICK_S)
        sim.drive("robot_0", 1.5, 0.0, 0.05, 0.0, TICK_S)
        sim.set_pose(held, carried_pose(BODIES["human"], agent))
        sim.above(held)
        sim.within(held)
        sim.on_floor(held)
        sim.gap(held, objects[1])

    each = _best_us(tick, range(600))
    out["a tick: both walk, one thing carried and judged, µs"] = each
    out["such ticks per second"] = 1e6 / each
    out["drive, µs"] = _best_us(
        lambda _: sim.drive("human_0", 1.5, 0.4, 0.9, 0, TICK_S), range(900)
    )
    sim.set_pose(held, home)
    out["above, µs"] = _best_us(sim.above, objects)
    out["within, µs"] = _best_us(sim.within, objects)
    out["overlapping, µs"] = _best_us(lambda h: sim.overlapping(h, sim.pose(h)), objects)

    def lower(handle: str) -> None:
        (x, y, z), turned = sim.pose(handle)
        sim.snap_down(handle, Pose((x, y + 0.05, z), turned))

    out["snap_down, µs"] = _best_us(lower, objects)

    def look(k: int) -> None:
        sim.drive("human_0", 0.0, 0.0, 6.0, 0.0, TICK_S)
        sim.seen("human_0")

    out["seen, µs"] = _best_us(look, range(31))
    pairs = list(itertools.combinations(points, 2))
    out["find_path, µs"] = _best_us(lambda p: sim.find_path(*p), pairs)
    lengths = [
        sum(math.dist(a, b) for a, b in itertools.pairwise(sim.find_path(*pair))) for pair in pairs
    ]
    out["ways, m, mean"] = sum(lengths) / len(lengths)
    out["lengths"] = lengths
    from shapely.geometry import Polygon

    area = sum(Polygon(p.outer, p.holes).area for p in sim.scene.walkable)
    out["walkable, m²"] = area
    for team in TEAMS:
        out[f"ticks of a session per second, {team}"] = _ticks_per_s(sim, episode, team)
    out["largest memory of the process, MB"] = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    )
    return out


def _ticks_per_s(sim: Any, episode: Any, team: str) -> float:
    """Return how many ticks a second a session makes whose bodies, which block, walk in circles."""
    from episodes.teams import Team
    from server.sessions.core import SessionCore
    from server.sessions.intents import Drive, Look, Ready
    from server.sessions.spec import EpisodeSpec, SessionSpec

    spec = SessionSpec.of("ses_1", Team.parse(team), 1, profile="cohabit@2")
    core = SessionCore(spec, EpisodeSpec("epi_1", "full", episode.task_id), episode, sim)
    seats = list(core.seats)
    for seat in seats:
        core.submit(seat, Ready())
    core.step()

    def tick(k: int) -> None:
        for number, seat in enumerate(seats):
            core.submit(seat, Drive(1.5, 0.0))
            core.submit(seat, Look(math.remainder(0.1 * k + number, math.tau), 0.0))
        core.step()

    return 1e6 / _best_us(tick, range(600))


def _child(python: str, kind: str, folder: Path, work: Path, alone: bool) -> Any:
    command = [python, __file__, "--child", kind, str(folder), str(work), str(int(alone))]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def _run_child(kind: str, folder: Path, work: Path, alone: bool) -> None:
    episode, points = pickle.loads((work / "episode.pickle").read_bytes())
    print(json.dumps(measure(kind, folder, episode, points, alone)))


def main() -> None:
    sys.path.append(str(ROOT))
    from server.simulators.habitat.interpreter import habitat_python
    from server.simulators.household import HouseholdSimulator, HouseLibrary
    from tests.server.simulators.full_house import full_house
    from tests.server.simulators.habitat_data import exported_house

    python = habitat_python()
    if python is None:
        sys.exit("no interpreter with habitat-sim is known: cohabit habitat use PYTHON")
    house, episode = full_house()
    library = HouseLibrary.of(house.catalogue, [house.scene])
    sim = HouseholdSimulator(library)
    sim.reset(episode, {}, 1)
    rng = random.Random(6)
    points = [
        sim.nearest_walkable((rng.uniform(-6, 6), 0.0, rng.uniform(-4.5, 4.5))) for _ in range(20)
    ]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "house.pickle").write_bytes(pickle.dumps((house.scene, house.catalogue)))
        (work / "episode.pickle").write_bytes(pickle.dumps((episode, points)))
        rows = {
            "household": _child(sys.executable, "household", work, work, False),
            "habitat-sim": _child(str(python), "habitat", exported_house(), work, False),
        }
    print(f"{len(sim.objects())} objects, {len(house.scene.furniture)} pieces of furniture\n")
    print(f"{'':54s}{'household':>12s}{'habitat-sim':>12s}{'ratio':>8s}")
    ours, theirs = rows["household"], rows["habitat-sim"]
    for key, value in ours.items():
        if key != "lengths":
            other = theirs[key]
            print(f"{key:54s}{value:12.2f}{other:12.2f}{other / value:8.2f}")
    ratios = sorted(b / a for a, b in zip(ours["lengths"], theirs["lengths"], strict=True) if a > 1)
    print(
        f"\nways on habitat-sim, relative: median {ratios[len(ratios) // 2]:.4f}, "
        f"shortest {ratios[0]:.3f}, longest {ratios[-1]:.3f}"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        _run_child(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]), sys.argv[5] == "1")
    else:
        main()
