"""Keys of studies: what keeps the groups of one from being counted with those of another."""

from __future__ import annotations

from typing import Literal

import msgspec

Mode = Literal["live", "pilot", "test"]


class StudyKey(msgspec.Struct, frozen=True):
    """Name of a study with its version and mode: only groups of all three are counted together."""

    name: str
    version: int = 1
    mode: Mode = "live"
