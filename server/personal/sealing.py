"""Sealed words: texts that can be read only with the keys of all people whose words are in them.

A sealed text is plain ASCII, so that it can stand in a row, a line of a log or a file:
``sealed.1.PEOPLE.TEXT``, with the people's ids (``+`` between them), and the nonce and the text
under AES-256-GCM in base64. With the key of one of several people gone, nobody can read it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping

from server.personal.key_folder import KeyFolder

START = "sealed.1."
FORGOTTEN = "(forgotten)"
"""Text that stands for the words of somebody who was forgotten."""
KEYLESS = "(sealed: the key is not here)"
"""Text that stands for words whose key is missing, though nobody was forgotten."""
_SEALED = re.compile(r"sealed\.1\.([a-z]+_\w{1,60}(?:\+[a-z]+_\w{1,60})*)\.([\w-]{38,})", re.ASCII)
_SEALED_JSON = re.compile(b'"(' + _SEALED.pattern.encode() + b')"')
_NONCE_BYTES = 12


def seal(keys: Mapping[str, bytes], text: str) -> str:
    """Seal a text under the keys of some people. Raises ValueError for nobody."""
    if not keys:
        raise ValueError("expected somebody whose words they are")
    return seal_with(*joint_key(keys), text)


def joint_key(keys: Mapping[str, bytes]) -> tuple[bytes, str]:
    """Return a key for texts of some people together, and their ids as a sealed text has them."""
    ids = sorted(keys)
    return _joined([keys[person] for person in ids]), "+".join(ids)


def seal_with(key: bytes, ids: str, text: str) -> str:
    """Seal a text with a key that `joint_key` gave."""
    # Loaded with the first words: commands that touch nobody's data start without it.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(_NONCE_BYTES)
    sealed = nonce + AESGCM(key).encrypt(nonce, text.encode("utf-8", "surrogatepass"), ids.encode())
    return f"{START}{ids}.{base64.urlsafe_b64encode(sealed).rstrip(b'=').decode('ascii')}"


def is_sealed(text: object) -> bool:
    """Tell whether a value looks like a sealed text."""
    return isinstance(text, str) and _SEALED.fullmatch(text) is not None


def people_of(text: str) -> tuple[str, ...]:
    """Return under whose keys a text is sealed; empty: under none."""
    found = _SEALED.fullmatch(text)
    return tuple(found[1].split("+")) if found is not None else ()


def opened(keys: KeyFolder | None, text: str) -> str:
    """Return the words of a sealed text, or what stands for them; any other text as it is.

    Raises KeysError for a folder of keys that cannot be read.
    """
    found = _SEALED.fullmatch(text)
    if found is None:
        return text
    if keys is None:
        return KEYLESS
    people = found[1].split("+")
    if any(keys.is_forgotten(person) for person in people):
        return FORGOTTEN
    known = [key for person in people if (key := keys.key(person)) is not None]
    if len(known) < len(people):
        return KEYLESS
    return _decrypted(_joined(known), found)


def opened_json(keys: KeyFolder | None, data: bytes) -> bytes:
    """Return JSON with each string that is a sealed text opened as by `opened`."""
    if START.encode() not in data:
        return data

    def words(found: re.Match[bytes]) -> bytes:
        text = found[1].decode("ascii")
        shown = opened(keys, text)
        return found[0] if shown == text else json.dumps(shown).encode("ascii")

    return _SEALED_JSON.sub(words, data)


def _decrypted(key: bytes, found: re.Match[str]) -> str:
    """Return the words, or what stands for them where this is not the key of theirs."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    ids, packed = found[1], found[2]
    try:
        sealed = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        nonce, text = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        return AESGCM(key).decrypt(nonce, text, ids.encode()).decode("utf-8", "surrogatepass")
    except (InvalidTag, ValueError):
        return KEYLESS


def _joined(keys: Iterable[bytes]) -> bytes:
    """Return a key that nobody can make who lacks one of ``keys``."""
    return hashlib.blake2b(b"".join(keys), digest_size=32, person=b"cohabit.sealed").digest()
