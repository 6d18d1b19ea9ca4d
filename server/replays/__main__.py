"""Program that makes the film of one episode, and prints `Film` as msgpack.

The command is `python -m server.replays LOG EPISODE_ID DATA_DIR`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from server.replays.film import FilmError, make_film
from server.reports.program import run


def _make(log: Path, episode_id: str, data_dir: Path) -> bytes:
    return msgspec.msgpack.encode(make_film(log, episode_id, data_dir))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], _make, FilmError))
