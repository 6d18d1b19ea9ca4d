"""Program that measures exported houses on habitat-sim.

    python -m server.research.house_comparison FOLDER TASKS HOUSE…

Runs under the interpreter that has habitat-sim. Writes a line of JSON per house, as soon as it is
measured.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from episodes.dataset import DatasetError, read_dataset
from server.research.house_comparison.measures import measure
from server.simulators.contract import SimulatorError


def main(arguments: list[str]) -> int:
    folder, tasks, scene_ids = Path(arguments[0]), arguments[1], arguments[2:]
    # C++ libraries print to standard output: send that to errors.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        from server.simulators.habitat.simulator import habitat

        known = read_dataset(folder / "tasks" / f"{tasks}.json.gz")
        for scene_id in scene_ids:
            # One simulator at a time: each holds a whole house.
            simulator = habitat(folder)
            mine = [task for task in known if task.scene_id == scene_id]
            out.write(msgspec.json.encode(measure(simulator, scene_id, mine)) + b"\n")
            out.flush()
            simulator.close()
    except (DatasetError, SimulatorError, ImportError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
