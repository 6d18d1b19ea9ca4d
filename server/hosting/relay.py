"""Relay between browsers and their sessions: bytes in, bytes out, nothing encoded or decoded."""

from __future__ import annotations

import itertools
import time

from server.hosting.connections import Connection
from server.hosting.delay_line import DelayedOutbox, DelayLine
from server.hosting.host_stats import SessionState
from server.hosting.hosted_session import RECONNECTING, HostedSession, HostError
from server.hosting.losses import Losses, broken_notice
from server.hosting.outbox import Outbox
from server.ipc.messages import Attach, Behind, Detach, Drained, Fill, FromClient, ToClients, Vacate
from server.recording.salvaged_result import Salvaged
from server.wire.close_codes import CloseCode
from server.wire.codecs import CodecName
from server.wire.messages import Notice


class Relay:
    """Connections of hosted sessions by number, and counts of what went through, and was lost."""

    def __init__(self) -> None:
        self._sessions: dict[str, HostedSession] = {}
        self._connections: dict[int, Connection] = {}
        self._vacated: dict[str, set[str]] = {}
        """Seats that their people have left for good, by session."""
        self.losses = Losses()
        self._numbers = itertools.count(1)
        self._messages_out = self._bytes_out = 0
        self._returns = self._fell_behind = self._ignored = 0

    def is_open(self, session_id: str) -> bool:
        """Tell whether a session is hosted here."""
        return session_id in self._sessions

    def seats(self, session_id: str) -> tuple[str, ...]:
        """Return the seats of a session that people occupy. Raises HostError if it is not open."""
        hosted = self._sessions.get(session_id)
        if hosted is None:
            raise HostError(f"session {session_id} is not open")
        people = (s.seat.seat_id for s in hosted.spec.seats if s.occupied and not s.policy)
        return tuple(seat for seat in people if seat not in self._vacated.get(session_id, ()))

    def vacate(self, session_id: str, seat: str) -> None:
        """Let nobody into a seat any more, whose participant has left for good. Idempotent.

        A session may be told so before it is open.
        """
        vacated = self._vacated.setdefault(session_id, set())
        hosted = self._sessions.get(session_id)
        if hosted is not None and hosted.is_up and seat not in vacated:
            hosted.send(Vacate(session_id, seat))
        vacated.add(seat)
        for connection in hosted.connections.values() if hosted is not None else ():
            if connection.seat == seat:
                connection.outbox.close(CloseCode.REFUSED, "you have left this home")

    def fill(self, session_id: str, seat: str) -> str:
        """Have a policy play a seat whose person is away; return why it does not, or nothing."""
        hosted, now = self._sessions.get(session_id), time.monotonic()
        if hosted is None or not hosted.is_up or seat not in self.seats(session_id):
            return "there is nobody to play for"
        if hosted.spec.when_gone != "policy" or not hosted.spec.stand_in:
            return "no policy is named that plays for people who are away"
        if hosted.presence(seat, now)[0] == "connected":
            return "they are there: remove them first, if they are to go"
        others = set(self.seats(session_id)) - {seat}
        if not any(hosted.presence(other, now)[0] not in ("gone", "expected") for other in others):
            return "nobody else is there to play with"
        hosted.send(Fill(session_id, seat))
        return ""

    def _salvaged(self, hosted: HostedSession, found: Salvaged) -> None:
        """Count what a broken session lacks, and tell its people what is saved of it."""
        self.losses.count_at_the_end(hosted.spec.session_id, found.lost)
        hosted.tell_broken(broken_notice(found.recorded.ticks, found.lost.ticks))

    def sessions(self) -> list[SessionState]:
        """Return the state of everything that is hosted here, the oldest first."""
        return [h.summary(self.losses.of(name)) for name, h in self._sessions.items()]

    def connect(
        self, session_id: str, seat: str | None, codec: CodecName, outbox: Outbox
    ) -> Connection:
        """Join a browser that has proven that it occupies a seat (None: it watches).

        Raises HostError if the session is not open.
        """
        hosted = self._sessions.get(session_id)
        if hosted is None:
            raise HostError(f"session {session_id} is not open")
        if seat is not None:
            # A condition of a study may delay what its players send and are sent.
            outbox = DelayedOutbox(outbox, hosted.one_way_s)
        connection = Connection(next(self._numbers), session_id, seat, codec, outbox)
        if seat is not None:
            connection.line = DelayLine(hosted.one_way_s)
        hosted.connections[connection.number] = connection
        if seat is not None:
            self._returns += seat in hosted.seats_taken
            hosted.seats_taken.add(seat)
        self._connections[connection.number] = connection
        if hosted.has_failed:
            connection.expect_no_greeting()
            connection.tell(hosted.broken)
        elif hosted.resumption is not None:
            connection.tell(RECONNECTING)
        if hosted.over is not None:
            connection.tell_over(hosted.over)
        if hosted.unrecorded is not None:
            connection.tell(hosted.unrecorded)
        hosted.tell_of_loss(connection)
        if hosted.is_up:
            hosted.send(Attach(session_id, connection.number, seat, codec))
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Forget a browser whose socket has ended. Idempotent."""
        self._connections.pop(connection.number, None)
        hosted = self._sessions.get(connection.session_id)
        if hosted is None or hosted.connections.pop(connection.number, None) is None:
            return
        if connection.seat is not None:
            hosted.left_at[connection.seat] = time.monotonic()
        hosted.was_shown(connection.shown)
        if hosted.is_up:
            hosted.send(Detach(connection.number))

    def receive(self, connection: Connection, payload: bytes) -> None:
        """Pass on a checked message of a browser, as msgpack.

        It is dropped while the worker is down: what it names by index means nothing after the
        snapshot that follows.
        """
        if connection.line is None or connection.line.is_idle:
            self._pass_on(connection, payload)
        else:
            connection.line.put(lambda: self._pass_on(connection, payload))

    def _pass_on(self, connection: Connection, payload: bytes) -> None:
        hosted = self._sessions.get(connection.session_id)
        if hosted is not None and hosted.is_up and connection.number in hosted.connections:
            hosted.send(FromClient(connection.number, payload))
        else:
            self._ignored += 1

    def set_behind(self, connection: Connection, behind: bool) -> None:
        """Note that a browser reads too slowly, or (with false) has caught up."""
        self._fell_behind += behind
        hosted = self._sessions.get(connection.session_id)
        if hosted is not None and hosted.is_up:
            number = connection.number
            hosted.send(Behind(number) if behind else Drained(number))

    def tell(self, session_id: str, text: str) -> int:
        """Show everybody who plays in a session what an operator writes; return how many.

        Who comes back later, or only watches, is not told.
        """
        hosted = self._sessions.get(session_id)
        if hosted is None:
            return 0
        seated = [c for c in hosted.connections.values() if c.seat is not None]
        for connection in seated:
            connection.tell(Notice("operator", text))
        return len({connection.seat for connection in seated})

    def _deliver(self, message: ToClients) -> None:
        for number in message.connections:
            connection = self._connections.get(number)
            if connection is not None:
                connection.deliver(message.payload, message.binary)
                connection.shown = message.played
                self._messages_out += 1
                self._bytes_out += len(message.payload)

    def _hang_up(self, number: int) -> None:
        """Close a connection that is further behind than anybody wants to read."""
        connection = self._connections.get(number)
        if connection is not None:
            connection.outbox.close(CloseCode.TRY_AGAIN, "you read too slowly")
