"""The resident memory of this process."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path


def resident_bytes() -> int:
    """Return how many bytes of this process are in memory now."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        # Not Linux: the most that it ever was (kilobytes, bytes on macOS).
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
