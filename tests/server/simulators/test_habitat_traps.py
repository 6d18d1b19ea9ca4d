"""Traps of habitat-sim: what ends a process, or quietly lies, when it is used as it comes.

Each test runs in a process of its own under the interpreter that has habitat-sim.
"""

from __future__ import annotations

import os
import subprocess
import textwrap
from pathlib import Path

import pytest

from episodes.bodies import BODIES
from server.simulators.contract import SimulatorError
from server.simulators.contract_suite import two_rooms
from tests.server.simulators.habitat_data import (
    exported_house,
    exported_rooms,
    interpreter,
    needs_habitat,
    process,
)
from tests.server.simulators.habitat_process import HabitatProcess, ProcessEndedError

pytestmark = [pytest.mark.habitat, needs_habitat]

ROOT = Path(__file__).parents[3]
BODIES_BY_SEAT = {"human_0": BODIES["human"]}


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [str(interpreter()), "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(
        command, env=env, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def test_without_a_navigation_mesh_it_says_so_instead_of_crashing() -> None:
    """`get_random_navigable_point` of an empty mesh is a segmentation fault."""
    done = run(
        """
        from server.simulators.contract import SimulatorError
        from server.simulators.habitat.engine import habitat_sim
        from server.simulators.habitat.navigation import Navigation
        empty = habitat_sim.PathFinder()
        assert not empty.is_loaded
        try:
            Navigation(empty, 0.0)
        except SimulatorError as error:
            print(error)
        """
    )
    assert done.returncode == 0, done.stderr
    assert "no navigation mesh" in done.stdout


def test_missing_mesh_settings_are_an_error(tmp_path: Path) -> None:
    """habitat-sim reads a missing file as the default settings."""
    done = run(
        """
        import sys
        from pathlib import Path
        from server.simulators.contract import SimulatorError
        from server.simulators.habitat.navigation import Navigation
        try:
            Navigation.compute(None, Path(sys.argv[1]) / "settings.json", 0.0)
        except SimulatorError as error:
            print(error)
        """,
        tmp_path,
    )
    assert "settings.json is missing" in done.stdout, done.stderr


def test_starts_without_cuda_and_without_renderer() -> None:
    """A device id of 0, the default, with a renderer and without CUDA exits the process."""
    done = run(
        """
        import sys
        from pathlib import Path
        from server.simulators.habitat import engine
        configuration = engine.configuration(Path("x.json"), "scene")
        print(engine.habitat_sim.SimulatorConfiguration().gpu_device_id,
              engine.habitat_sim.SimulatorConfiguration().create_renderer)
        print(configuration.sim_cfg.gpu_device_id, configuration.sim_cfg.create_renderer)
        from server.simulators.habitat.simulator import habitat
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "-1 False"


def test_closing_twice_and_at_exit_ends_the_process_in_order() -> None:
    """A part of the simulator that is still held when it goes aborts the process at exit."""
    done = run(
        """
        import sys
        from pathlib import Path
        from episodes.bodies import BODIES
        from server.simulators.habitat.simulator import habitat
        from server.simulators.contract_suite import two_rooms
        for number in range(3):
            sim = habitat(Path(sys.argv[1]))
            sim.reset(two_rooms.TASK, {"human_0": BODIES["human"]}, number)
            house = sim.house
            sim.reset(two_rooms.TASK, {"human_0": BODIES["human"]}, number)
            assert sim.house is house
            sim.close()
            sim.close()
        last = habitat(Path(sys.argv[1]))
        last.reset(two_rooms.TASK, {"human_0": BODIES["human"]}, 1)
        print("left open")
        """,
        exported_rooms(),
    )
    assert done.returncode == 0, done.stderr
    assert "left open" in done.stdout


def test_link_0_is_a_part_like_any_other() -> None:
    """Habitat's first link has index 0, which rearrange_v2 takes for none."""
    sim = process().simulator(exported_rooms())
    sim.reset(two_rooms.TASK, BODIES_BY_SEAT, 1)
    assert two_rooms.DOOR == 0
    x, _, z = sim.pose(two_rooms.CABINET).position
    # The cabinet faces +z, so its door is in front of an eye there.
    eye, way = (x, 0.6, z + 1.0), (0.0, 0.0, -1.0)
    hit = sim.cast_ray(eye, way)
    assert (hit.entity, hit.part) == (two_rooms.CABINET, 0)
    sim.set_joint(two_rooms.CABINET, 0, 1.5)
    assert sim.joints()[two_rooms.CABINET, 0] == 1.5
    hit = sim.cast_ray(eye, way)
    assert (hit.entity, hit.part) == (two_rooms.CABINET, None)
    assert sim.can_see(eye, two_rooms.CUP_2)
    for link in (0, 1):
        sim.set_joint(two_rooms.CABINET, link, 0.0)
    assert not sim.can_see(eye, two_rooms.CUP_2)


@pytest.mark.parametrize("how", ["exit", "abort"])
def test_a_process_that_ends_takes_only_its_own_session(how: str) -> None:
    """The other session, in another process, goes on; the dead one is an error, not a hang."""
    doomed, other = HabitatProcess(interpreter()), process().simulator(exported_rooms())
    other.reset(two_rooms.TASK, BODIES_BY_SEAT, 1)
    mine = doomed.simulator(exported_rooms())
    mine.reset(two_rooms.TASK, BODIES_BY_SEAT, 1)
    with pytest.raises(ProcessEndedError):
        doomed.ask(0, how, *([3] if how == "exit" else []))
    with pytest.raises(ProcessEndedError):
        mine.agent("human_0")
    before = other.agent("human_0")
    assert other.drive("human_0", 0.0, 0.0, 1.0, 0.0, 0.1).yaw != before.yaw


def test_a_house_that_was_not_exported_is_an_error(tmp_path: Path) -> None:
    sim = process().simulator(tmp_path)
    with pytest.raises(SimulatorError, match="cohabit houses export --habitat"):
        sim.reset(two_rooms.TASK, BODIES_BY_SEAT, 1)


def test_the_worker_needs_little(tmp_path: Path) -> None:
    """A session worker under this interpreter imports neither the web nor the generator."""
    done = run(
        """
        import sys
        import server.worker.main, server.simulators.habitat.simulator
        heavy = {"fastapi", "sqlalchemy", "trimesh", "pydantic", "networkx", "starlette"}
        print(sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
        """
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_a_session_runs_wholly_under_the_other_interpreter(houses_dir: Path) -> None:
    """Loader, core, unpaced runner, evaluator and simulator run in one process, as in a worker."""
    done = run(
        """
        import sys
        from pathlib import Path
        from server.sessions.core import SessionCore
        from server.worker.session_loader import SessionLoader
        from server.robots.baselines.scripted_player import ScriptedPlayer
        from server.robots.baselines.expert import solve
        from server.sessions.spec import EpisodeSpec, SessionSpec
        from server.worker.unpaced_runner import run
        from server.simulators.habitat.simulator import habitat
        data, exported = map(Path, sys.argv[1:])
        loader = SessionLoader(
            data, {"habitat": lambda: habitat(exported)}, loading_timeout_s=9, code_version=""
        )
        for number in ("1", "4"):
            episode = EpisodeSpec("epi_" + number, "tasks/first.json.gz", number)
            spec = SessionSpec("ses_1", SessionSpec.solo("ses_1", 1).seats, 1, simulator="habitat")
            task = loader.task(episode)
            core = SessionCore(spec, episode, task, loader.simulator(spec))
            player = ScriptedPlayer("human_0", solve(core))
            result = run(core, [player], 6000)
            print(number, player.failure, result.verdict.success, core.simulator.name)
            core.simulator.close()
        """,
        houses_dir,
        exported_house(),
    )
    lines = done.stdout.splitlines()[-2:]
    assert lines == ["1 None True habitat", "4 None True habitat"], done.stderr
