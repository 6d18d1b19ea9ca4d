"""Small disks for tests, which only root can mount, and what fills them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

TMPFS_KB = 2048
SmallDisk = Callable[[Path], Path]
"""Function that mounts a disk of 2 MB at a folder, which it makes."""


def mount(folder: Path) -> Path:
    """Mount a small disk; skip the test where that is not allowed."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_KB}k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a small disk")
    return folder


def fill(folder: Path) -> None:
    (folder / "other").write_bytes(b"x" * (shutil.disk_usage(folder).free))
