"""Times at which no session was free, as the rounds of a lobby saw them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from matchmaking.matches import Match
from matchmaking.tickets import Ticket

LONGEST_S = 4 * 3600.0
"""Seconds after which nobody asks any more: longer than anybody waits."""


class FullTimes:
    """Times between rounds of which the first found no session for somebody."""

    def __init__(self) -> None:
        self._spans: deque[tuple[float, float]] = deque()
        self._full_since: float | None = None

    def note(self, now: float, *, is_full: bool) -> None:
        """Note what a round found, in the order of time; before it tried, nothing was free."""
        if self._full_since is not None and now > self._full_since:
            self._spans.append((self._full_since, now))
        self._full_since = now if is_full else None
        while self._spans and self._spans[0][1] < now - LONGEST_S:
            self._spans.popleft()

    def since(self, at: float) -> float:
        """Return for how long (s) no session was free between ``at`` and the last round."""
        return sum(max(end - max(begin, at), 0.0) for begin, end in self._spans)

    def accounted(self, matches: Iterable[Match], tickets: Mapping[str, Ticket]) -> Iterator[Match]:
        """Yield matches that say for how long their people waited for a session alone."""
        for match in matches:
            if match.decision is None:
                yield match
                continue
            held_s = self.since(max(tickets[one].here_since for one in match.ticket_ids))
            yield replace(match, decision=replace(match.decision, held_s=held_s))
