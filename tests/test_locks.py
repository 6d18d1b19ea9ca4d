"""Tests of the lock files, which are for everybody.

They name no host, no index and no path of the machine that made them, and every package in them is
pinned by hash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON_LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
CLIENT_LOCK = ROOT / "client" / "package-lock.json"
LOCKS = [*PYTHON_LOCKS, CLIENT_LOCK]

FORBIDDEN = {
    "an address": re.compile(r"\b(?:https?|git\+\w+|file|ssh)://", re.IGNORECASE),
    "an index option": re.compile(r"^\s*(?:--(?:extra-)?index-url|--find-links|-f |-i )", re.M),
    "an absolute path": re.compile(r"(?:^|[\s@\"'=])/(?:[\w.-]+/)+[\w.-]+", re.M),
    "a drive path": re.compile(r"\b[A-Za-z]:\\"),
}
# npm writes these about packages, not about where they were fetched.
METADATA = {"funding", "homepage", "license", "deprecated", "bugs"}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_lock_names_no_host_and_no_path(lock: Path) -> None:
    text = "\n".join(_texts(lock))
    for what, pattern in FORBIDDEN.items():
        found = pattern.search(text)
        assert found is None, f"{lock.name} contains {what}: {found.group(0)!r}"


@pytest.mark.parametrize("lock", PYTHON_LOCKS, ids=lambda path: path.name)
def test_python_packages_are_pinned_by_hash(lock: Path) -> None:
    entries = [e for e in re.split(r"\n(?=\S)", lock.read_text()) if not e.startswith("#")]
    assert entries
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._\[\],-]+==[\w.+!]+", entry), entry
        assert "--hash=sha256:" in entry, f"{lock.name}: no hash for {entry.splitlines()[0]}"


def test_client_packages_are_pinned_by_hash() -> None:
    packages = json.loads(CLIENT_LOCK.read_text())["packages"]
    without = [name for name, entry in packages.items() if name and "integrity" not in entry]
    assert without == []


def test_dev_contains_the_app_lock() -> None:
    """The tests run what is played."""
    app, dev = (_pins(ROOT / "requirements" / f"{name}.txt") for name in ("app", "dev"))
    assert app <= dev


def _pins(lock: Path) -> set[str]:
    return {line.split(" \\")[0] for line in lock.read_text().splitlines() if "==" in line}


def _texts(lock: Path) -> Iterator[str]:
    """Return the parts of a lock file that say what is installed and from where."""
    if lock.suffix == ".json":
        yield from _json_texts(json.loads(lock.read_text()))
    else:
        yield lock.read_text()


def _json_texts(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in METADATA:
                yield str(key)
                yield from _json_texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from _json_texts(value)
    elif isinstance(node, str):
        yield node
