"""A worker in which some people can do what kills the whole process; see `Deadly`.

python -m tests.server.faults.deadly_worker --socket PATH --data-dir DIR
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from server.hosting.launchers import LocalLauncher
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker import main, simulator_backends
from server.worker.session_loader import MakeSimulator

FATAL_MPS = -1.0
"""Speed of walking backwards above which the process ends in the middle of the step."""


class Deadly(HouseholdSimulator):
    def drive(self, seat: str, forward: float, *rest: Any) -> Any:
        if forward < FATAL_MPS:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().drive(seat, forward, *rest)


class DeadlyLauncher(LocalLauncher):
    """A launcher of these workers instead of the usual ones."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(data_dir)
        self._command = [
            __name__ if part == "server.worker.main" else part for part in self._command
        ]


def deadly(data_dir: Path) -> MakeSimulator:
    library = HouseLibrary(data_dir)
    return lambda: Deadly(library)


if __name__ == "__main__":
    simulator_backends.household = deadly
    assert "--socket" in sys.argv, "expected to be launched by a supervisor"
    main.main()
