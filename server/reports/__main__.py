"""Program that draws the pictures of one episode.

    python -m server.reports LOG EPISODE_ID DATA_DIR

A process of its own, so that neither a tick nor a page waits for it. It prints `Pictures` as JSON;
on failure it says why and exits with 1.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from server.reports.pictures import PicturesError, make_pictures

NICENESS = 10


def main(arguments: list[str]) -> int:
    log, episode_id, data_dir = arguments
    os.nice(NICENESS)
    try:
        pictures = make_pictures(Path(log), episode_id, Path(data_dir))
    except PicturesError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.buffer.write(msgspec.json.encode(pictures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
