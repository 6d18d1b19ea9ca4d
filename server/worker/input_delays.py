"""Delays of what people's pages send: so that what a hidden policy wants comes in as theirs does.

A page whose body walks straight on says so again after a tenth of a second. How evenly that arrives
is how evenly anything of people arrives: by their own frames, the network, and the load of this
machine. A body that turns at exact ticks, each time, is told to be a program's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median

from msgspec.structs import replace

from server.sessions.spec import TICK_RATE
from server.wire.messages import DriveInput

REPEAT_TICKS = TICK_RATE // 10
"""Ticks after which a page says the same again while its body moves; news goes out sooner."""
LONGEST_GAP = 3 * REPEAT_TICKS
"""Ticks after which what comes is no repeat, but another walk."""
SHORTEST, LONGEST = 6, 60
"""Least and most repeats of a stretch that is kept."""
MOST_PEOPLE, MOST_KEPT = 200, 50
"""Number of people whose stretches are kept, and of stretches of one."""
MOST_TICKS = 4
"""Longest delay: a policy steers by what it sees, and would overshoot with more."""
LEAST_SEEN = 8
"""Number of people from whom theirs are played."""
_USUAL = (0,) * 17 + (1,) * 3
"""Delays (ticks) before this worker has seen people walk."""


Stretch = tuple[int, ...]
"""Delay (ticks) at each tick of a walk."""


def stretch_of(gaps: Sequence[int]) -> Stretch:
    """Return the delays, tick by tick, of a walk whose repeats came in with these gaps (ticks).

    What is held up for three ticks holds up what is sent in the next two for two and one: one
    cause, and not three.
    """
    usual, stretch = round(median(gaps)), list[int]()
    for gap in gaps:
        late = min(MOST_TICKS, max(0, gap - usual))
        stretch += [0] * min(gap, usual)
        stretch += range(late, 0, -1)
    return tuple(stretch)


class InputDelays:
    """Delays (ticks) of people's inputs in this worker, tick by tick in stretches of their walks.

    Stretches are kept whole, because what is late is followed by what is late, and person by
    person: of most hardly anything is late, and of a few much. A policy whose walks were now one
    person's and now another's would be as late as the mean of all, and hardly anybody is.
    """

    def __init__(self) -> None:
        self._people: deque[deque[Stretch]] = deque(maxlen=MOST_PEOPLE)

    def of_somebody(self, first: Stretch) -> deque[Stretch]:
        """Return where the stretches of another person are kept, with their first."""
        mine = deque([first], maxlen=MOST_KEPT)
        self._people.append(mine)
        return mine

    def delays(self, rng: Random) -> Iterator[int]:
        """Yield the delay of what a person would send at a tick, for each tick, without end.

        All are of one person, who is drawn once enough people were seen.
        """
        while len(self._people) < LEAST_SEEN:
            yield rng.choice(_USUAL)
        somebody = rng.choice(self._people)
        while True:
            yield from rng.choice(somebody)


class Walks:
    """Walks of a session's people, as their pages repeat them; noted in the delays of a worker."""

    def __init__(self, delays: InputDelays) -> None:
        self._delays = delays
        self._kept: dict[str, deque[Stretch]] = {}
        """Stretches of those who have walked for long enough, by seat."""
        self._going: dict[str, tuple[int, DriveInput, list[int]]] = {}
        """Tick and message that came last, and the gaps so far, by seat."""

    def note(self, seat: str, drive: DriveInput, tick: int) -> None:
        """Note a drive that came from somebody's page at a tick.

        Only the time to one that says the same is a repeat's: a page that turns sends sooner.
        """
        drive = replace(drive, client_ms=0)
        before, moves = self._going.pop(seat, None), bool(drive.forward or drive.strafe)
        gaps: list[int] = []
        if before is not None:
            at, last, gaps = before
            if not moves or tick - at > LONGEST_GAP or len(gaps) == LONGEST:
                self._keep(seat, gaps)
                gaps = []
            elif drive == last:
                gaps.append(tick - at)
        if moves:
            self._going[seat] = (tick, drive, gaps)

    def _keep(self, seat: str, gaps: Sequence[int]) -> None:
        if len(gaps) < SHORTEST:
            return
        stretch = stretch_of(gaps)
        if not stretch:
            # All came at one tick: a line that was held up, which tells nothing of a walk.
            return
        if seat in self._kept:
            self._kept[seat].append(stretch)
        else:
            self._kept[seat] = self._delays.of_somebody(stretch)
