"""Tests of servers, workers and browsers on a machine that does something else at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUSY = 6
"""Processes that compute without a pause meanwhile, on two cores."""
AT_ONCE = 4
"""Test files at once, so that each has the less of a processor and the round ends the sooner."""
ROUNDS = int(os.environ.get("BUSY_ROUNDS", "3"))
FOLDERS = (
    "tests/server/web",
    "tests/server/lobby",
    "tests/server/hosting",
    "tests/server/ipc",
    "tests/server/worker",
    "tests/server/faults",
    "tests/e2e",
)
SPIN = "while True:\n    sum(range(10_000))"


@contextmanager
def busy_processes(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep ``count`` processes computing."""
    processes = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(count)]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_the_gate_holds_beside_six_busy_processes(number: int, tmp_path: Path) -> None:
    """The tests that wait for processes and pages pass, three times in a row.

    ``BUSY_ROUNDS`` sets another number of rounds.
    """
    command = [
        *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", "not long and not vllm"),
        *("-n", str(AT_ONCE), "--dist", "loadfile", f"--basetemp={tmp_path / 'tests'}", *FOLDERS),
    ]
    with busy_processes(BUSY) as processes:
        began = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"\nround {number}: {time.monotonic() - began:.0f} s beside {BUSY} busy processes")
        print("\n".join(done.stdout.splitlines()[-12:]))
        assert all(process.poll() is None for process in processes), "nothing kept it busy"
    assert done.returncode == 0, done.stdout[-20_000:]
