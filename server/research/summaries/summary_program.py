"""Program that summarises packed logs, in a process of its own.

    python -m server.research.summaries.summary_program DATA_DIR LOG...

Neither a tick nor a page waits for it. A log that cannot be read, or a summary that cannot be
written, is told on standard error and the others are done; then the status is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from server.recording.archive import NICENESS
from server.recording.recorded_houses import RecordedHouses
from server.recording.recordings import RecordingError
from server.research.summaries.summary_files import keep_summary, summarise


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Summarise packed logs.")
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("logs", type=Path, nargs="+")
    arguments = parser.parse_args()
    os.nice(NICENESS)
    houses, failed = RecordedHouses(arguments.data_dir), 0
    for log in arguments.logs:
        try:
            keep_summary(log, summarise(log, houses))
        except (RecordingError, OSError) as error:
            sys.stderr.write(f"{log.name}: {error}\n")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
