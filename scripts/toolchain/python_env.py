"""The virtual environment and what is installed in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from toolchain import stamps
from toolchain.console import StepError, require, say, step
from toolchain.paths import REQUIREMENTS, ROOT, VENV, VENV_PYTHON, relative

PACKAGES_ADVICE = (
    "check that this machine reaches a Python package index (try `pip download six`), then run the "
    "same command again: it goes on where it stopped."
)


def ensure_environment(lock: str = "app") -> None:
    """Make ``.venv`` if need be and install ``requirements/<lock>.txt`` and this project.

    ``dev`` contains all of ``app``, so whoever has dev installed needs nothing for app.
    """
    _ensure_venv()
    locks = ["app", "dev"] if lock == "app" else [lock]
    wanted = {name: _digest(name) for name in locks}
    if any(stamps.is_current(_stamp(name), wanted[name]) for name in locks):
        say("· Python packages: up to date")
        return
    path = REQUIREMENTS / f"{lock}.txt"
    for name in ("app", "dev"):
        stamps.drop(_stamp(name))
    with step(f"Installing Python packages ({relative(path)})"):
        install_locked(lock)
        # Its build tools are in the lock: nothing is fetched unpinned.
        require(
            "pip-project",
            [*_pip(), "install", "--no-deps", "--no-build-isolation", "-e", "."],
            advice="remove .venv (`make clean`) and run the same command again.",
        )
    stamps.write(_stamp(lock), wanted[lock])


def install_locked(lock: str) -> None:
    """Install one hash-pinned lock file."""
    path = relative(REQUIREMENTS / f"{lock}.txt")
    require(
        f"pip-{lock}",
        [*_pip(), "install", "--require-hashes", "-r", path],
        advice=PACKAGES_ADVICE,
    )


def _pip() -> list[str]:
    return [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input"]


def _stamp(lock: str) -> Path:
    return VENV / f".installed-{lock}"


def _digest(lock: str) -> str:
    files = [REQUIREMENTS / f"{lock}.txt", ROOT / "pyproject.toml"]
    # An editable install names this folder: a moved checkout must install again.
    return stamps.digest(files, str(ROOT), _version_of_venv() or "")


def _version_of_venv() -> str | None:
    """Return the version of the environment's Python, None if it does not run."""
    code = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(
            [str(VENV_PYTHON), "-c", code], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _ensure_venv() -> None:
    version = _version_of_venv()
    if version is not None and tuple(map(int, version.split("."))) >= (3, 11):
        return
    if VENV.exists():
        say("· .venv does not run (or is older than Python 3.11): making it anew")
        shutil.rmtree(VENV)
    with step(f"Making .venv with Python {sys.version.split()[0]}"):
        require(
            "venv",
            [sys.executable, "-m", "venv", str(VENV)],
            advice="install the venv module of this Python (Debian, Ubuntu: `apt-get install "
            f"python{sys.version_info[0]}.{sys.version_info[1]}-venv`), then run this again.",
        )
    if _version_of_venv() is None:
        raise StepError(
            "the new .venv has no working pip",
            "install this Python's `venv` and `ensurepip` (Debian, Ubuntu: python3-venv).",
        )
