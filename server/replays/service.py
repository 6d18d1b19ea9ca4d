"""The program that makes films, as the web process runs it."""

from __future__ import annotations

import msgspec

from server.hosting.episode_programs import EpisodeProgram
from server.replays.film import Film
from server.settings import Settings

KEPT = 6
"""Films that are kept: one of an hour has some ten megabytes."""
TIMEOUT_S = 120.0


def film_program(settings: Settings) -> EpisodeProgram[Film]:
    """Return the program that makes the films of replays."""
    return EpisodeProgram(
        settings,
        "server.replays",
        msgspec.msgpack.Decoder(Film),
        event="replay.no_film",
        kept=KEPT,
        timeout_s=TIMEOUT_S,
    )
