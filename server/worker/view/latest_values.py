"""Latest value of each key, ordered by when it changed.

The order makes "what changed since" cost as much as the answer is long: entries are read from the
newest backwards until one is old enough.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LatestValues(Generic[K, V]):
    """Values by key, each with the version at which it came to be."""

    __slots__ = ("_entries", "_newest")

    def __init__(self) -> None:
        self._entries: dict[K, tuple[int, V]] = {}
        self._newest = -1

    def __contains__(self, key: K) -> bool:
        return key in self._entries

    def put(self, key: K, value: V, version: int) -> None:
        """Set a value. One equal to the present value is not a change."""
        entry = self._entries.get(key)
        if entry is not None:
            if entry[1] == value:
                return
            del self._entries[key]
        self._entries[key] = (version, value)
        self._newest = version

    def touch(self, key: K, value: V, version: int) -> None:
        """Set a value and count it as changed, whatever it was."""
        self._entries.pop(key, None)
        self._entries[key] = (version, value)
        self._newest = version

    def drop(self, key: K) -> None:
        """Forget a key; nobody is told."""
        self._entries.pop(key, None)

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        return None if entry is None else entry[1]

    def since(self, version: int) -> tuple[V, ...]:
        """Return the values that changed after ``version``, the oldest change first."""
        if self._newest <= version:
            return ()
        found = []
        for changed, value in reversed(self._entries.values()):
            if changed <= version:
                break
            found.append(value)
        found.reverse()
        return tuple(found)

    def keys_since(self, version: int) -> tuple[K, ...]:
        """Return the keys of `since`."""
        if self._newest <= version:
            return ()
        found = []
        for key, (changed, _) in reversed(self._entries.items()):
            if changed <= version:
                break
            found.append(key)
        found.reverse()
        return tuple(found)

    def values(self) -> tuple[V, ...]:
        return tuple(value for _, value in self._entries.values())
