"""Starts of a worker whose web process has gone away meanwhile."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("is_refused", [True, False])
def test_a_worker_without_a_web_process_ends_with_a_line(is_refused: bool, tmp_path: Path) -> None:
    path = tmp_path / "w.sock"
    if is_refused:
        # A socket that nobody listens on any more leaves its name.
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(path))
    worker = [sys.executable, "-m", "server.worker.main", "--log-json"]
    done = subprocess.run(
        [*worker, "--socket", str(path), "--data-dir", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    said = (done.stdout + done.stderr).splitlines()
    assert [json.loads(line)["event"] for line in said] == ["worker.not_wanted"]
