"""Delays of what people's pages send: so that what a hidden policy wants comes in as theirs does.

A page says ten times a second that its body moves. How evenly that arrives is how evenly anything
of people arrives: by their own frames, the network, and the load of this machine. A body that turns
at exact ticks, each time, is told to be a program's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random

from server.sessions.intents import Drive
from server.sessions.spec import TICK_RATE

REPEAT_TICKS = TICK_RATE // 10
"""Ticks between two times at which a page says that its body moves."""
LONGEST_GAP = 4 * REPEAT_TICKS
"""Ticks after which what comes is no repeat, but another walk."""
SHORTEST, LONGEST = 6, 60
"""Least and most repeats of a stretch that is kept."""
MOST_KEPT = 200
MOST_TICKS = 4
"""Longest delay: a policy steers by what it sees, and would overshoot with more."""
LEAST_SEEN = 8
"""Number of stretches of people from which theirs are played."""
_USUAL = (0,) * 17 + (1,) * 3
"""Delays (ticks) before this worker has seen people walk."""


class InputDelays:
    """Delays (ticks) of people's inputs in this worker, in stretches, as they followed each other.

    Stretches are kept whole, because what is late is followed by what is late.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[int, ...]] = deque(maxlen=MOST_KEPT)

    def keep(self, gaps: Sequence[int]) -> None:
        """Keep the gaps (ticks) between the repeats of somebody's walk, if it was long enough."""
        if len(gaps) < SHORTEST:
            return
        usual, late, stretch = sum(gaps) / len(gaps), 0.0, [0.0]
        for gap in gaps:
            late += gap - usual
            stretch.append(late)
        first = min(stretch)
        self._seen.append(tuple(min(MOST_TICKS, round(late - first)) for late in stretch))

    def delays(self, rng: Random) -> Iterator[int]:
        """Yield delays like those of people's inputs, one for each input, without end."""
        while True:
            if len(self._seen) < LEAST_SEEN:
                yield rng.choice(_USUAL)
            else:
                yield from rng.choice(self._seen)


class Walks:
    """Walks of a session's people, as their pages repeat them; noted in the delays of a worker."""

    def __init__(self, delays: InputDelays) -> None:
        self._delays = delays
        self._going: dict[str, tuple[int, Drive, list[int]]] = {}
        """Tick and drive that came last, and the gaps so far, by seat."""

    def note(self, seat: str, drive: Drive, tick: int) -> None:
        """Note a drive that came from somebody's page at a tick."""
        before, moves = self._going.pop(seat, None), bool(drive.forward or drive.strafe)
        gaps: list[int] = []
        if before is not None:
            at, last, gaps = before
            if not moves or tick - at > LONGEST_GAP or len(gaps) == LONGEST:
                self._delays.keep(gaps)
                gaps = []
            elif drive == last:
                gaps.append(tick - at)
        if moves:
            self._going[seat] = (tick, drive, gaps)
