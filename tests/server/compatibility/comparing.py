"""Comparison of what is made with what is stored."""

from __future__ import annotations

import json

from tests.server.compatibility.material import difference, stored, without_measured
from tests.server.compatibility.productions import Files

MEASURED = ("recordings/react.jsonl",)
"""Logs with times that were measured: how long a model took."""


def named(*groups: str) -> list[tuple[str, str]]:
    """Return a pair for every stored file of some groups: the group, and its name."""
    index = json.loads(stored("index.json"))
    return [(group, name) for group in groups for name in index[group]]


def names_of(group: str) -> list[str]:
    """Return the names of the stored files of a group."""
    return [name for _, name in named(group)]


def check(made: Files, name: str) -> None:
    """Fail where a file is not to the byte as stored, and say where it differs first."""
    now, before = made[name], stored(name)
    if name in MEASURED:
        now, before = without_measured(now), without_measured(before)
    told = difference(now, before)
    assert not told, f"{name} is not as before: {told}"
