"""Notes of coders: a code on a moment or a stretch of an episode, with words of their own."""

from __future__ import annotations

import msgspec

LONGEST_TEXT = 2_000
"""Most characters of a note's words."""


class Note(msgspec.Struct, frozen=True):
    """Note of one coder on one episode."""

    note_id: str
    episode_id: str
    codebook: str
    code: str
    coder: str
    """Name of the operator's account."""
    first: int
    """Tick at which it begins."""
    last: int
    """Tick at which it ends; of a moment, the same."""
    text: str
    key: str = ""
    """Random word of the page that made it: what is sent twice with it is one note."""


class Coding(msgspec.Struct, frozen=True):
    """Episode that a coder has looked through with a codebook; what has no note was not seen."""

    episode_id: str
    codebook: str
    coder: str
    first: int
    start: int
    last: int
    """Ticks of the episode: the first, that at which the task's time began, and the last."""
    notes: tuple[Note, ...]
