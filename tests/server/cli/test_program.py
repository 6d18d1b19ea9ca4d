"""The program as a process: started without standard streams, and interrupted at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.live_server import free_port
from tests.patience import PATIENCE_S
from tests.server.web.doubles import write_client

pytestmark = pytest.mark.processes


def run(shell: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    parts = (path, str(Path(__file__).parents[3]), env.get("PYTHONPATH", ""))
    env["PYTHONPATH"] = os.pathsep.join(part for part in parts if part)
    return subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -m server.cli {shell}"],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_a_server_without_standard_streams_serves_and_stops(
    houses_dir: Path, tmp_path: Path
) -> None:
    shutil.copytree(houses_dir, tmp_path / "data", ignore=shutil.ignore_patterns("*.glb"))
    write_client(tmp_path / "client")
    port = free_port()
    given = {"DATA_DIR": tmp_path / "data", "CLIENT_DIR": tmp_path / "client", "PORT": port}
    env = {k: v for k, v in os.environ.items() if not k.startswith("COHABIT_")}
    env |= {f"COHABIT_{name}": str(value) for name, value in given.items()}
    errors = tmp_path / "errors"
    with errors.open("wb") as file:
        process = subprocess.Popen(
            ["bash", "-c", f"exec {sys.executable} -m server.cli serve <&- >&-"],
            env=env,
            stderr=file,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not is_healthy(port):
            assert process.poll() is None, errors.read_text()
            assert time.monotonic() < deadline, errors.read_text()
            time.sleep(0.1)
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert "worker.up" in errors.read_text()
    assert "Traceback" not in errors.read_text()


def is_healthy(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def test_all_streams_may_be_closed(tmp_path: Path) -> None:
    done = run("serve <&- >&- 2>&-", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_ctrl_c_while_modules_are_read_is_no_traceback(tmp_path: Path) -> None:
    # What Python makes of the signal; whoever runs these tests may have it ignored.
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    done = run("doctor", tmp_path, path=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
