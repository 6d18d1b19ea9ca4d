"""The attendance of seats: who is there, how long the absent are waited for, what follows.

Counted in ticks, so that a session whose time stretches waits longer, and a test needs no clock. A
seat outlives its sockets. A connection that is lost stops the body at once; the partner is told
when it stays lost for longer than a flap. Whoever keeps dropping uses up the window, which fills
again only slowly. A page that is hidden or that nobody touches is away, and counts as gone in the
end. What becomes of the seat is the session's ``when_gone``, and it happens once.
"""

from __future__ import annotations

from server.sessions.core import SessionCore
from server.sessions.events import Presence
from server.sessions.intake import IN_PLAY
from server.sessions.spec import TICK_RATE
from server.sessions.state import STILL

FLAP_TICKS = 2 * TICK_RATE
"""The time within which a connection that comes back was never gone, but for its own page.

After a crash of ours the sockets come back by themselves in that time too.
"""
RESUMED_TICKS = 30 * TICK_RATE
"""The least time in which people come back to a session that was resumed: pages try again at once,
but a server that has just started answers late."""
LEAST_WINDOW_S = 5.0
"""The wait that even somebody gets who has used up the window by dropping again and again."""
REFILL = 2
"""The ticks of the window that a tick of connection gives back."""
HIDDEN_TICKS = 5 * TICK_RATE
"""The time after which a hidden page is away."""
LOOK_TICKS = TICK_RATE // 2
"""The ticks between two looks at idleness."""


class _Stay:
    """The attendance of one seat. Ticks are the session's; None where it does not apply."""

    __slots__ = (
        "active_at", "came_at", "connections", "credit", "drop_at", "filled_at", "gone_at",
        "hidden_at", "is_away", "left_at", "load_until",
    )  # fmt: skip

    def __init__(self, window: int, now: int) -> None:
        self.connections: set[int] = set()
        self.came_at = now
        self.left_at: int | None = None
        """Tick at which the last connection went."""
        self.credit = window
        """Ticks that are left of the window."""
        self.drop_at: int | None = None
        """Tick at which a seat without a connection is told to be one."""
        self.gone_at: int | None = None
        """Tick at which a seat without a connection, or whose page is away, is given up."""
        self.load_until: int | None = None
        self.active_at = now
        self.hidden_at: int | None = None
        self.filled_at: int | None = None
        """Tick at which a policy took the seat because an operator said so."""
        self.is_away = False


