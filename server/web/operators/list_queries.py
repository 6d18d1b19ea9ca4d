"""Queries of operators' lists, as an address has them: words of filters, and numbers."""

from __future__ import annotations

_LONGEST_WORD = 64
_LATEST = 2**31 - 1
_MOST_DIGITS = len(str(_LATEST))
"""Digits that are read: Python refuses to read thousands."""


def word_of(text: str) -> str:
    """Return a word of a filter; empty: it filters nothing."""
    # PostgreSQL takes no NUL in a text.
    return text.replace("\0", "").strip()[:_LONGEST_WORD]


def number_of(text: str) -> int | None:
    """Return a number from the address of a page; None for what is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        return None
    number = int(text)
    return number if number <= _LATEST else None
