"""A stamp says what something was made from, so that it is made again only when that changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from toolchain.paths import ROOT


def digest(files: Iterable[Path], *words: str) -> str:
    """Return one digest over names and contents of files, and over further words."""
    total = hashlib.sha256()
    for path in sorted(files):
        total.update(str(path.relative_to(ROOT)).encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    for word in words:
        total.update(word.encode() + b"\0")
    return total.hexdigest()


def is_current(stamp: Path, value: str) -> bool:
    return stamp.is_file() and stamp.read_text() == value


def write(stamp: Path, value: str) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(value)


def drop(stamp: Path) -> None:
    """Forget, before the thing is made again: an interrupted step must not look done."""
    stamp.unlink(missing_ok=True)
