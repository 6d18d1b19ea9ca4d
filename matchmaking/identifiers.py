"""Identifiers: opaque, prefixed, and in order of their making when sorted.

An id is a prefix, 48 bits of milliseconds and 80 random bits in Crockford's base 32, lower case
(a ULID with a prefix): ``ses_01jd3b4x7k0q…``. It tells when it was made and nothing else.
"""

from __future__ import annotations

from typing import Literal, get_args

Prefix = Literal["par", "tic", "mat", "ses", "epi", "stu", "vis", "not"]
"""Prefix of a participant, ticket, match, session, episode, study, visit or coder's note."""

RANDOM_BYTES = 10
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 26
_CODE_LENGTH = 10
_LATEST_MS = (1 << 48) - 1


def make_id(prefix: Prefix, now: float, random: bytes) -> str:
    """Make the id of a thing made at ``now`` (seconds since 1970) with ten random bytes.

    Raises ValueError for another number of bytes or a time outside 48 bits of milliseconds.
    """
    if len(random) != RANDOM_BYTES:
        raise ValueError(f"expected {RANDOM_BYTES} random bytes, got {len(random)}")
    milliseconds = int(now * 1000)
    if not 0 <= milliseconds <= _LATEST_MS:
        raise ValueError(f"expected a time from 1970 on that fits 48 bits, got {now}")
    value = (milliseconds << (8 * RANDOM_BYTES)) | int.from_bytes(random, "big")
    return f"{prefix}_{_base32(value, _LENGTH)}"


def make_code(random: bytes) -> str:
    """Make an invitation code that can be read aloud: ten characters, 50 bits."""
    if len(random) < 7:
        raise ValueError(f"expected at least 7 random bytes, got {len(random)}")
    return _base32(int.from_bytes(random, "big") & ((1 << 5 * _CODE_LENGTH) - 1), _CODE_LENGTH)


def is_id(prefix: Prefix, text: str) -> bool:
    """Tell whether ``text`` has the form of an id with this prefix."""
    head, _, body = text.partition("_")
    return head == prefix and _is_base32(body, _LENGTH)


def is_code(text: str) -> bool:
    """Tell whether ``text`` has the form of an invitation code."""
    return _is_base32(text, _CODE_LENGTH)


def made_at(identifier: str) -> float:
    """Return when a thing was made (seconds since 1970). Raises ValueError for another text."""
    prefix, _, body = identifier.partition("_")
    if prefix not in get_args(Prefix) or not _is_base32(body, _LENGTH):
        raise ValueError(f"expected an id, got {identifier!r}")
    value = 0
    for letter in body:
        value = value << 5 | _ALPHABET.index(letter)
    return (value >> (8 * RANDOM_BYTES)) / 1000


def _is_base32(text: str, length: int) -> bool:
    return len(text) == length and all(letter in _ALPHABET for letter in text)


def _base32(value: int, length: int) -> str:
    return "".join(_ALPHABET[value >> 5 * place & 31] for place in reversed(range(length)))
