"""Paths of a checkout."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
VENV_BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = VENV_BIN / ("python.exe" if os.name == "nt" else "python")
REQUIREMENTS = ROOT / "requirements"
CLIENT = ROOT / "client"
CLIENT_OUTPUT = ROOT / "server" / "web" / "static" / "client"
LOGS = ROOT / "test-results" / "logs"


def tool(name: str) -> str:
    """Return the path of a command of the virtual environment."""
    return str(VENV_BIN / (f"{name}.exe" if os.name == "nt" else name))


def relative(path: Path) -> str:
    """Return ``path`` as a person in the checkout would write it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
