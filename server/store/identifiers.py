"""New identifiers from the clock and the system's random source."""

from __future__ import annotations

import secrets
import time

from matchmaking.identifiers import RANDOM_BYTES, Prefix, make_code, make_id


def new_id(prefix: Prefix) -> str:
    return make_id(prefix, time.time(), secrets.token_bytes(RANDOM_BYTES))


def new_code() -> str:
    """Return a new invitation code."""
    return make_code(secrets.token_bytes(RANDOM_BYTES))
