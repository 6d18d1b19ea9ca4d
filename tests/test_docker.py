"""Tests of the image and the compose file, as far as they can be tested without an engine.

What the image runs is run: its files as they are copied, its command, its health check.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import psutil
import pytest
import yaml

from server.settings import Settings
from server.web.client_build import URL
from server.web.http_connection import HEAD_S, LARGEST_HEAD, PROXY_IDLE_S
from server.web.request_bodies import BODY_S, LARGEST_BODY
from tests.dockerfile import Stage, read_dockerfile
from tests.live_server import free_port
from tests.server.web.doubles import write_client

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
DOCKER = ROOT / "docker"
SCHEMA = ROOT / "tests" / "data" / "compose" / "compose-spec.json"
SETTINGS = {f"COHABIT_{name.upper()}" for name in Settings.model_fields}
START_TIMEOUT_S = 180.0

CLIENT, APP = read_dockerfile(DOCKER / "Dockerfile")
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())


CHOSEN = "chosen-by-operators"


def environment_of_compose() -> dict[str, str]:
    """Return what the compose file sets for the server, where every question has one answer."""
    environment = COMPOSE["services"]["cohabit"]["environment"]
    filled = {
        name: re.sub(r"\$\{\w+(?::-([^}]*)|:\?[^}]*)\}", lambda m: m[1] or CHOSEN, value)
        for name, value in environment.items()
    }
    return filled | {name: "" for name, value in environment.items() if value.endswith(":-}")}


def copied(stage: Stage) -> Iterator[tuple[list[str], str, bool]]:
    """Return sources, target, and whether they come from another stage."""
    for instruction in stage.all("COPY"):
        words = instruction.words
        is_foreign = words[0].startswith("--from=")
        *sources, target = words[1:] if is_foreign else words
        yield sources, target, is_foreign


@pytest.mark.parametrize("stage", [CLIENT, APP])
def test_bases_are_pinned_and_what_is_copied_is_there(stage: Stage) -> None:
    assert re.fullmatch(r"[\w/.-]+:\d+(\.\d+)*-[\w.]+", stage.image), "name a version"
    ignored = [
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().split()
        if line.startswith("!")
    ]  # fmt: skip
    for sources, _, is_foreign in copied(stage):
        for source in sources:
            if not is_foreign:
                assert (ROOT / source).exists(), source
                assert source.split("/")[0] in ignored, f"{source} is not sent to the engine"


def test_the_image_runs_as_nobody_in_particular_and_tells_how_it_is() -> None:
    names = [instruction.name for instruction in APP.instructions]
    assert APP.only("USER").text not in {"root", "0"}
    assert names.index("USER") < names.index("CMD")
    assert "COPY" not in names[names.index("USER") :], "what it runs must not be its own"
    assert APP.only("HEALTHCHECK").command == ["python", "-m", "server.cli.healthcheck"]
    assert set(APP.environment()) & SETTINGS == {
        "COHABIT_DATA_DIR", "COHABIT_KEYS_DIR", "COHABIT_HOST", "COHABIT_PORT", "COHABIT_LOG_JSON",
    }  # fmt: skip
    kept = [APP.environment()[name] for name in ("COHABIT_DATA_DIR", "COHABIT_KEYS_DIR")]
    assert APP.only("VOLUME").text.split() == kept
    assert APP.environment()["COHABIT_PORT"] == APP.only("EXPOSE").text
    # Signals must reach the server, not a shell.
    assert re.search(r"\bexec cohabit serve$", APP.only("CMD").command[-1])


def test_every_package_that_is_installed_has_a_known_hash() -> None:
    installs = [i.text for i in APP.all("RUN") if "pip install" in i.text]
    assert all("--require-hashes" in text or "--no-deps" in text for text in installs)
    assert all("--no-cache-dir" in text for text in installs)
    assert any(text.startswith("npm ci ") for text in (i.text for i in CLIENT.all("RUN")))


def test_compose_says_what_the_specification_allows() -> None:
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text())).validate(COMPOSE)


def test_compose_names_only_what_it_declares() -> None:
    services = COMPOSE["services"]
    for name, service in services.items():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            is_file = source.startswith(".")
            assert (DOCKER / source).exists() if is_file else source in COMPOSE["volumes"], mount
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        for other, how in service.get("depends_on", {}).items():
            assert other in services
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[other]
        set_here = {v for v in service.get("environment", {}) if v.startswith("COHABIT_")}
        assert set_here <= SETTINGS
        if "image" in service:
            assert re.search(r":\d", service["image"]), f"{name}: name a version"
    build = services["cohabit"]["build"]
    assert (DOCKER / build["context"] / build["dockerfile"]).exists()


def test_only_the_proxy_can_be_reached_and_only_it_is_believed() -> None:
    services = COMPOSE["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    address = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert services["cohabit"]["environment"]["COHABIT_PROXY_IPS"] == address
    for name in ("cohabit", "proxy"):
        assert services[name]["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in services[name]["security_opt"]
    assert services["cohabit"]["read_only"] is True
    caddy = (DOCKER / "Caddyfile").read_text()
    # The proxy is as strict as the server, and closes its connections first.
    assert f"read_header {HEAD_S:.0f}s" in caddy
    assert f"read_body {BODY_S:.0f}s" in caddy
    assert f"max_size {LARGEST_BODY // 1024}KiB" in caddy
    assert f"max_header_size {LARGEST_HEAD // 1024}KiB" in caddy
    idle = re.search(r"\bidle (\d+)m", caddy)
    assert idle is not None
    assert int(idle[1]) * 60 < PROXY_IDLE_S
    # Whatever is handed on takes a connection to the server; three of four are for visitors.
    requests = re.search(r"\bunhealthy_request_count (\d+)", caddy)
    assert requests is not None
    assert Settings(_env_file=None).wanted_connections < int(requests[1])
    assert 4 * int(requests[1]) <= services["proxy"]["ulimits"]["nofile"]
    kept = re.search(r"\bkeepalive (\d+)s", caddy)
    assert kept is not None
    assert int(kept[1]) < PROXY_IDLE_S
    assert "reverse_proxy cohabit:8000" in caddy
    assert caddy.count("{") == caddy.count("}")
    # No password stands in the file, and none is taken for granted.
    password = services["database"]["environment"]["POSTGRES_PASSWORD"]
    assert password.startswith("${POSTGRES_PASSWORD:?")
    token = services["cohabit"]["environment"]["COHABIT_METRICS_TOKEN"]
    assert token.startswith("${COHABIT_METRICS_TOKEN:?")


def test_the_proxy_packs_nothing_that_holds_a_token() -> None:
    """The length of a packed page tells of a token what others add beside it (BREACH)."""
    caddy = (DOCKER / "Caddyfile").read_text()
    (matcher,) = re.findall(r"^\tencode (\S+)", caddy, re.MULTILINE)
    (paths,) = re.findall(rf"^\t{matcher} path (.+)$", caddy, re.MULTILINE)
    assert set(paths.split()) == {f"{URL}*", "/assets/*", "/favicon.svg"}


def test_the_image_has_the_client_of_the_database() -> None:
    (version,) = re.findall(r"^postgres:(\d+)", COMPOSE["services"]["database"]["image"])
    installed = " ".join(i.text for i in APP.all("RUN") if "apt-get" in i.text)
    assert f"postgresql-client-{version} " in installed
    names = [i.name for i in APP.instructions]
    assert names.index("RUN") < names.index("USER")


def test_O1_what_compose_sets_is_enough_for_the_server_to_start() -> None:
    """The settings of the compose file, with what its own messages ask for and nothing else."""
    named: dict[str, Any] = {
        name.removeprefix("COHABIT_").lower(): value
        for name, value in environment_of_compose().items()
    }
    settings = Settings(_env_file=None, **named)
    settings.require_operators(has_accounts=False)
    assert settings.public_url == "https://localhost"
    assert settings.metrics_token == CHOSEN


def lay_out(folder: Path) -> None:
    """Copy into a folder what the image copies, as it copies it."""
    for sources, target, is_foreign in copied(APP):
        if is_foreign:
            continue
        for source in sources:
            place = folder / target
            if (ROOT / source).is_dir():
                ignore = shutil.ignore_patterns("__pycache__", "static")
                shutil.copytree(ROOT / source, place, ignore=ignore, dirs_exist_ok=True)
            else:
                place = place / source if target.endswith("/") else place
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, place)
    ((_, client, _),) = [copy for copy in copied(APP) if copy[2]]
    write_client(folder / client)


def run_image(folder: Path, data: Path, path: str) -> None:
    """Run the image's command and its health check, and stop it as an engine does."""
    port = free_port()
    env = {
        "PATH": path,
        "PYTHONPATH": str(folder),
        "HOME": str(data),
        **APP.environment(),
        "COHABIT_DATA_DIR": str(data),
        "COHABIT_HOST": "127.0.0.1",
        "COHABIT_PORT": str(port),
    }
    check = APP.only("HEALTHCHECK").command
    asked = subprocess.run(check, cwd=folder, env=env, capture_output=True, text=True)
    assert asked.returncode == 1
    assert f"127.0.0.1:{port}" in asked.stderr
    with (data / "output").open("wb") as output:
        process = subprocess.Popen(
            APP.only("CMD").command,
            cwd=folder,
            env=env,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while subprocess.run(check, cwd=folder, env=env, capture_output=True).returncode != 0:
            assert process.poll() is None, (data / "output").read_text()
            assert time.monotonic() < deadline, (data / "output").read_text()
            time.sleep(0.2)
        assert "serve" in psutil.Process(process.pid).cmdline(), "a shell would swallow signals"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0, (data / "output").read_text()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    said = [line for line in (data / "output").read_text().splitlines() if line.startswith("{")]
    events = [json.loads(line)["event"] for line in said]
    assert "server.started" in events
    assert "worker.up" in events


def test_what_the_image_holds_is_enough_to_run(houses_dir: Path, tmp_path: Path) -> None:
    lay_out(tmp_path / "app")
    shutil.copytree(houses_dir, tmp_path / "data", ignore=shutil.ignore_patterns("*.glb"))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    run_image(tmp_path / "app", tmp_path / "data", path)


@pytest.mark.long
def test_the_image_installs_into_an_empty_environment(houses_dir: Path, tmp_path: Path) -> None:
    """Needs a package registry. Every RUN of the image but those that only root can do."""
    app = tmp_path / "app"
    lay_out(app)
    shutil.copytree(houses_dir, tmp_path / "data")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    path = os.pathsep.join((str(tmp_path / "venv" / "bin"), os.environ["PATH"]))
    for instruction in APP.all("RUN"):
        if not instruction.text.startswith(("useradd", "apt-get")):
            subprocess.run(
                ["sh", "-c", instruction.text],
                cwd=app,
                env={**os.environ, "PATH": path},
                check=True,
            )
    run_image(app, tmp_path / "data", path)
