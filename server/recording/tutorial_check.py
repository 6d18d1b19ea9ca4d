"""Check of a recorded tutorial in a process of its own: ``python -m … FILE SEAT`` prints JSON.

Reading a recording takes longer than the web process may be kept from sending frames.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from server.recording.recordings import read_recording
from server.recording.tutorial_criterion import tutorial_outcome


def main() -> None:
    """Print the skills that a seat did not show in the last episode of a recording."""
    path, seat = sys.argv[1:]
    missing = sorted(tutorial_outcome(read_recording(Path(path))[-1], seat).missing)
    sys.stdout.buffer.write(msgspec.json.encode(missing))


if __name__ == "__main__":
    main()
