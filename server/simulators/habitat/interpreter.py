"""The interpreter that has habitat-sim: where it is remembered, and what it needs.

habitat-sim comes from conda or a source build, not from PyPI, so it usually lives in an environment
of its own. That environment is remembered for the user, not for a checkout.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import msgspec

VARIABLE = "COHABIT_HABITAT_PYTHON"
OLDEST = (3, 11)
PACKAGES = {
    "numpy": "numpy>=1.26,<3",
    "msgspec": "msgspec>=0.19,<1",
    "shapely": "shapely>=2.0,<3",
    "structlog": "structlog>=24.1",
    "cryptography": "cryptography>=43,<50",
}
"""Modules that a session worker imports besides habitat-sim, with what pip is to install."""

_PROBE = """
import importlib, json, sys
out = {"python": list(sys.version_info[:3]), "missing": {}, "habitat_sim": None, "bullet": False}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception as error:
        out["missing"][name] = f"{type(error).__name__}: {error}"
try:
    import habitat_sim
    out["habitat_sim"] = habitat_sim.__version__
    out["bullet"] = bool(habitat_sim.built_with_bullet)
except Exception as error:
    out["missing"]["habitat_sim"] = f"{type(error).__name__}: {error}"
print("\\n" + json.dumps(out))
"""
_PROBE_TIMEOUT_S = 120.0


class Known(NamedTuple):
    """An interpreter, and who says so: a variable of the environment or a file."""

    python: Path
    source: str


class Report(msgspec.Struct):
    """Answer of an interpreter to what it has."""

    python: tuple[int, int, int]
    missing: dict[str, str]
    """The reason why an import failed, by module."""
    habitat_sim: str | None
    bullet: bool

    def problems(self) -> list[str]:
        """Return what keeps it from running sessions and what to do about it; empty if nothing."""
        found = []
        version = ".".join(map(str, self.python))
        if self.python[:2] < OLDEST:
            found.append(f"it is Python {version}; 3.11 or newer is needed")
        why = self.missing.get("habitat_sim")
        if why is not None:
            found.append(
                f"habitat-sim cannot be imported ({why}); it is not on PyPI: install it with "
                "conda (aihabitat-nightly) or build it from source, with Bullet, as its "
                "documentation says"
            )
        elif not self.bullet:
            found.append("habitat-sim was built without Bullet; install or build it with Bullet")
        return found

    @property
    def packages(self) -> list[str]:
        """The packages that pip is to install into it."""
        return [PACKAGES[name] for name in PACKAGES if name in self.missing]


class InterpreterError(Exception):
    """An interpreter that cannot be asked: says why."""


def config_file() -> Path:
    """Return the file in which the interpreter is remembered."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "cohabit" / "habitat.json"


def known() -> Known | None:
    """Return the interpreter that was named or remembered, whether or not it works."""
    named = os.environ.get(VARIABLE)
    if named:
        return Known(Path(named).expanduser(), VARIABLE)
    file = config_file()
    try:
        return Known(Path(json.loads(file.read_bytes())["python"]), str(file))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def habitat_python() -> Path | None:
    """Return the interpreter for sessions on Habitat; None if none is known, or it is gone."""
    found = known()
    if found is None or not os.access(found.python, os.X_OK) or found.python.is_dir():
        return None
    return found.python


def remember(python: Path) -> Path:
    """Remember an interpreter for this user; return the file."""
    file = config_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".json.new")
    partial.write_text(json.dumps({"python": str(python)}, indent=1) + "\n")
    partial.replace(file)
    return file


def examine(python: Path) -> Report:
    """Ask an interpreter what it has. Raises InterpreterError."""
    command = [str(python), "-c", _PROBE, *PACKAGES]
    # A relative PYTHONPATH or our own packages must not hide what the interpreter lacks.
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    try:
        done = subprocess.run(  # noqa: S603  # the operator names the program
            command, env=env, capture_output=True, timeout=_PROBE_TIMEOUT_S, check=False
        )
    except OSError as error:
        raise InterpreterError(f"{python} cannot be started: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise InterpreterError(f"{python} did not answer in {_PROBE_TIMEOUT_S:.0f} s") from error
    lines = done.stdout.splitlines()
    try:
        return msgspec.json.decode(lines[-1] if lines else b"", type=Report)
    except msgspec.DecodeError as error:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise InterpreterError(
            f"{python} is not a Python that runs (status {done.returncode}): "
            f"{said[0] if said else 'it said nothing'}"
        ) from error


def why_unfit(python: Path) -> str:
    """Return what keeps an interpreter from running sessions, in one line; empty: nothing."""
    try:
        report = examine(python)
    except InterpreterError as error:
        return str(error)
    lacks = [f"it lacks {package}" for package in report.packages]
    return "; ".join(f"{python}: {text}" for text in (*report.problems(), *lacks))
