"""Program that draws the pictures of one episode, and prints `Pictures` as JSON.

The command is `python -m server.reports LOG EPISODE_ID DATA_DIR`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from server.reports.pictures import PicturesError, make_pictures
from server.reports.program import run


def _make(log: Path, episode_id: str, data_dir: Path) -> bytes:
    return msgspec.json.encode(make_pictures(log, episode_id, data_dir))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], _make, PicturesError))
