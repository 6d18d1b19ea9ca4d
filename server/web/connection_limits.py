"""Limits of connections: how many there are at once, how fast new ones come, and from whom.

A stranger who opens connections as fast as possible is refused before anything has been made for
the connection. What others have is never taken away, but for connections that wait for a request,
for the rest of one, or for a websocket's hello: where all places are taken, one of whoever holds
most of them makes room for somebody else. Where one address or a proxy has all that it may have,
its oldest of which a request or a hello has never come whole makes room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from server.web.token_buckets import Rate, TokenBuckets

Kind = Literal["address", "proxy", "exempt"]

NEW_CONNECTIONS = Rate(500, 1500)
"""New connections of everybody together. Past them, only who has opened few gets one."""
FEW = Rate(2, 24)
"""Connections that somebody may have opened lately to count as one of those: a page or two."""
DEBT = 1000.0
"""Number of those that may come at once before everybody waits."""
REFILL_S = 10.0
"""Seconds within which one address may open as many connections as it may have at once."""
PUNISHMENT = 30.0
"""New connections that one costs which was closed because it sent too much."""
PATIENCE_S = 1.0
"""Seconds for which a connection without a whole request is left alone when all places are taken,
or all of its address."""
KEPT_FROM_PROXIES = 32
"""Places that proxies cannot take: those of health checks and of operators on this machine."""
_EVERYBODY = ""


class Peer(NamedTuple):
    """The other end of a connection, as limits count it."""

    group: str
    kind: Kind


@dataclass(eq=False, slots=True)
class Place:
    """A connection that was let in."""

    peer: Peer
    since: float
    """Time at which it was opened, or began to wait: for its next request, or the rest of one."""
    is_open: bool = True


class Entry(NamedTuple):
    """The answer to a new connection: its place, and the one to close for it."""

    place: Place
    evicted: Place | None = None


class ConnectionLimits:
    """Limits for ``total`` connections, ``per_address`` of them from one address."""

    def __init__(self, total: int, per_address: int) -> None:
        self.total, self.per_address = total, min(per_address, total)
        self._of_proxies = max(1, total - KEPT_FROM_PROXIES)
        self._held: dict[str, int] = {}
        self._waiting: dict[str, dict[Place, None]] = {}
        """Places without a whole request, by group, the longest waiting first."""
        self._unfinished: dict[str, dict[Place, None]] = {}
        """Places among them that have not been answered either, by group, the oldest first."""
        self._count = 0
        self._new = TokenBuckets(Rate(self.per_address / REFILL_S, self.per_address))
        self._few = TokenBuckets(FEW)
        self._all_new = TokenBuckets(Rate(NEW_CONNECTIONS.per_s, NEW_CONNECTIONS.burst + DEBT))

    def __len__(self) -> int:
        return self._count

    def held(self, group: str) -> int:
        """Return how many connections a group has."""
        return self._held.get(group, 0)

    def rest_s(self, now: float) -> float:
        """Return the seconds for which nobody at all is to be let in."""
        return self._all_new.wait_s(_EVERYBODY, now)

    def admit(self, peer: Peer, now: float) -> Entry | None:
        """Let a new connection in, or return None: it is refused."""
        group = peer.group
        evicted = None
        if peer.kind == "address":
            if self._new.level(group, now) < 1:
                return None
            if self.held(group) >= self.per_address:
                evicted = self._oldest_unfinished(group, now)
                if evicted is None:
                    return None
            is_calm = self._all_new.level(_EVERYBODY, now) >= DEBT
            if not is_calm and self._few.level(group, now) < 1:
                return None
        elif peer.kind == "proxy" and self.held(group) >= self._of_proxies:
            evicted = self._oldest_unfinished(group, now)
            if evicted is None:
                return None
        if evicted is None and self._count >= self.total:
            evicted = self._least_missed(group, now)
            if evicted is None:
                return None
        if not self._all_new.take(_EVERYBODY, now):
            return None
        if peer.kind == "address":
            self._new.take(group, now)
            self._few.take(group, now)
        if evicted is not None:
            self.close(evicted)
        place = Place(peer, now)
        self._held[group] = self.held(group) + 1
        self._count += 1
        self.begins(place, now)
        return Entry(place, evicted)

    def begins(self, place: Place, now: float) -> None:
        """Note that the rest is to come: of a head, of a body, or a websocket's hello."""
        self.waits(place, now)
        if place.is_open:
            self._unfinished.setdefault(place.peer.group, {})[place] = None

    def busy(self, place: Place) -> None:
        """Note that a request or a hello has come whole: the place is left alone."""
        for places in (self._waiting, self._unfinished):
            some = places.get(place.peer.group)
            if some is not None and place in some:
                del some[place]
                if not some:
                    del places[place.peer.group]

    def waits(self, place: Place, now: float) -> None:
        """Note that a request has been answered."""
        self.busy(place)
        if place.is_open:
            place.since = now
            self._waiting.setdefault(place.peer.group, {})[place] = None

    def close(self, place: Place) -> None:
        """Give the place back, unless that has been done."""
        if not place.is_open:
            return
        self.busy(place)
        place.is_open = False
        self._leave(place.peer.group)
        self._count -= 1

    def punish(self, group: str, now: float) -> None:
        """Have a group pay for a connection that was closed because it did too much."""
        self._new.spend(group, now, PUNISHMENT)

    def move(self, place: Place, group: str, now: float) -> Entry | None:
        """Count a busy place of a proxy with the address that it stands for from now on.

        Return None if that address may not have one more, or the place has made room meanwhile.
        """
        if not place.is_open:
            return None
        evicted = None
        if self.held(group) >= self.per_address:
            evicted = self._oldest_unfinished(group, now)
            if evicted is None:
                return None
            self.close(evicted)
        self._leave(place.peer.group)
        place.peer = Peer(group, "address")
        self._held[group] = self.held(group) + 1
        return Entry(place, evicted)

    def _leave(self, group: str) -> None:
        self._held[group] -= 1
        if not self._held[group]:
            del self._held[group]

    def _oldest_unfinished(self, group: str, now: float) -> Place | None:
        """Return the place to close so that ``group`` may have another.

        Half a request keeps nobody out who comes from the same address, or through the same proxy.
        """
        oldest = next(iter(self._unfinished.get(group, ())), None)
        return oldest if oldest is not None and now - oldest.since >= PATIENCE_S else None

    def _least_missed(self, group: str, now: float) -> Place | None:
        """Return the place to close so that one of ``group`` fits: nobody loses a request.

        Only places without a whole request are compared: a laboratory in which many play is no
        stranger. Whoever has few of them keeps them, however slow the line is.
        """
        if not self._waiting:
            return None
        most = max(map(len, self._waiting.values()))
        of_most = (next(iter(some)) for some in self._waiting.values() if len(some) == most)
        oldest = min(of_most, key=lambda place: place.since)
        has_more = most > len(self._waiting.get(group, ())) + 1
        return oldest if has_more or now - oldest.since >= PATIENCE_S else None