class Attendance:
    """Attendance of all seats: connections come and go, presence and occupants follow."""

    def __init__(self, core: SessionCore, loading_ticks: int, resumed: bool = False) -> None:
        self._core = core
        spec = core.spec
        self._loading_ticks = loading_ticks
        self._window = round(spec.reconnect_window_s * TICK_RATE)
        self._idle = round(spec.idle_s * TICK_RATE)
        self._away = round(spec.away_limit_s * TICK_RATE)
        self._vacated: set[str] = set()
        """Seats whose people have left the session for good."""
        self._stays = {
            seat: _Stay(self._window, core.tick)
            for seat, seated in core.seats.items()
            if seated.occupied and (seated.stands_in or not seated.policy)
        }
        self.begin()
        if resumed:
            self._expect_back()

    def begin(self) -> None:
        """Begin a loaded episode: everybody has this long to come, and then to get ready.

        Whoever read the last report without a connection is expected too, but nobody who had gone
        before.
        """
        core = self._core
        if core.phase != "gathering":
            return
        for seat, stay in self._stays.items():
            seated = core.seats[seat]
            stay.load_until = stay.drop_at = stay.gone_at = None
            stay.is_away = False
            if seat in self._vacated:
                # Going on to an episode forgets what was to happen before it.
                self._set(seat, "gone")
            elif not seated.deserted:
                stay.load_until = core.tick + self._loading_ticks
                if seated.presence != "ready":
                    self._set(seat, "loading")

    def _expect_back(self) -> None:
        for seat, stay in self._stays.items():
            seated = self._core.seats[seat]
            if seated.presence not in ("empty", "loading", "gone") and not seated.stands_in:
                stay.left_at = self._core.tick
                stay.drop_at = self._core.tick + min(FLAP_TICKS, self._window)
                stay.credit = max(stay.credit, RESUMED_TICKS)

    # What happens to sockets

    def arrive(self, seat: str, connection: int) -> None:
        """Note a browser that has proven that it occupies the seat."""
        stay, tick, seated = self._stays.get(seat), self._core.tick, self._core.seats[seat]
        if stay is None:
            return
        first = not stay.connections
        stay.connections.add(connection)
        stay.active_at, stay.hidden_at = tick, None
        if not first:
            return
        was_lost = stay.drop_at is None
        if stay.left_at is not None and len(self._stays) > 1:
            # Whoever plays without other people keeps nobody waiting, and uses nothing up.
            stay.credit = max(0, stay.credit - (tick - stay.left_at))
        stay.came_at, stay.left_at = tick, None
        stay.gone_at = stay.drop_at = stay.filled_at = None
        stay.is_away = False
        if self._core.phase == "gathering" and was_lost:
            # Coming takes a while, and so does loading: each has its own time.
            stay.load_until = tick + self._loading_ticks
        if seated.stands_in:
            self._core.set_occupant(seat, "")
        # No news after a flap; in the gathering the page has everything to load again.
        self._set(seat, "connected")

    def leave(self, seat: str, connection: int) -> None:
        """Note that a connection has ended."""
        stay, tick = self._stays.get(seat), self._core.tick
        if stay is None or connection not in stay.connections:
            return
        stay.connections.discard(connection)
        if stay.connections:
            return
        stay.credit = min(self._window, stay.credit + REFILL * (tick - stay.came_at))
        stay.left_at = tick
        stay.gone_at = None
        if self._core.seats[seat].deserted and stay.came_at < tick:
            # (Who came back in this very tick is there only from the next step on.)
            return
        stay.drop_at = tick + min(FLAP_TICKS, self._window)
        self._core.submit(seat, STILL)

    def vacate(self, seat: str) -> None:
        """Note that the seat's participant has left the session for good.

        Nobody is waited for there any more. In a task, and while its pages load, follows what
        follows when somebody stays away; between two tasks nothing else does.
        """
        self._vacated.add(seat)
        stay = self._stays.get(seat)
        if stay is not None:
            stay.connections.clear()
            stay.drop_at = stay.gone_at = stay.load_until = None
            if self._core.phase != "ended" and not self._core.seats[seat].deserted:
                self._core.submit(seat, STILL)
                self._give_up(seat)
            else:
                self._set(seat, "gone")

    def fill(self, seat: str) -> None:
        """Give a seat's participant up before their time is over; whoever comes back is welcome."""
        stay, seated = self._stays.get(seat), self._core.seats[seat]
        if stay is None or seated.deserted or seated.stands_in or seated.finished:
            return
        core = self._core
        if core.phase == "ended" or core.spec.when_gone != "policy" or not self._has_company(seat):
            return
        stay.drop_at = stay.gone_at = stay.load_until = None
        # Somebody whose page is open, but who does nothing, takes the seat back by doing something.
        stay.is_away, stay.filled_at = bool(stay.connections), core.tick
        core.submit(seat, STILL)
        self._give_up(seat)

    def hear(self, seat: str) -> None:
        """Note that somebody at the seat did something."""
        stay = self._stays.get(seat)
        if stay is not None:
            stay.active_at = self._core.tick
            stay.hidden_at = None
            self._welcome_back(seat, stay)

    def report(self, seat: str, idle_s: float, hidden: bool) -> None:
        """Note how long nobody has touched the page, and whether it is hidden."""
        stay, tick = self._stays.get(seat), self._core.tick
        if stay is None:
            return
        stay.active_at = max(stay.active_at, tick - round(idle_s * TICK_RATE))
        if not hidden:
            stay.hidden_at = None
        elif stay.hidden_at is None:
            stay.hidden_at = tick
        self._welcome_back(seat, stay)

    def _welcome_back(self, seat: str, stay: _Stay) -> None:
        """Note at once that somebody is back: what they ask for right after counts already."""
        if stay.is_away and stay.connections and self._core.phase in IN_PLAY:
            self._look_at(seat, stay)

    # Time

    def look(self) -> None:
        """Give up on those whose time is over; called once a tick."""
        core = self._core
        tick, phase = core.tick, core.phase
        if phase == "ended":
            return
        idle_too = tick % LOOK_TICKS == 0 and phase != "gathering"
        for seat, stay in self._stays.items():
            if idle_too and stay.connections:
                # First: whoever shows in this very tick that they are there is not given up.
                self._look_at(seat, stay)
            elif phase == "gathering" and stay.filled_at is None:
                stay.active_at = tick
            if stay.drop_at is not None and tick >= stay.drop_at:
                self._drop(seat, stay)
            if stay.gone_at is not None and tick >= stay.gone_at:
                stay.gone_at = None
                self._give_up(seat)
            if stay.load_until is not None and (phase != "gathering" or tick >= stay.load_until):
                stay.load_until = None
                if phase == "gathering" and core.seats[seat].presence != "ready":
                    # The partner must not be kept waiting for ever; who comes late may still join.
                    self._give_up(seat)

    def _drop(self, seat: str, stay: _Stay) -> None:
        tick = self._core.tick
        stay.drop_at = None
        window = max(stay.credit, min(self._window, round(LEAST_WINDOW_S * TICK_RATE)))
        left_at = tick if stay.left_at is None else stay.left_at
        stay.gone_at = max(tick, left_at + window)
        self._set(seat, "reconnecting", (stay.gone_at - tick) / TICK_RATE)

    def _look_at(self, seat: str, stay: _Stay) -> None:
        """Note whether the page is hidden, or nobody touches it."""
        if self._idle <= 0 and stay.filled_at is None:
            return
        tick = self._core.tick
        away = (
            0 < self._idle <= tick - stay.active_at
            or (stay.hidden_at is not None and tick - stay.hidden_at >= HIDDEN_TICKS)
            or (stay.filled_at is not None and stay.active_at <= stay.filled_at)
        )
        if away == stay.is_away:
            return
        stay.is_away = away
        if away:
            stay.gone_at = tick + self._away
            self._set(seat, "away", self._away / TICK_RATE)
            return
        stay.gone_at = stay.filled_at = None
        if self._core.seats[seat].stands_in:
            self._core.set_occupant(seat, "")
        self._set(seat, "connected")

    def _give_up(self, seat: str) -> None:
        """Stop waiting for the seat's participant: exactly one thing follows."""
        core, spec = self._core, self._core.spec
        # Whoever has finished has done their part: nobody has to do it for them.
        is_needed = not core.seats[seat].finished and self._has_company(seat)
        if spec.when_gone == "policy" and spec.stand_in and is_needed:
            core.set_occupant(seat, spec.stand_in, stands_in=True)
            self._set(seat, "connected")
            return
        self._set(seat, "gone")
        if spec.when_gone == "end":
            core.end("left")

    def _has_company(self, seat: str) -> bool:
        """Tell whether anybody would see the stand-in."""
        return any(
            stay.connections and not self._core.seats[other].deserted
            for other, stay in self._stays.items()
            if other != seat
        )

    def _set(self, seat: str, presence: Presence, seconds_left: float | None = None) -> None:
        self._core.set_presence(seat, presence, seconds_left)
