"""Talk: the lines of chat of each seat."""

from __future__ import annotations

from collections import Counter

from server.research.measures.doings import Doings
from server.research.measures.measure import Measure, Value


def lines(doings: Doings) -> list[Value]:
    """Return the number of each seat's lines."""
    counts = Counter(spoken.seat for spoken in doings.spoken)
    return [Value(seat, float(counts[seat])) for seat in doings.seats]


def words(doings: Doings) -> list[Value]:
    """Return the number of words in each seat's lines."""
    counts: Counter[str] = Counter()
    for spoken in doings.spoken:
        counts[spoken.seat] += spoken.words
    return [Value(seat, float(counts[seat])) for seat in doings.seats]


LINES = Measure(
    name="talk_lines",
    version=1,
    definition="Lines of chat that the seat said.",
    unit="count",
    source="chat",
    compute=lines,
)
WORDS = Measure(
    name="talk_words",
    version=1,
    definition="Words in the lines of chat that the seat said, parted by spaces.",
    unit="count",
    source="chat",
    compute=words,
)
