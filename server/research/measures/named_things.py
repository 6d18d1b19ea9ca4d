"""Things that a line of chat names: found by their labels, with no understanding of the line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from episodes.evaluation import Surroundings
from episodes.names import floor_key

_WORD = re.compile(r"[a-z0-9]+")


class NamedThings:
    """Finder of the things that can be carried in lines of chat."""

    def __init__(self, about: Surroundings) -> None:
        rooms = [room.room_id for room in about.rooms]
        fixed = {*about.furniture_rooms, *rooms, *map(floor_key, rooms)}
        labels = {key: tuple(_WORD.findall(label.lower())) for key, label in about.labels.items()}
        things = {handle: words for handle, words in labels.items() if handle not in fixed}
        nouns = {handle: _noun(words) for handle, words in things.items()}
        alike = Counter(nouns.values())
        of_fixed = [words for handle, words in labels.items() if handle in fixed]
        others = {word for words in of_fixed for word in words}
        self._phrases: dict[tuple[str, ...], str] = dict.fromkeys(of_fixed, "")
        """Words that name one thing; of furniture and rooms no handle, so that a floor lamp is no
        lamp."""
        for handle, words in things.items():
            noun = nouns[handle]
            if noun and alike[noun] == 1 and noun not in others:
                self._phrases[noun,] = handle
            if words:
                self._phrases[words] = handle
        self._longest = max(map(len, self._phrases), default=0)

    def in_line(self, text: str) -> tuple[str, ...]:
        """Return the handles of the things that a line names, each once, in their order."""
        words, found, at = tuple(_WORD.findall(text.lower())), dict[str, None](), 0
        while at < len(words):
            length = self._length_at(words, at)
            if length:
                found[self._phrases[words[at : at + length]]] = None
            at += length or 1
        return tuple(filter(None, found))

    def _length_at(self, words: Sequence[str], at: int) -> int:
        """Return how many words from one on are the longest name; 0: none is."""
        lengths = range(min(self._longest, len(words) - at), 0, -1)
        return next((n for n in lengths if tuple(words[at : at + n]) in self._phrases), 0)


def _noun(words: tuple[str, ...]) -> str:
    """Return the last word of a label that is no number; empty: there is none."""
    return next((word for word in reversed(words) if not word.isdigit()), "")
