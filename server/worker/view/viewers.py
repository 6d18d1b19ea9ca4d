"""Viewers of a session, and what each was last sent.

All who are up to date get the same bytes, encoded once per codec. One who reads too slowly is sent
nothing until it has caught up, and then a single frame: the latest state of all that changed
meanwhile, and every event. Nobody waits for anybody.
"""

from __future__ import annotations

from typing import NamedTuple

from server.wire.codecs import CODECS, Codec, CodecName, deflate
from server.wire.messages import Frame, ServerMessage
from server.worker.view.public_view import PublicView

MOST_EVENTS = 5000
"""Most events by which somebody may be behind: who is further behind is not coming back."""


class Outgoing(NamedTuple):
    """The same bytes for several connections."""

    connections: tuple[int, ...]
    payload: bytes
    binary: bool


class Viewer:
    """A connection: ``sent`` is the version it has; None before its first snapshot."""

    __slots__ = ("behind", "codec", "seat", "sent")

    def __init__(self, seat: str | None, codec: Codec) -> None:
        self.seat = seat
        self.codec = codec
        self.sent: int | None = None
        self.behind = False


class Viewers:
    """The connections of one session."""

    def __init__(self, view: PublicView) -> None:
        self._view = view
        self._viewers: dict[int, Viewer] = {}
        self._snapshots: dict[CodecName, bytes] = {}
        self._snapshot_version = -1

    def __len__(self) -> int:
        return len(self._viewers)

    def add(self, connection: int, seat: str | None, codec: CodecName) -> None:
        """Add a connection, which the next `flush` sends a snapshot."""
        self._viewers[connection] = Viewer(seat, CODECS[codec])

    def remove(self, connection: int) -> None:
        self._viewers.pop(connection, None)

    def seat(self, connection: int) -> str | None:
        """Return the seat of a connection; None for a watcher, and for one that is not here."""
        viewer = self._viewers.get(connection)
        return None if viewer is None else viewer.seat

    def set_behind(self, connection: int, behind: bool) -> None:
        """Send a connection nothing more, or (with false) what it missed."""
        viewer = self._viewers.get(connection)
        if viewer is not None:
            viewer.behind = behind

    def show(self, view: PublicView) -> None:
        """Show another episode: everybody needs a snapshot."""
        self._view = view
        self._snapshot_version = -1
        for viewer in self._viewers.values():
            viewer.sent = None

    def too_far_behind(self) -> list[int]:
        """Return the connections that are behind by more events than anybody wants to read."""
        return [
            connection
            for connection, viewer in self._viewers.items()
            if viewer.behind
            and viewer.sent is not None
            and self._view.event_count(viewer.sent) > MOST_EVENTS
        ]

    def answer(self, connection: int, message: ServerMessage) -> list[Outgoing]:
        """Return a message for one connection alone."""
        viewer = self._viewers.get(connection)
        if viewer is None:
            return []
        payload = viewer.codec.encode(message)
        return [Outgoing((connection,), payload, viewer.codec.binary)]

    def flush(self, sign_of_life: bool = False) -> list[Outgoing]:
        """Return what to send to whom so that everybody who reads is up to date.

        With ``sign_of_life`` those for whom there is nothing get an empty frame, which tells the
        tick.
        """
        view = self._view
        groups: dict[tuple[int, str | None, Codec], list[int]] = {}
        newcomers: dict[Codec, list[int]] = {}
        for connection, viewer in self._viewers.items():
            if viewer.behind:
                continue
            sent = viewer.sent
            viewer.sent = view.version
            if sent is None:
                newcomers.setdefault(viewer.codec, []).append(connection)
            elif sent < view.version:
                # Only a seat with events of its own needs bytes of its own.
                alone = viewer.seat is not None and view.has_private(sent, viewer.seat)
                key = (sent, viewer.seat if alone else None, viewer.codec)
                groups.setdefault(key, []).append(connection)
        outgoing = [
            Outgoing(tuple(connections), self._snapshot(codec), True)
            for codec, connections in newcomers.items()
        ]
        if newcomers and (aims := view.aims()):
            frame_of_aims = Frame(view.tick, events=aims)
            outgoing += [
                Outgoing(tuple(connections), codec.encode(frame_of_aims), codec.binary)
                for codec, connections in newcomers.items()
            ]
        frames: dict[tuple[int, str | None], Frame | None] = {}
        for (sent, seat, codec), connections in groups.items():
            if (sent, seat) not in frames:
                frames[sent, seat] = view.frame_since(sent, seat)
            frame = frames[sent, seat]
            if frame is None:
                if not sign_of_life:
                    continue
                frame = Frame(view.tick)
            outgoing.append(Outgoing(tuple(connections), codec.encode(frame), codec.binary))
        self._forget_events()
        return outgoing

    def _snapshot(self, codec: Codec) -> bytes:
        if self._snapshot_version != self._view.version:
            self._snapshot_version = self._view.version
            self._snapshots = {}
        payload = self._snapshots.get(codec.name)
        if payload is None:
            payload = self._snapshots[codec.name] = deflate(codec.encode(self._view.snapshot()))
        return payload

    def _forget_events(self) -> None:
        if self._view.has_events:
            versions = [v.sent for v in self._viewers.values() if v.sent is not None]
            self._view.forget_events(min(versions, default=self._view.version))
