"""Delays of what people's pages send: so that what a hidden policy wants comes in as theirs does.

A page says when it sends, by its own clock, how its body walks. How evenly that arrives is how
evenly anything of people arrives: by the network, and the load of this machine. A body that turns
at exact ticks, each time, is told to be a program's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from server.sessions.spec import TICK_RATE
from server.wire.messages import DriveInput

LONGEST_GAP = 9
"""Ticks of a page's clock after which what it sends is another walk: one is told all 100 ms."""
SHORTEST, LONGEST = 6, 60
"""Least and most messages of a stretch that is kept."""
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


def stretch_of(sent: Sequence[float], came: Sequence[int]) -> Stretch:
    """Return the delays, tick by tick, of a walk that was sent at these times, and came at these.

    Both are in ticks, each of a clock of its own. What came soonest after it was sent has no delay.
    What is held up for three ticks holds up what is sent in the next two for two and one: one
    cause, and not three.
    """
    offsets = [then - by for by, then in zip(sent, came, strict=True)]
    soonest = min(offsets)
    # Rounded: where a page's times drift over the grid of ticks, as they do at 144 frames a second,
    # what it sends slips by a tick now and then, and so does a policy that plays its delays.
    late = [min(MOST_TICKS, round(offset - soonest)) for offset in offsets]
    stretch: list[int] = []
    at = [round(by - sent[0]) for by in sent]
    for (by, then), (first, second) in zip(pairwise(at), pairwise(late), strict=True):
        stretch += [max(first - number, min(first, second)) for number in range(then - by)]
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
    """Walks of a session's people, as their pages tell them; noted in the delays of a worker."""

    def __init__(self, delays: InputDelays) -> None:
        self._delays = delays
        self._kept: dict[str, deque[Stretch]] = {}
        """Stretches of those who have walked for long enough, by seat."""
        self._going: dict[str, tuple[list[float], list[int]]] = {}
        """Ticks at which the messages of a walk were sent, and came, by seat."""

    def note(self, seat: str, drive: DriveInput, tick: int) -> None:
        """Note a drive that came from somebody's page at a tick."""
        by, moves = drive.client_ms * TICK_RATE / 1000, bool(drive.forward or drive.strafe)
        if seat in self._going:
            since_last = by - self._going[seat][0][-1]
            # Another walk, or a clock that was set: a page that was loaded again has a new one.
            if not moves or not 0 <= since_last <= LONGEST_GAP:
                self._end(seat)
        if not moves:
            return
        sent, came = self._going.setdefault(seat, ([], []))
        sent.append(by)
        came.append(tick)
        if len(sent) == LONGEST:
            self._end(seat)

    def _end(self, seat: str) -> None:
        sent, came = self._going.pop(seat)
        if len(sent) < SHORTEST or came[0] == came[-1]:
            # All at one tick is a line that was held up, which tells nothing of a walk.
            return
        if abs((sent[-1] - sent[0]) - (came[-1] - came[0])) > MOST_TICKS:
            # Its clock runs at a pace of its own, or the line was held up to the end.
            return
        stretch = stretch_of(sent, came)
        if not stretch:
            return
        if seat in self._kept:
            self._kept[seat].append(stretch)
        else:
            self._kept[seat] = self._delays.of_somebody(stretch)
