"""Sheet of a coder: what a replay's page needs to put codes on moments of an episode."""

from __future__ import annotations

import msgspec


class SheetCode(msgspec.Struct, frozen=True, array_like=True):
    """A code, and whether it is put on a stretch or on a moment."""

    code: str
    name: str
    is_stretch: bool
    definition: str


class SheetBook(msgspec.Struct, frozen=True, array_like=True):
    """A codebook, and whether this coder has finished the episode with it."""

    name: str
    title: str
    is_finished: bool
    codes: tuple[SheetCode, ...] = ()


class SheetNote(msgspec.Struct, frozen=True, array_like=True):
    """A note; another coder's is shown only once both have finished the episode."""

    note_id: str
    book: str
    code: str
    coder: str
    first: int
    last: int
    text: str
    key: str = ""
    """Word by which the coder's page changes it; empty: it is another coder's."""


class CodingSheet(msgspec.Struct, frozen=True, array_like=True):
    """All that a coder sees of the coding of an episode."""

    coder: str
    longest_text: int
    books: tuple[SheetBook, ...] = ()
    notes: tuple[SheetNote, ...] = ()


class CodingProblem(msgspec.Struct, frozen=True, array_like=True):
    """Answer to what could not be noted, in words for the coder."""

    text: str
