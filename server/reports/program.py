"""Programs that make something of one recorded episode, in a process of their own.

Neither a tick nor a page waits for them. What they make goes to standard output; on failure they
say why and exit with 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

NICENESS = 10


def run(
    arguments: Sequence[str],
    make: Callable[[Path, str, Path], bytes],
    failure: type[Exception],
) -> int:
    """Run a program with the arguments LOG, EPISODE_ID and DATA_DIR; return its exit status."""
    log, episode_id, data_dir = arguments
    os.nice(NICENESS)
    try:
        made = make(Path(log), episode_id, Path(data_dir))
    except failure as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.buffer.write(made)
    return 0
