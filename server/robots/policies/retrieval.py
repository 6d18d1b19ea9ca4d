"""Solved tasks as examples: found by what their instructions have in common with this one."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """A solved task, as it is put before the model."""

    name: str
    text: str
    library: str
    """Hash of the library that it is from."""
