"""A session whose sockets come and go as a test says, in ticks; and policies for its seats."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import msgspec

from server.recording.log_writer import LogWriter
from server.sessions.events import Presence
from server.sessions.intents import Drive, Intent, Ready, Say
from server.sessions.player import Player
from server.sessions.spec import TICK_RATE
from server.wire.codecs import CODECS
from server.wire.messages import (
    ClientMessage,
    Frame,
    Ping,
    ReadyInput,
    Snapshot,
)
from server.worker.live_session import LiveSession
from server.worker.policy_seats import Company, PolicyBuilder
from tests.load.client_model import ClientModel
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of

LOADING_S = 20


class Table:
    """A session with two seats, whose sockets come and go as the test says."""

    def __init__(
        self, policies: PolicyBuilder | None = None, time_limit_s: float | None = None, **spec: Any
    ) -> None:
        self.file = io.BytesIO()
        log = LogWriter(self.file)
        core = core_of(time_limit_s=time_limit_s, **spec)
        log.open_episode(core, 0.0)
        self.session = LiveSession(
            core, log, loading_ticks=LOADING_S * TICK_RATE, code_version="", policies=policies
        )
        self.models: dict[int, ClientModel] = {}
        self._last = 0

    def come(self, seat: str) -> int:
        """Open a new connection of a seat; what it is told is in ``models``."""
        self._last += 1
        self.models[self._last] = ClientModel()
        self.session.attach(self._last, seat, "msgpack")
        return self._last

    def leave(self, connection: int) -> None:
        self.session.detach(connection)
        del self.models[connection]

    def send(self, connection: int, message: ClientMessage) -> None:
        self.session.receive(connection, msgspec.msgpack.encode(message))

    def run(self, seconds: float, keep_alive: Iterable[int] = ()) -> None:
        for _ in range(round(seconds * TICK_RATE)):
            if self.session.core.tick % TICK_RATE == 0:
                for connection in keep_alive:
                    self.send(connection, Ping(1, 30, 0, False))
            for outgoing in self.session.step(self.session.core.tick / TICK_RATE):
                message = CODECS["msgpack"].decode_server(outgoing.payload)
                if isinstance(message, Snapshot | Frame):
                    for connection in outgoing.connections:
                        self.models[connection].apply(message)

    def start(self) -> tuple[int, int]:
        """Let both come, load and begin."""
        human, robot = self.come(HUMAN), self.come(ROBOT)
        for connection in (human, robot):
            self.send(connection, ReadyInput())
        self.run(0.1)
        assert self.phase == "running"
        return human, robot

    @property
    def phase(self) -> str:
        return self.session.core.phase

    def presence(self, seat: str) -> Presence:
        return self.session.core.seats[seat].presence

    def data(self) -> bytes:
        self.session._log.flush(0.0)
        return self.file.getvalue()


class Chatter(Player):
    """A policy that says something once, and walks."""

    def __init__(self, seat: str, company: Company) -> None:
        self.seat = seat
        self.company = company
        self.seen = 0

    def intents(self, core: Any) -> list[Intent]:
        if core.phase == "gathering":
            return [Ready()]
        return [Say("I am here")] if self.seen == 0 else [Drive(0.5, 0.0)]

    def see(self, tick: Any) -> None:
        self.seen += 1


class Breaks(Chatter):
    def intents(self, core: Any) -> list[Intent]:
        raise RuntimeError("no model")
