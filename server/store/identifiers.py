"""New identifiers from the clock and the system's random source."""

from __future__ import annotations

import secrets

from matchmaking.identifiers import RANDOM_BYTES, Prefix, make_code, make_id
from server.wall_clock import wall_s


def new_id(prefix: Prefix) -> str:
    return make_id(prefix, wall_s(), secrets.token_bytes(RANDOM_BYTES))


def new_code() -> str:
    """Return a new invitation code."""
    return make_code(secrets.token_bytes(RANDOM_BYTES))
