"""A PostgreSQL server of our own, in a folder of its own, that tests may stop and start.

The folder is none of pytest's: pytest closes those to all other users whenever it starts, and
PostgreSQL runs as another user where the tests are run by root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

import pytest

from tests.live_server import free_port


class PostgresServer:
    """Enter it, or `start` and `stop` it. Skips the test where there is no PostgreSQL."""

    def __init__(self) -> None:
        pytest.importorskip("asyncpg", reason="asyncpg is not installed (the extra `postgres`)")
        binaries = _binaries()
        if binaries is None:
            pytest.skip("there is no PostgreSQL server on this machine")
        self._binaries = binaries
        self._prefix = _as_unprivileged()
        folder = Path(tempfile.mkdtemp(prefix="cohabit-postgres-"))
        # Its socket file is there, too.
        self.folder, self._data = folder, folder / "data"
        self._port = free_port()
        self.url = f"postgresql://cohabit@127.0.0.1:{self._port}/postgres"
        if self._prefix:
            shutil.chown(folder, "postgres")
        self._is_running = False
        self._made = 0
        self._run("initdb", "-D", str(self._data), "-U", "cohabit", "-A", "trust", "--no-sync")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def new_database(self) -> str:
        """Return the address of another database, which is empty."""
        self._made += 1
        name = f"made_{self._made}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "cohabit", name)
        return self.url.removesuffix("postgres") + name

    def start(self) -> None:
        options = (
            f"-p {self._port} -c listen_addresses=127.0.0.1 "
            f"-c unix_socket_directories={self.folder} -F"
        )
        log = str(self.folder / "log")
        self._is_running = True
        self._run("pg_ctl", "-D", str(self._data), "-l", log, "-w", "-o", options, "start")

    def stop(self) -> None:
        """At once, with all its connections. Idempotent."""
        if not self._is_running:
            return
        self._is_running = False
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self._prefix, str(self._binaries / program), *arguments],
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def _as_unprivileged() -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("running as root, and there is no user postgres to run PostgreSQL as")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
