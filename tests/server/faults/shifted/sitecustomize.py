"""A wall clock that a test sets, in every Python process that finds this file on its path.

The file that `SHIFTED_CLOCK` names has the seconds to add. Monotonic clocks and times of files are
the machine's own, as they are when somebody sets a real clock.
"""

import os
import time
from pathlib import Path

_shift = Path(os.environ["SHIFTED_CLOCK"])
_true, _true_ns = time.time, time.time_ns


def _shift_s() -> float:
    try:
        return float(_shift.read_text() or 0.0)
    except FileNotFoundError:
        return 0.0


def _time() -> float:
    return _true() + _shift_s()


def _time_ns() -> int:
    return _true_ns() + round(_shift_s() * 1e9)


time.time, time.time_ns = _time, _time_ns
