"""Parts of the web process that the websockets of sessions need."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.hosting.page_presence import PagePresence
from server.hosting.session_host import SessionHost
from server.settings import Settings
from server.web.hosts import Hosts
from server.web.operator_access import Operators
from server.web.seats import Seats
from server.web.tokens import Tokens
from server.web.watch_tally import WatchTally


@dataclass(frozen=True)
class SessionSockets:
    """Parts that `/ws/play` and `/ws/watch` work with. One per application."""

    settings: Settings
    tokens: Tokens
    host: SessionHost
    hosts: Hosts
    pages: PagePresence
    operators: Operators
    watching: WatchTally
    seats: Seats = field(default_factory=Seats)

    def is_full(self, session_id: str) -> bool:
        """Tell whether as many browsers watch a session as may."""
        watching = {state.session_id: state.watchers for state in self.host.sessions()}
        return watching.get(session_id, 0) >= self.settings.watchers_per_session
