"""Fixtures that all tests share: hypothesis profiles, one house built once, real servers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.live_server import LiveServer
from tests.postgres_server import PostgresServer
from tests.vllm_server import VllmForTests

# Examples are drawn anew on a developer's machine and are always the same in CI, where a failure
# must mean that the submission broke something. No deadline: two cores are shared with a browser.
settings.register_profile(
    "dev", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
settings.register_profile("ci", parent=settings.get_profile("dev"), derandomize=True)
settings.register_profile("long", parent=settings.get_profile("dev"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

StartServer = Callable[..., LiveServer]


@pytest.fixture(scope="session")
def houses_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data directory with the catalogue, the default house and its tasks.

    It is read-only: copy it.
    """
    folder = tmp_path_factory.mktemp("houses")
    command = [sys.executable, "-m", "server.cli", "houses", "build", "--first"]
    done = subprocess.run(
        command,
        env={**os.environ, "COHABIT_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"`cohabit houses build` failed:\n{done.stdout}{done.stderr}"
    return folder


@pytest.fixture
def data_dir(houses_dir: Path, tmp_path: Path) -> Path:
    """Return a data directory of the test's own, with the house and its tasks."""
    folder = tmp_path / "data"
    shutil.copytree(houses_dir, folder)
    return folder


@pytest.fixture
def start_server(data_dir: Path) -> Iterator[StartServer]:
    """Return a function that starts `cohabit serve` on a free port; all are stopped at the end.

    Keyword arguments are settings: ``start_server(time_limit_s=30)``. A busy machine is no reason
    to refuse a session, unless a test asks for the limit.
    """
    running: list[LiveServer] = []

    def start(**options: object) -> LiveServer:
        options = {"late_limit_ms": 0, **options}
        server = LiveServer(options.pop("data_dir", data_dir), **options)  # type: ignore[arg-type]
        running.append(server)
        server.start()
        return server

    yield start
    for server in running:
        server.stop()


@pytest.fixture
def live_server(start_server: StartServer) -> LiveServer:
    """Return one real server with the default settings."""
    return start_server()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Return the PostgreSQL server that tests share; who stops it or sets it up takes their own."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> str:
    """Return the address of an empty database that only this test has."""
    return postgres.new_database()


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """Return a PostgreSQL server that only this test has, which it may stop and start again."""
    with PostgresServer() as server:
        yield server


VLLM = pytest.StashKey[VllmForTests]()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Start vLLM, which takes half a minute, while other tests run; never for a mere listing."""
    if session.config.option.collectonly:
        return
    if any(item.get_closest_marker("vllm") for item in session.items):
        _vllm(session.config).begin()


def pytest_unconfigure(config: pytest.Config) -> None:
    if VLLM in config.stash:
        config.stash[VLLM].end()


@pytest.fixture(scope="session")
def vllm_url(pytestconfig: pytest.Config) -> str:
    """Return a real vLLM server with the model ``tiny`` and the adapter ``calm``.

    Mark the test `vllm`.
    """
    server = _vllm(pytestconfig)
    try:
        url = server.url()
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)
    if server.skip_reason:
        pytest.skip(server.skip_reason)
    return url


def _vllm(config: pytest.Config) -> VllmForTests:
    if VLLM not in config.stash:
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        shared = Path(tempfile.gettempdir()) / f"cohabit-vllm-{os.getuid()}-{run}"
        config.stash[VLLM] = VllmForTests(shared)
    return config.stash[VLLM]
